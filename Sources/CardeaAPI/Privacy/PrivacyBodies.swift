import CardeaModel
import Foundation

/// The data that the house keeps about the caller.
public struct PrivacyAnswer: Codable, Sendable {
    public let holdings: [Holding]

    public init(holdings: [Holding]) { self.holdings = holdings }

    /// The data that is kept for one purpose.
    public struct Holding: Codable, Sendable {
        /// The purpose of the data; a newer hub may have others.
        public let purpose: String
        public let what: String
        public let why: String
        /// Until when, in words.
        public let kept: [String]
        /// The number; nil if all events would have to be read to know.
        @Nullable public private(set) var count: Int?

        public init(purpose: String, what: String, why: String, kept: [String], count: Int?) {
            self.purpose = purpose
            self.what = what
            self.why = why
            self.kept = kept
            self.count = count
        }
    }
}

/// For how long each kind is kept.
public struct RetentionAnswer: Codable, Sendable {
    public let retention: [Rule]

    public init(retention: [Rule]) { self.retention = retention }

    public struct Rule: Codable, Sendable {
        /// A value of `RetentionKind`; a newer house may have others.
        public let kind: String
        public let days: Int
        /// More cannot be chosen.
        public let mostDays: Int
        /// When the house last saw to it.
        @Nullable public private(set) var sweptAt: Date?
        /// The number of rows deleted since the house exists.
        public let dropped: Int

        enum CodingKeys: String, CodingKey {
            case kind, days, dropped
            case mostDays = "most_days"
            case sweptAt = "swept_at"
        }

        public init(kind: String, days: Int, mostDays: Int, sweptAt: Date?, dropped: Int) {
            self.kind = kind
            self.days = days
            self.mostDays = mostDays
            self.dropped = dropped
            self.sweptAt = sweptAt
        }
    }
}

/// Days for some kinds, by name.
public struct RetentionBody: WireFormat.Body, Encodable, Sendable {
    public var days: [String: Int]

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case days
    }

    public init(days: [String: Int]) { self.days = days }
}

/// The scheduled backups: settings and results.
public struct BackupsAnswer: Codable, Sendable {
    /// The backup folder's name; nil if the house makes no backups by itself.
    @Nullable public private(set) var folder: String?
    /// Hours between two backups; nil for once a day, in the quiet hours.
    @Nullable public private(set) var everyHours: Int?
    /// The number of backups kept.
    public let keep: Int
    /// For how many days at most.
    public let keepDays: Int
    /// Without one there are no backups.
    public let hasRecoveryKey: Bool
    /// When the last good one was made.
    @Nullable public private(set) var goodAt: Date?
    @Nullable public private(set) var goodBytes: Int64?
    /// The time of the last try, if it failed.
    @Nullable public private(set) var failedAt: Date?
    /// The reason, in words.
    @Nullable public private(set) var failure: String?
    /// When the next one is due.
    @Nullable public private(set) var nextAt: Date?
    /// When the house was last restored from a backup.
    @Nullable public private(set) var restoredAt: Date?
    /// The place of the key that opens the house; nil for a house that is not stored.
    @Nullable public private(set) var key: Key?

    public struct Key: Codable, Sendable {
        /// `credential`, `secret-service` or `file`.
        public let place: String
        /// `full` if a person with the house's disk still lacks the key, else `reduced`.
        public let protection: String
        /// The meaning of `protection`, and how to have more.
        public let words: String

        public init(place: String, protection: String, words: String) {
            (self.place, self.protection, self.words) = (place, protection, words)
        }
    }

    enum CodingKeys: String, CodingKey {
        case folder, keep, failure, key
        case everyHours = "every_hours"
        case keepDays = "keep_days"
        case hasRecoveryKey = "has_recovery_key"
        case goodAt = "good_at"
        case goodBytes = "good_bytes"
        case failedAt = "failed_at"
        case nextAt = "next_at"
        case restoredAt = "restored_at"
    }

