import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The kinds of things in a replica.
public enum ReplicaDocumentKind: String, Codable, Hashable, Sendable, CaseIterable {
    case device, room, scene, guest, house, activity, event
    /// Stored as answers to searches, not one by one.
    case memory
    /// Stored as answers, or not at all: these kinds only distinguish queued operations.
    case task, twin, automation, token, webhook, interview, question
}
