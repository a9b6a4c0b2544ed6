import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Device twin: reported and desired state")
struct TwinTests {
    private static let start = Date(timeIntervalSince1970: 1_770_000_000)

    private func lamp(
        _ word: String = "off", brightness: Double? = nil, status: DeviceStatus = .online, revision: Int = 1, at seconds: Double = 0
    ) -> Device {
        Device(
            id: "hall-lamp", name: "Hall lamp", deviceClass: .light, integration: "zigbee", status: status, revision: revision,
            stateChangedAt: Self.start + seconds,
            entities: [
                Entity(
                    id: "light.hall", kind: .light, name: "Lamp", verbs: [.on, .off, .setBrightness, .setColor],
                    state: EntityState(word, attributes: brightness.map { ["brightness": .number($0)] } ?? [:]))
            ])
    }

    private func commandEvent(_ verb: Verb, _ status: CommandStatus, at seconds: Double, refusal: String? = nil) -> HouseEvent {
        HouseEvent(
            id: "happening_\(Int(seconds))", at: Self.start + seconds, deviceID: "hall-lamp", entityID: "light.hall", actor: "person:ada",
            fact: .command(verb, status, refusal: refusal))
    }

    private func stateEvent(_ word: String, at seconds: Double) -> HouseEvent {
        HouseEvent(id: "happening_s", at: Self.start + seconds, deviceID: "hall-lamp", entityID: "light.hall", fact: .state(word))
    }

    @Test("A request is pending until the device reports it, then synchronized")
    func askedAndSaid() {
        var twin = Twin(of: lamp(), at: Self.start)
        #expect(twin.status(at: Self.start) == .synchronized)

        twin.update(commandEvent(.on, .accepted, at: 1))
        twin.update(commandEvent(.on, .dispatching, at: 2))

        #expect(twin.status(at: Self.start + 3) == .syncing)
        #expect(twin.pending(at: Self.start + 3).map(\.since) == [Self.start + 1])
        #expect(twin.divergence(at: Self.start + 3) == 1)
        #expect(twin.divergingKeys(at: Self.start + 3) == ["light.hall/state"])

        twin.update(stateEvent("on", at: 4))

        #expect(twin.status(at: Self.start + 5) == .synchronized)
        #expect(twin.pending(at: Self.start + 5).isEmpty)
        #expect(twin.reported["light.hall"]?.at == Self.start + 4)
    }

    @Test("A request that is not reported in time is no longer pending")
    func expiry() {
        var twin = Twin(of: lamp(), at: Self.start)
        twin.update(commandEvent(.on, .dispatching, at: 1))

        #expect(twin.status(at: Self.start + Twin.reportTimeout) == .syncing)
        #expect(twin.status(at: Self.start + 2 + Twin.reportTimeout) == .synchronized)
        #expect(twin.divergence(at: Self.start + 2 + Twin.reportTimeout) == 0)

        twin.expire(at: Self.start + 2 + Twin.reportTimeout)
        #expect(twin.desired.isEmpty)
    }

    @Test("Failed, refused and expired requests are dropped; uncertain ones stay")
    func endings() {
        for status in [CommandStatus.failed, .expired] {
            var twin = Twin(of: lamp(), at: Self.start)
            twin.update(commandEvent(.on, .accepted, at: 1))
            twin.update(commandEvent(.on, status, at: 2))
            #expect(twin.desired.isEmpty && twin.status(at: Self.start + 3) == .synchronized)
        }
        var refused = Twin(of: lamp(), at: Self.start)
        refused.update(commandEvent(.on, .failed, at: 1, refusal: "suspended"))
        #expect(refused.desired.isEmpty)

        var unsure = Twin(of: lamp(), at: Self.start)
        unsure.update(commandEvent(.on, .dispatching, at: 1))
        unsure.update(commandEvent(.on, .unknown, at: 11))
        #expect(unsure.status(at: Self.start + 12) == .syncing)
    }

    @Test("An offline device keeps its reported and desired state; a different state on return wins")
    func offlineAndBack() {
        var twin = Twin(of: lamp("on", brightness: 80, revision: 1), at: Self.start)
        twin.request(.setBrightness, value: 40, of: "light.hall", at: Self.start + 1, until: Self.start + 100)
        twin.update(
            HouseEvent(id: "happening_9", at: Self.start + 2, deviceID: "hall-lamp", fact: .deviceStatus(.offline)))

        #expect(twin.status(at: Self.start + 3) == .outOfSync)
        #expect(twin.reported["light.hall"]?.state.value == "on")
        #expect(twin.pending(at: Self.start + 3).count == 1)
        #expect(twin.divergence(at: Self.start + 3) == 0.5)

        twin.update(lamp("on", brightness: 10, revision: 5, at: 20), at: Self.start + 20)

        #expect(twin.status(at: Self.start + 21) == .syncing)
        #expect(twin.divergence(at: Self.start + 21) == 0.75)
        #expect(twin.status(at: Self.start + 101) == .synchronized)
        #expect(twin.reported["light.hall"]?.state.attributes["brightness"] == 10)
    }

