import CardeaMind
import CardeaModel
import Foundation

/// Thirty days at the doors of a house, decided by the gate like in the hub: uses are reserved and returned, passes expire, are suspended,
/// resumed and revoked, people change their roles, a device is flagged, and the clocks change in the middle of it.
struct GeneratedAccessMonth {
    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    /// 2026-03-14 00:00 in Berlin; clocks go forward on the 29th.
    static let start = Date(timeIntervalSince1970: 1_773_442_800)
    static let days = 30

    var attempts: [AccessReplay.Attempt] = []
    var events: [HouseEvent] = []
    var circumstances: [String: AccessReplay.AttemptContext] = [:]
    var rules: AccessReplay.Rules

    static func day(_ number: Double) -> Date { start + number * 86_400 }

    static func device(_ id: String, _ kind: EntityKind, deviceClass: String? = nil, isSecurity: Bool = false, forGuests: Bool = true)
        -> Device
    {
        Device(
            id: id, name: id, deviceClass: .other, integration: "generated", isSecurityDevice: isSecurity, isGuestAccessible: forGuests,
            stateChangedAt: start,
            entities: [Entity(id: "\(kind.rawValue).\(id)", kind: kind, name: id, deviceClass: deviceClass, verbs: kind.verbs)])
    }

    static let devices = [
        device("front", .lock), device("back", .lock), device("cellar", .lock, forGuests: false),
        device("garage", .cover, deviceClass: "garage"), device("safe", .lock, isSecurity: true), device("lamp", .light),
    ]

    static func time(_ text: String) -> TimeOfDay {
        guard let time = TimeOfDay(text) else { preconditionFailure("\(text) is no time") }
        return time
    }

    private static func item(_ id: String, _ verbs: Set<Verb>) -> Grant.Item {
        let device = devices.first { $0.id == id }
        return Grant.Item(deviceID: id, entityID: device?.entities.first?.id ?? "", verbs: verbs)
    }

    /// The grants at the beginning, and the times at which they change.
    static func grants(_ dice: inout SeededHouseGenerator) -> [String: AccessReplay.Timeline<Grant>] {
        typealias Past = AccessReplay.Timeline<Grant>
        var grants: [String: Past] = [
            "person:ada": Past(Grant(id: "role:ada", scope: .role(.owner, disabled: false))),
            "person:ben": Past(Grant(id: "role:ben", scope: .role(.member, disabled: false))),
            // Made an admin after ten days, and a member again after twenty.
            "person:cleo": Past(steps: [
                .init(from: .distantPast, value: Grant(id: "role:cleo", scope: .role(.member, disabled: false))),
                .init(from: day(10), value: Grant(id: "role:cleo", scope: .role(.admin, disabled: false))),
                .init(from: day(20), value: Grant(id: "role:cleo", scope: .role(.member, disabled: false))),
            ]),
            "token:7:ada": Past(
                Grant(id: "token:7", scope: .role(.owner, disabled: false), only: [item("lamp", [.on, .off]), item("front", [.lock])])),
        ]
        let schedules: [WeeklySchedule?] = [
            nil, WeeklySchedule(lines: [.init(days: Set(Weekday.allCases), from: time("08:00"), to: time("18:00"))]),
            WeeklySchedule(lines: [.init(days: [.fri, .sat, .sun], from: time("22:00"), to: time("03:00"))]),
            WeeklySchedule(lines: [.init(days: [.sun], from: time("01:30"), to: time("02:30"))]),
        ]
        for number in 0..<12 {
            let locks = item(["front", "back", "cellar"][number % 3], [.lock, .unlock])
            var grant = Grant(
                id: "g\(number)", scope: .list([locks, item("garage", [.open, .close]), item("lamp", [.on])]),
                startsAt: number % 4 == 1 ? day(2.5) : nil, expiresAt: day(number % 5 == 0 ? 21.3 : 60), schedule: schedules[number % 4],
                useLimit: [0, 40, 0, 15, 200, 3][number % 6], asksEachTime: number % 7 == 6, localOnly: number % 6 == 2)
            var steps = [Past.Step(from: .distantPast, value: grant)]
            if number == 4 || number == 9 {
                grant.suspendedAt = day(8)
                steps.append(.init(from: day(8), value: grant))
                grant.suspendedAt = nil
                steps.append(.init(from: day(12.25), value: grant))
            }
            if number == 3 || number == 8 {
                // The earlier step knows the later time too, as in a store that has only the present state.
                steps = steps.map { step in
                    var step = step
                    step.value.revokedAt = day(17.5)
                    return step
                }
            }
            if number == 10 {
                steps[0].value.isApproved = false
                var approved = steps[0].value
                approved.isApproved = true
                steps.append(.init(from: day(1), value: approved))
            }
            grants["guest:g\(number)"] = Past(steps: steps)
        }
        return grants
    }

