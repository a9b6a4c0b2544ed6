import CardeaModel
import Foundation
import Testing

@Suite("Gate compared with an independent implementation")
struct GatePropertyTests {
    @Test("The gate and the reference decide random grants, requests and times alike")
    func agrees() {
        var random = SeededGenerator.forTest(20_261_121)
        var tally: [String: Int] = [:]
        for round in 0..<TestRepetitions.of(20_000, full: 100_000) {
            let (grant, request, now, zone) = Self.scene(&random)
            let naive = ReferenceGate.answer(request, grant, now, zone)
            let real = Gate.decide(request, by: grant, at: now, zone: zone)
            let spoken: ReferenceGate.Answer =
                switch real {
                case .allow: .yes
                case .ask: .ask
                case .deny(let refusal): .no(refusal.name)
                }
            if spoken != naive {
                Issue.record(
                    """
                    seed \(random.seed), round \(round): the gate says \(spoken), the neighbour \(naive), of \(grant) \(request) \(now) \
                    \(zone.identifier)
                    """)
                return
            }
            let explained = Gate.explain(request, by: grant, at: now, zone: zone).first { !$0.passed }?.refusal
            if case .deny(let refusal) = real {
                #expect(explained == refusal, "seed \(random.seed), round \(round)")
            } else {
                #expect(explained == nil, "seed \(random.seed), round \(round)")
            }
            tally["\(naive)", default: 0] += 1
        }
        // Every result occurred often enough to mean something.
        #expect(tally.count >= 15, "only \(tally.count) kinds of answers: \(tally), seed \(random.seed)")
        let least = TestRepetitions.of(4, full: 20)
        for (answer, count) in tally { #expect(count >= least, "\(answer) was met \(count) times only, seed \(random.seed)") }
    }

    @Test("A refusal by device name alone holds for every request")
    func reach() {
        var random = SeededGenerator.forTest(25)
        var refused: [String: Int] = [:]
        for _ in 0..<20_000 {
            var (grant, request, now, zone) = Self.scene(&random)
            // Every third one is a program's, for one of the two devices.
            if Int.random(in: 0..<3, using: &random) == 0 {
                grant.only = [Grant.Item(deviceID: "a", entityID: "e1", verbs: [.unlock])]
            }
            guard let refusal = Gate.deviceRefusal(request.deviceID, by: grant, at: now) else { continue }
            refused[refusal.name, default: 0] += 1
            // A used-up pass may still be read; opening is checked elsewhere.
            guard request.risk > .read else { continue }
            guard case .deny = Gate.decide(request, by: grant, at: now, zone: zone) else {
                Issue.record(
                    """
                    \(refusal) stands before everything of \(request.deviceID), and yet \(request) is let through by \(grant), \
                    seed \(random.seed)
                    """)
                return
            }
        }
        for reason in ["role_lacks_right", "device_not_in_scope", "no_grant", "revoked", "expired", "used_up", "suspended"] {
            #expect(refused[reason, default: 0] > 20, "\(reason) was met \(refused[reason, default: 0]) times, seed \(random.seed)")
        }
    }

    private static func scene(_ random: inout SeededGenerator) -> (Grant, Gate.Request, Date, TimeZone) {
        let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns", "UTC"]
        let zone = TimeZone(identifier: zones.randomElement(using: &random) ?? "UTC") ?? .gmt
        // Half of the times are within two days of a clock change.
        let base = Date(timeIntervalSince1970: Double(Int.random(in: 1_767_225_600..<1_830_297_600, using: &random)))
        let now: Date =
            Bool.random(using: &random)
            ? base
            : (zone.nextDaylightSavingTimeTransition(after: base) ?? base).addingTimeInterval(
                Double(Int.random(in: -172_800...172_800, using: &random)))
        func rarely<Value>(_ value: Value, else other: Value, _ random: inout SeededGenerator) -> Value {
            Int.random(in: 0..<12, using: &random) == 0 ? value : other
        }
        let ids = ["a", "b"]
        let verbs: [Verb] = [.unlock, .lock, .read]
        let verb = verbs.randomElement(using: &random) ?? .read
        let request = Gate.Request(
            deviceID: ids.randomElement(using: &random) ?? "a", entityID: rarely("e2", else: "e1", &random), verb: verb,
            risk: verb == .unlock ? .open : verb == .lock ? .control : .read, isSecurityDevice: Bool.random(using: &random),
            isGuestAccessible: rarely(false, else: true, &random), isLocal: Bool.random(using: &random))
        if Int.random(in: 0..<8, using: &random) == 0 {
            let role = Role.allCases.randomElement(using: &random) ?? .guest
            return (Grant(id: "r", scope: .role(role, disabled: rarely(true, else: false, &random))), request, now, zone)
        }
        let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            Grant.Item(
                deviceID: ids.randomElement(using: &random) ?? "a", entityID: rarely("e2", else: "e1", &random),
                verbs: Set(verbs.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))))
        }
        let moment = { (random: inout SeededGenerator) in
            now.addingTimeInterval(Double([-7200, -1, 0, 1, 7200].randomElement(using: &random) ?? 0))
        }
        let lines = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            WeeklySchedule.Window(
                days: Set(Weekday.allCases.shuffled(using: &random).prefix(Int.random(in: 2...7, using: &random))), from: time(&random),
                to: time(&random))
        }
        let limit = Int.random(in: 0...2, using: &random)
        return (
            Grant(
                id: "g", scope: .list(items), startsAt: rarely(moment(&random), else: nil, &random),
                expiresAt: rarely(moment(&random), else: now.addingTimeInterval(60), &random),
                schedule: Bool.random(using: &random) ? WeeklySchedule(lines: lines) : nil, useLimit: limit,
                useCount: limit == 0 ? 5 : rarely(limit, else: 0, &random), isApproved: rarely(false, else: true, &random),
                rejectedAt: rarely(now, else: nil, &random), asksEachTime: rarely(true, else: false, &random),
                localOnly: rarely(true, else: false, &random), suspendedAt: rarely(now, else: nil, &random),
                revokedAt: rarely(now, else: nil, &random)), request, now, zone
        )
    }

    private static func time(_ random: inout SeededGenerator) -> TimeOfDay {
        let minutes = Int.random(in: 0..<96, using: &random) * 15
        let text = String(format: "%02d:%02d", minutes / 60, minutes % 60)
        return TimeOfDay(text) ?? TimeOfDay.midnight
    }
}

extension TimeOfDay {
    static var midnight: TimeOfDay {
        guard let midnight = TimeOfDay("00:00") else { preconditionFailure("00:00 is a time") }
        return midnight
    }
}