    public init(
        folder: String?, everyHours: Int?, keep: Int, keepDays: Int, hasRecoveryKey: Bool, goodAt: Date?, goodBytes: Int64?,
        failedAt: Date?, failure: String?, nextAt: Date?, restoredAt: Date?, key: Key?
    ) {
        self.key = key
        self.keep = keep
        self.keepDays = keepDays
        self.hasRecoveryKey = hasRecoveryKey
        self.folder = folder
        self.everyHours = everyHours
        self.goodAt = goodAt
        self.goodBytes = goodBytes
        self.failedAt = failedAt
        self.failure = failure
        self.nextAt = nextAt
        self.restoredAt = restoredAt
    }
}

/// A long job, as the person who asked for it sees it.
public struct JobAnswer: Codable, Sendable {
    public let jobID: String
    /// `export` or `erasure`.
    public let kind: String
    /// The person it is about: a person of the house, or a guest.
    public let personID: String
    /// `waiting`, `running`, `done`, `failed`.
    public let state: String
    /// The current step.
    public let step: String
    /// 0 to 1; nil while it is not known.
    @Nullable public private(set) var progress: Double?
    public let askedAt: Date
    @Nullable public private(set) var finishedAt: Date?
    /// The link to download the result, until `expires_at`.
    @Nullable public private(set) var link: String?
    @Nullable public private(set) var expiresAt: Date?
    @Nullable public private(set) var bytes: Int64?
    /// The reason why it failed or was stopped, in words.
    @Nullable public private(set) var problem: String?
    @Nullable public private(set) var receipt: Receipt?

    /// The result of an erasure.
    public struct Receipt: Codable, Sendable {
        /// Rows, by purpose.
        public let rows: [String: Int]
        /// The data that stays, with the reasons.
        public let kept: [String]
        /// The state of clients that keep a copy of the house; nil from a house that did not send it.
        @Nullable public private(set) var replicas: Replicas?

        public init(rows: [String: Int], kept: [String], replicas: Replicas? = nil) {
            self.rows = rows
            self.kept = kept
            self.replicas = replicas
        }

        public struct Replicas: Codable, Sendable {
            /// The clients that were informed.
            public let told: Int
            /// Those of them that confirmed that nothing is left.
            public let confirmed: Int
            /// Those that still have to confirm it. The rest signed out before they did.
            public let owing: Int
            /// Devices of the erased person that kept a copy: they are signed out, and cannot confirm.
            public let own: Int

            public init(told: Int, confirmed: Int, owing: Int, own: Int) {
                self.told = told
                self.confirmed = confirmed
                self.owing = owing
                self.own = own
            }
        }
    }

    enum CodingKeys: String, CodingKey {
        case kind, state, step, progress, link, bytes, problem, receipt
        case jobID = "job_id"
        case personID = "person_id"
        case askedAt = "asked_at"
        case finishedAt = "finished_at"
        case expiresAt = "expires_at"
    }

    public init(
        jobID: String, kind: String, personID: String, state: String, step: String, progress: Double?, askedAt: Date, finishedAt: Date?,
        link: String?, expiresAt: Date?, bytes: Int64?, problem: String?, receipt: Receipt?
    ) {
        self.jobID = jobID
        self.kind = kind
        self.personID = personID
        self.state = state
        self.step = step
        self.askedAt = askedAt
        self.progress = progress
        self.finishedAt = finishedAt
        self.link = link
        self.expiresAt = expiresAt
        self.bytes = bytes
        self.problem = problem
        self.receipt = receipt
    }
}

public struct JobsAnswer: Codable, Sendable {
    public let jobs: [JobAnswer]

    public init(jobs: [JobAnswer]) { self.jobs = jobs }
}

/// A report by a client that keeps a copy of the house.
public struct ReplicaBody: WireFormat.Body, Encodable, Sendable {
    /// People at once.
    public static let maxConfirmations = 100

    /// The erased people and guests of whom this client keeps nothing any more.
    public var confirmed: [String]

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case confirmed
    }

    public init(confirmed: [String]) { self.confirmed = confirmed }
}

/// Every erased person and guest, by id.
public struct ErasedAnswer: Codable, Sendable {
    public let erased: [String]

    public init(erased: [String]) { self.erased = erased }
}
