import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Long work that somebody asked for: it outlives a restart, and whoever asked may go and come back.
public struct Job: Sendable {
    public enum Kind: String, Sendable, CaseIterable { case export, erasure }

    public enum State: String, Sendable, CaseIterable { case waiting, running, done, failed }

    public let id: String
    public let kind: Kind
    /// Whom it is about: somebody of the house, or a guest.
    public let personID: String
    /// Who asked; nil for the house itself.
    public let askedBy: String?
    public let state: State
    /// What it is at: `waiting`, a word for a part of it, `done`.
    public let step: String
    /// Parts that are done, and all of them; nil while nobody knows how many there are.
    public let done: Int
    public let total: Int?
    public let askedAt: Date
    public let finishedAt: Date?
    /// When what it made is taken away.
    public let expiresAt: Date?
    /// How large what it made is.
    public let bytes: Int64?
    public let problem: String?
    /// What an erasure took away.
    public let receipt: JSONValue?
    /// How an erasure stands with those who keep a copy of the house.
    public var replicas: Replicas.Status?

    /// Whether it is about a guest. Ids say what they are of.
    var isOfGuest: Bool { personID.hasPrefix("guest_") }

    var isOpen: Bool { state == .waiting || state == .running }

    /// What whoever asked for it is told at its end, which does not name whom it is about; nil until then.
    var notificationText: String? {
        let why = problem.map { " \($0)" } ?? ""
        return switch (kind, state) {
        case (_, .waiting), (_, .running): nil
        case (.export, .done): "What you had packed is ready. Fetch it within a day, under Privacy."
        case (.export, .failed): "What you wanted packed is not." + why
        case (.erasure, .done): "The erasure that you asked for is done."
        case (.erasure, .failed): "The erasure that you asked for is not done." + why
        }
    }

    public func hasArchive(at now: Date) -> Bool {
        kind == .export && state == .done && expiresAt.map { $0 > now } == true
    }
}