    @Test("A manual change after a confirmed command is no divergence")
    func overtaken() {
        var twin = Twin(of: lamp(), at: Self.start)
        twin.update(commandEvent(.on, .dispatching, at: 1))
        twin.update(stateEvent("on", at: 2))
        twin.update(commandEvent(.on, .confirmed, at: 2))

        twin.update(stateEvent("off", at: 50))

        #expect(twin.status(at: Self.start + 51) == .synchronized)
        #expect(twin.desired.isEmpty)
    }

    @Test("Rounding and extra color fields are no divergence")
    func rounding() {
        var twin = Twin(of: lamp("on", brightness: 6), at: Self.start)
        twin.request(.setBrightness, value: 5, of: "light.hall", at: Self.start, until: nil)
        #expect(twin.divergence(at: Self.start) == 0)

        var coloured = lamp("on", revision: 2, at: 1)
        coloured.entities[0].state.attributes["color"] = ["hue": 359, "saturation": 50, "name": "red"]
        twin.request(.setColor, value: ["hue": 120, "saturation": 50], of: "light.hall", at: Self.start + 1, until: nil)
        twin.update(coloured, at: Self.start + 1)
        #expect(twin.divergingKeys(at: Self.start + 2).contains("light.hall/color.hue"))
        #expect(!twin.divergingKeys(at: Self.start + 2).contains("light.hall/color.name"))
    }

    @Test("A late report changes nothing")
    func late() {
        var twin = Twin(of: lamp("on", revision: 7, at: 100), at: Self.start + 100)
        twin.update(stateEvent("off", at: 50))
        twin.update(lamp("off", revision: 3, at: 60), at: Self.start + 101)
        #expect(twin.reported["light.hall"]?.state.value == "on")
    }

    @Test("A planned twin gains a real device; a removed device leaves its shadow")
    func plansAndPartings() {
        var twin = Twin(planned: "hall-lamp", name: "A lamp for the hall", entities: lamp().entities)
        twin.request(.on, of: "light.hall", at: Self.start, until: nil)
        #expect(twin.status(at: Self.start) == .noRealDevice)
        #expect(twin.divergence(at: Self.start) == 0)
        #expect(twin.pending(at: Self.start).count == 1)

        twin.update(lamp("on", at: 10), at: Self.start + 10)
        #expect(twin.status(at: Self.start + 11) == .synchronized)

        twin.withdraw(at: Self.start + 20)
        #expect(twin.status(at: Self.start + 21) == .noRealDevice)
        #expect(twin.reported["light.hall"]?.state.value == "on")
        #expect(twin.desired.isEmpty)
    }

    @Test("A device error gives status error; an unknown or offline device is out of sync")
    func standings() {
        #expect(Twin(of: lamp(status: .error), at: Self.start).status(at: Self.start) == .error)
        #expect(Twin(of: lamp("unknown"), at: Self.start).status(at: Self.start) == .outOfSync)
        #expect(Twin(of: lamp(status: .offline), at: Self.start).status(at: Self.start) == .outOfSync)
    }

    @Test("A twin of an offline device keeps its last report with its time and its confirmed commands")
    func away() {
        var twin = Twin(of: lamp("on", brightness: 40), at: Self.start)
        twin.update(commandEvent(.on, .accepted, at: 1))
        twin.update(commandEvent(.on, .confirmed, at: 2))
        var away = lamp("unknown", status: .unknown, revision: 2, at: 60)
        away.entities[0].lastReport = LastReport(EntityState("on", attributes: ["brightness": 40]), at: Self.start)

        twin.update(away, at: Self.start + 60)

        let report = twin.reported["light.hall"]
        #expect(report?.state.value == "unknown" && report?.last == EntityState("on", attributes: ["brightness": 40]))
        #expect(report?.at == Self.start && twin.lastReportedAt == Self.start)
        #expect(twin.status(at: Self.start + 61) == .outOfSync && twin.divergence(at: Self.start + 61) == 0)

        twin.update(lamp("on", brightness: 40, revision: 3, at: 90), at: Self.start + 90)
        #expect(twin.status(at: Self.start + 91) == .synchronized && twin.reported["light.hall"]?.last == nil)
    }

    @Test("A twin that sees only the outage keeps the last report")
    func silence() {
        var twin = Twin(of: lamp("on"), at: Self.start)
        twin.update(stateEvent("unknown", at: 10))
        twin.update(stateEvent("unavailable", at: 20))
        #expect(twin.reported["light.hall"]?.last?.value == "on" && twin.reported["light.hall"]?.at == Self.start)
        twin.update(stateEvent("off", at: 30))
        #expect(twin.reported["light.hall"]?.last == nil && twin.reported["light.hall"]?.state.value == "off")
    }

