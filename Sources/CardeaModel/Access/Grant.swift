import Foundation

/// The permissions of one principal: which actions on which devices, when, how often, and with which proof of presence. Residents' roles
/// and guests' passes are both grants; the gate knows nothing else.
public struct Grant: Hashable, Sendable {
    public let id: String
    public var scope: Scope
    /// Limits the scope to these items: a program's token narrows its maker's role. nil narrows nothing.
    public var only: [Item]?
    public var startsAt: Date?
    public var expiresAt: Date?
    public var schedule: WeeklySchedule?
    /// 0 is no limit.
    public var useLimit: Int
    public var useCount: Int
    /// The first phone that takes the pass must be approved; false until then.
    public var isApproved: Bool
    public var rejectedAt: Date?
    /// True if a person in the house must approve every use.
    public var asksEachTime: Bool
    /// Only from the house's own network.
    public var localOnly: Bool
    public var suspendedAt: Date?
    public var revokedAt: Date?

    /// True if the grant has a start, an end or a weekly schedule.
    public var isTimed: Bool { startsAt != nil || expiresAt != nil || schedule != nil }

    public enum Scope: Hashable, Sendable {
        /// A resident's role: every device, as far as the role goes.
        case role(Role, disabled: Bool)
        /// A pass: exactly this list.
        case list([Item])
    }

    /// One entity and what may be done with it.
    public struct Item: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String
        public let verbs: Set<Verb>

        public init(deviceID: String, entityID: String, verbs: Set<Verb>) {
            self.deviceID = deviceID
            self.entityID = entityID
            self.verbs = verbs
        }
    }

    public init(
        id: String, scope: Scope, startsAt: Date? = nil, expiresAt: Date? = nil, schedule: WeeklySchedule? = nil, useLimit: Int = 0,
        useCount: Int = 0, isApproved: Bool = true, rejectedAt: Date? = nil, asksEachTime: Bool = false, localOnly: Bool = false,
        suspendedAt: Date? = nil, revokedAt: Date? = nil, only: [Item]? = nil
    ) {
        self.id = id
        self.scope = scope
        self.only = only
        self.startsAt = startsAt
        self.expiresAt = expiresAt
        self.schedule = schedule
        self.useLimit = useLimit
        self.useCount = useCount
        self.isApproved = isApproved
        self.rejectedAt = rejectedAt
        self.asksEachTime = asksEachTime
        self.localOnly = localOnly
        self.suspendedAt = suspendedAt
        self.revokedAt = revokedAt
    }
}
