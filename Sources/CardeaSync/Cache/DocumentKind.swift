import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The kinds of things that are kept of a house.
public enum DocumentKind: String, Codable, Hashable, Sendable, CaseIterable {
    case device, room, scene, guest, house, activity, event
    /// Kept as the answers that somebody looked for, and not each by itself.
    case memory
    /// Kept as answers, or not at all: only what waits for the house is told apart by these.
    case task, twin, automation, token, webhook, interview, question
}
