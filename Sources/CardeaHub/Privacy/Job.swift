import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A long-running job that a person asked for: it survives a restart, and the person need not wait for it.
public struct Job: Sendable {
    public enum Kind: String, Sendable, CaseIterable { case export, erasure }

    public enum State: String, Sendable, CaseIterable { case waiting, running, done, failed }

    public let id: String
    public let kind: Kind
    /// The subject: a resident or a guest.
    public let personID: String
    /// The person who asked; nil for the house itself.
    public let askedBy: String?
    public let state: State
    /// The present step: `waiting`, a word for a part of the job, or `done`.
    public let step: String
    /// The number of parts done, and of all parts; nil while the total is not known.
    public let done: Int
    public let total: Int?
    public let askedAt: Date
    public let finishedAt: Date?
    /// The time at which its archive is deleted.
    public let expiresAt: Date?
    /// The size of the result.
    public let bytes: Int64?
    public let problem: String?
    /// The number of rows that an erasure removed.
    public let receipt: JSONValue?
    /// The state of an erasure at the clients with a replica of the house.
    public var replicas: Replicas.Status?

    /// True if the job is about a guest, as the prefix of its id says.
    var isOfGuest: Bool { personID.hasPrefix("guest_") }

    var isOpen: Bool { state == .waiting || state == .running }

    /// The text for the person who asked, once the job has ended; nil until then. It does not name the person whom the job is about.
    var notificationText: String? {
        let why = problem.map { " \($0)" } ?? ""
        return switch (kind, state) {
        case (_, .waiting), (_, .running): nil
        case (.export, .done): "Your export is ready. Download it within a day, under Privacy."
        case (.export, .failed): "Your export failed." + why
        case (.erasure, .done): "The erasure that you requested is done."
        case (.erasure, .failed): "The erasure that you requested failed." + why
        }
    }

    public func hasArchive(at now: Date) -> Bool {
        kind == .export && state == .done && expiresAt.map { $0 > now } == true
    }
}