    init(perDay: Int, seed: UInt64) {
        var dice = SeededHouseGenerator(seed)
        let grants = Self.grants(&dice)
        var devices = Dictionary(uniqueKeysWithValues: Self.devices.map { ($0.id, AccessReplay.Timeline($0)) })
        var flagged = Self.devices[1]
        flagged.isSecurityDevice = true
        devices["back"] = AccessReplay.Timeline(steps: [
            .init(from: .distantPast, value: Self.devices[1]), .init(from: Self.day(15), value: flagged),
        ])
        var before: [String: Int] = [:]
        for key in grants.keys.sorted() where key.hasPrefix("guest:") { before[key] = Int.random(in: 0...2, using: &dice) }
        rules = AccessReplay.Rules(zone: Self.zone, grants: grants, usesBefore: before, devices: devices)
        decide(perDay: perDay, &dice)
    }

    private mutating func decide(perDay: Int, _ dice: inout SeededHouseGenerator) {
        let actors = rules.grants.keys.sorted()
        var uses = rules.usesBefore
        var returns: [(at: Date, actor: String)] = []
        let moments = (0..<(perDay * Self.days)).map { _ in
            Self.start + Double(Int.random(in: 0..<(Self.days * 86_400_000), using: &dice)) / 1000
        }
        for (number, at) in moments.sorted().enumerated() {
            for back in returns where back.at <= at { uses[back.actor, default: 0] -= 1 }
            returns.removeAll { $0.at <= at }
            let actor = actors.randomElement(using: &dice) ?? ""
            let id = Self.devices.randomElement(using: &dice)?.id ?? ""
            guard let device = rules.devices[id]?.steps.last(where: { $0.from <= at })?.value, let entity = device.entities.first,
                let verb = entity.verbs.sorted(by: { $0.rawValue < $1.rawValue }).randomElement(using: &dice).flatMap(entity.resolve),
                var grant = rules.grants[actor]?.steps.last(where: { $0.from <= at })?.value
            else { continue }
            // The hub's state at that moment.
            if let revokedAt = grant.revokedAt, revokedAt > at { grant.revokedAt = nil }
            grant.useCount = uses[actor] ?? 0
            let isLocal = Int.random(in: 0..<3, using: &dice) > 0
            let request = Gate.Request(verb, on: entity, of: device, isLocal: isLocal)
            var (status, refusal, endedAt, wasReturned): (CommandStatus, String?, Date?, Bool?) = (.confirmed, nil, at + 1.5, nil)
            let decision = Gate.decide(request, by: grant, at: at, zone: Self.zone)
            if case .deny(let reason) = decision {
                (status, refusal, endedAt) = (.failed, reason.name, nil)
            } else {
                switch Int.random(in: 0..<20, using: &dice) {
                case 0: (status, refusal, endedAt) = (.failed, "device_unreachable", nil)
                case 1: (status, endedAt, wasReturned) = (.expired, at + (decision == .ask ? 120 : 10), true)
                case 2: (status, endedAt, wasReturned) = (.failed, at + 4, Bool.random(using: &dice))
                case 3: (status, endedAt) = (.unknown, at + 10)
                default: if decision == .ask { endedAt = at + 40 }
                }
                if refusal == nil, actor.hasPrefix("guest:") {
                    uses[actor, default: 0] += 1
                    if let endedAt, wasReturned == true { returns.append((endedAt, actor)) }
                }
            }
            let name = "happening_\(1000 + number * 2)"
            attempts.append(
                AccessReplay.Attempt(
                    id: name, at: at, endedAt: endedAt, actor: actor, deviceID: id, entityID: entity.id, verb: verb, status: status,
                    refusal: refusal, isLocal: isLocal, wasReturned: wasReturned))
            write(name, number, isLocal, wasReturned)
        }
    }

    /// The attempt as in the journal: refused at once, or accepted and finished later.
    private mutating func write(_ name: String, _ number: Int, _ isLocal: Bool, _ wasReturned: Bool?) {
        guard let attempt = attempts.last else { return }
        func event(_ id: String, _ at: Date, _ status: CommandStatus) -> HouseEvent {
            HouseEvent(
                id: id, at: at, deviceID: attempt.deviceID, entityID: attempt.entityID, actor: attempt.actor,
                fact: .command(attempt.verb, status, refusal: attempt.refusal))
        }
        circumstances[name] = .init(isLocal: isLocal, wasReturned: wasReturned)
        guard let endedAt = attempt.endedAt else { return events.append(event(name, attempt.at, attempt.status)) }
        events.append(event(name, attempt.at, .accepted))
        events.append(event("happening_\(1001 + number * 2)", endedAt, attempt.status))
    }
}
