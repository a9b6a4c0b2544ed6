import CardeaModel
import Foundation

extension AccessReplay {
    /// A value over time, in steps. It is unknown before the first step.
    public struct Timeline<Value: Hashable & Sendable>: Hashable, Sendable {
        public struct Step: Hashable, Sendable {
            public let from: Date
            public var value: Value

            public init(from: Date, value: Value) {
                self.from = from
                self.value = value
            }
        }

        public private(set) var steps: [Step]

        public init(steps: [Step]) {
            self.steps = steps.sorted { $0.from < $1.from }
        }

        /// A value that was always the same.
        public init(_ value: Value) {
            steps = [Step(from: .distantPast, value: value)]
        }

        public func value(at moment: Date) -> Value? { steps.last { $0.from <= moment }?.value }

        /// The same steps, with the change applied to every one of them.
        public func changed(_ change: (inout Value) -> Void) -> Timeline {
            var past = self
            for place in past.steps.indices { change(&past.steps[place].value) }
            return past
        }
    }

    /// The input of the gate: the grants and the flags of the devices, at every time and not only now. All of it is values.
    ///
    /// A pass that was revoked, rejected or suspended in the meantime shows that by its own dates. Approval, resumption, other hours and
    /// other roles have no dates: they are steps of its timeline, and if a step is missing, the later value is used for the earlier
    /// time.
    public struct Rules: Hashable, Sendable {
        public var zone: TimeZone
        /// By actor: `person:{id}`, `guest:{id}`, `token:{id}:{person}`, `integration:{name}`.
        public var grants: [String: Timeline<Grant>]
        /// The uses of a pass before the replay begins; absent if unknown. Not needed for a pass without a limit.
        public var usesBefore: [String: Int]
        public var devices: [String: Timeline<Device>]

        public init(
            zone: TimeZone, grants: [String: Timeline<Grant>], usesBefore: [String: Int] = [:], devices: [String: Timeline<Device>]
        ) {
            self.zone = zone
            self.grants = grants
            self.usesBefore = usesBefore
            self.devices = devices
        }

        /// Uses the present rules for all of the past, if no history of them was recorded.
        public init(zone: TimeZone, grants: [String: Grant], usesBefore: [String: Int] = [:], devices: [Device]) {
            self.init(
                zone: zone, grants: grants.mapValues { Timeline($0) }, usesBefore: usesBefore,
                devices: Dictionary(devices.map { ($0.id, Timeline($0)) }, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// A change to the access rules, as if it had always been in force.
    public enum RuleChange: Hashable, Sendable {
        /// Other hours for a pass; nil for no restriction.
        case schedule(of: String, WeeklySchedule?)
        case useLimit(of: String, Int)
        case expiry(of: String, Date?)
        case asksEachTime(of: String, Bool)
        case localOnly(of: String, Bool)
        case items(of: String, [Grant.Item])
        case revoked(String, from: Date)
        case role(of: String, Role)
        case securityDevice(String, Bool)
        case guestAccessible(String, Bool)

        /// The actor whose grant it changes; nil for a device's flag.
        public var actor: String? {
            switch self {
            case .schedule(let actor, _), .useLimit(let actor, _), .expiry(let actor, _), .asksEachTime(let actor, _),
                .localOnly(let actor, _), .items(let actor, _), .revoked(let actor, _), .role(let actor, _):
                actor
            case .securityDevice, .guestAccessible: nil
            }
        }

        public var deviceID: String? {
            switch self {
            case .securityDevice(let device, _), .guestAccessible(let device, _): device
            default: nil
            }
        }
    }
}

extension AccessReplay.Rules {
    public func changed(by change: AccessReplay.RuleChange) -> AccessReplay.Rules {
        var rules = self
        if let actor = change.actor {
            rules.grants[actor] = rules.grants[actor]?.changed { Self.apply(change, to: &$0) }
        }
        if let device = change.deviceID {
            rules.devices[device] = rules.devices[device]?.changed { device in
                switch change {
                case .securityDevice(_, let flag): device.isSecurityDevice = flag
                case .guestAccessible(_, let flag): device.isGuestAccessible = flag
                default: break
                }
            }
        }
        return rules
    }

    private static func apply(_ change: AccessReplay.RuleChange, to grant: inout Grant) {
        switch change {
        case .schedule(_, let schedule): grant.schedule = schedule
        case .useLimit(_, let limit): grant.useLimit = max(limit, 0)
        case .expiry(_, let moment): grant.expiresAt = moment
        case .asksEachTime(_, let asks): grant.asksEachTime = asks
        case .localOnly(_, let only): grant.localOnly = only
        case .items(_, let items): if case .list = grant.scope { grant.scope = .list(items) }
        case .revoked(_, let moment): grant.revokedAt = min(grant.revokedAt ?? moment, moment)
        case .role(_, let role): if case .role(_, let disabled) = grant.scope { grant.scope = .role(role, disabled: disabled) }
        case .securityDevice, .guestAccessible: break
        }
    }
}

extension Grant {
    /// The grant as it was at a moment, without later decisions on it.
    func snapshot(at moment: Date) -> Grant {
        var grant = self
        if let revokedAt, moment < revokedAt { grant.revokedAt = nil }
        if let rejectedAt, moment < rejectedAt { grant.rejectedAt = nil }
        if let suspendedAt, moment < suspendedAt { grant.suspendedAt = nil }
        return grant
    }
}