    @Test("Twin capabilities follow the fidelity level and the thermal model")
    func capabilities() throws {
        let room = GeneratedRoom(tau: 20, rate: 2)
        let model = try ThermalTwin(GeneratedRoom.SimulatedSensor().read(room.minutes(days: 7, seed: 1), seed: 1))

        #expect(Twin(of: lamp(), fidelity: .basic, at: Self.start).capabilities == [.reported])
        #expect(!Twin(of: lamp(), fidelity: .expert, at: Self.start).capabilities.contains(.prediction))
        #expect(Twin(of: lamp(), fidelity: .expert, model: model, at: Self.start).capabilities == Set(TwinCapability.allCases))
    }

    @Test("Twin history lists each report once")
    func history() {
        let events = [
            stateEvent("on", at: 9), stateEvent("off", at: 1), stateEvent("off", at: 3), commandEvent(.on, .confirmed, at: 8),
        ]
        #expect(Twin.history(of: "light.hall", in: events).map(\.state) == ["off", "on"])
    }

    @Test("Divergence is symmetric, between 0 for equal and 1 for disjoint states")
    func divergence() {
        #expect(TwinDivergence.between(["a": 100, "b": "on"], ["a": 101, "b": "on"]) == 0)
        #expect(TwinDivergence.between(["a": 100, "b": "on"], ["a": 50, "b": "on"]) == 0.25)
        #expect(TwinDivergence.between(["a": 1], ["b": 1]) == 1)
        #expect(TwinDivergence.between(["hue": 359], ["hue": 1]) == 0)

        var dice = SeededHouseGenerator(TestSeed.value(3))
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &dice) {
            case 0: .number([0, 1, -1, 20.5, 1e308, -1e308, .nan, .infinity].randomElement(using: &dice) ?? 0)
            case 1: .string(["on", "off", ""].randomElement(using: &dice) ?? "")
            case 2: .bool(Bool.random(using: &dice))
            case 3: .null
            case 4: .array([1, "x"])
            default: .object(["hue": value(depth - 1), "k": value(depth - 1)])
            }
        }
        for _ in 0..<3000 {
            let (one, other) = (["a": value(2), "b": value(2)], ["a": value(2), "c": value(2)])
            let apart = TwinDivergence.between(one, other)
            #expect((0...1).contains(apart), "seed \(dice.seed)")
            #expect(apart == TwinDivergence.between(other, one), "seed \(dice.seed)")
            #expect(TwinDivergence.keys(one, other).isEmpty == (apart == 0), "seed \(dice.seed)")
        }
    }

    @Test("Any event order keeps the twin's invariants")
    func fuzzed() {
        var dice = SeededHouseGenerator(TestSeed.value(5))
        let statuses = DeviceStatus.allCases
        for _ in 0..<400 {
            var twin =
                Bool.random(using: &dice)
                ? Twin(of: lamp(), at: Self.start) : Twin(planned: "hall-lamp", name: "?", entities: lamp().entities)
            var latest = twin.lastReportedAt ?? .distantPast
            for _ in 0..<30 {
                let at = Double.random(in: -100...1000, using: &dice)
                switch Int.random(in: 0..<6, using: &dice) {
                case 0: twin.update(stateEvent(["on", "off", "unknown", ""].randomElement(using: &dice) ?? "", at: at))
                case 1:
                    twin.update(
                        commandEvent(
                            Verb.allCases.randomElement(using: &dice) ?? .on, CommandStatus.allCases.randomElement(using: &dice) ?? .failed,
                            at: at))
                case 2:
                    twin.update(
                        lamp(
                            ["on", "off"].randomElement(using: &dice) ?? "on", brightness: Double.random(in: 0...100, using: &dice),
                            status: statuses.randomElement(using: &dice) ?? .online, revision: Int.random(in: 0...9, using: &dice), at: at),
                        at: Self.start + at)
                case 3:
                    twin.request(
                        Verb.allCases.randomElement(using: &dice) ?? .on, value: Bool.random(using: &dice) ? 50 : nil, of: "light.hall",
                        at: Self.start + at, until: Bool.random(using: &dice) ? Self.start + at + 10 : nil)
                case 4: twin.expire(at: Self.start + at)
                default:
                    twin.update(
                        HouseEvent(
                            id: "h", at: Self.start + at, deviceID: "hall-lamp",
                            fact: .deviceStatus(statuses.randomElement(using: &dice) ?? .online)))
                }
                let now = Self.start + at
                #expect((0...1).contains(twin.divergence(at: now)))
                #expect(twin.pending(at: now).allSatisfy { twin.desired[$0.entityID]?.contains($0.desired) == true })
                #expect(twin.lastReportedAt.map { $0 >= latest } ?? true)
                if twin.status(at: now) == .synchronized { #expect(twin.pending(at: now).isEmpty && twin.divergence(at: now) == 0) }
                latest = max(latest, twin.lastReportedAt ?? .distantPast)
            }
        }
    }
}
