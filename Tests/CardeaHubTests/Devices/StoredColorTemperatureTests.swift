import CardeaAutomations
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

// A lamp's limits became known with an upgrade, and the scene that had lit the desk every morning ended as `invalid_value`.
@Suite("A stored color temperature outside the lamp's range is clamped to the nearest", .timeLimit(.minutes(5)))
struct StoredColorTemperatureTests {
    private static let cold = CommandBatches.Item(deviceID: "desk", action: "set_color", value: ["temperature": 6500])
    private static let warm = CommandBatches.Item(deviceID: "desk", action: "set_color", value: ["temperature": 1800])
    private static let action = DeviceAction(deviceID: "desk", verb: .setColor, value: ["temperature": 6500])

    /// A lamp with an unknown white range.
    private func lamp(in house: TestHouse) async throws {
        let light = Entity(id: "light.desk", kind: .light, name: "Light", verbs: [.on, .setColor], state: EntityState("on"))
        try await house.hub.devices.announce(
            Device(
                id: "desk", name: "Desk", deviceClass: .light, integration: "scripted", status: .online,
                stateChangedAt: house.clock.now, entities: [light]))
        house.doorBackend.set(.neverReports, at: "light.desk")
    }

    /// The lamp announces its white range.
    private func announceRange(_ whites: ClosedRange<Double>, in house: TestHouse) async throws {
        let attributes: [String: JSONValue] = [
            EntityState.warmestWhite: .number(whites.lowerBound), EntityState.coldestWhite: .number(whites.upperBound),
        ]
        try await house.hub.devices.report([EntityReport(entityID: "light.desk", state: EntityState("on", attributes: attributes))])
    }

    private func whites(askedOf house: TestHouse) -> [Double?] {
        house.doorBackend.backendCommands.map { $0.value?["temperature"]?.number }
    }

    @Test("Scenes and buttons use the nearest supported color temperature")
    func sceneAndButton() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await lamp(in: house)
            var scenes: [Scene] = []
            for item in [Self.cold, Self.warm] {
                let draft = Scenes.Draft(name: "Desk", icon: nil, actions: [item])
                scenes.append(try await house.hub.scenes.add(draft, by: owner, call: nil, origin: .house).0)
            }
            let bright = Buttons.Draft(title: "Cold", action: Self.cold)
            let button = try await house.hub.buttons.add(bright, by: owner, call: nil, origin: .house).0
            try await announceRange(2200...4000, in: house)

            for scene in scenes {
                let batch = try await house.hub.scenes.run(scene.id, by: owner, call: nil, origin: .house)
                _ = try await house.hub.batches.outcome(of: batch)
            }
            let pressed = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house)
            guard case .command(let command, _) = pressed else {
                Issue.record("not taken on")
                return
            }
            _ = try await house.hub.commands.outcome(of: command)

            #expect(whites(askedOf: house) == [4000, 2200, 4000])
            // The stored value is kept: with other limits, the lamp gets the original value.
            let first = try #require(scenes.first)
            #expect(try await house.hub.scenes.one(first.id, seenBy: owner).actions == [Self.action])
            try await announceRange(2200...7000, in: house)
            let batch = try await house.hub.scenes.run(first.id, by: owner, call: nil, origin: .house)
            _ = try await house.hub.batches.outcome(of: batch)
            #expect(whites(askedOf: house).last == 6500)
        }
    }

    // A button with such a value could not be renamed or disabled, nor a scene renamed, nor an automation enabled, since a replacement
    // contains all values.
    @Test("An item with a stored color temperature can be renamed and switched; a new value out of range is refused")
    func replaced() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await lamp(in: house)
            let (hub, origin) = (house.hub, RequestOrigin.house)
            var draft = Scenes.Draft(name: "Desk", icon: nil, actions: [Self.cold])
            let scene = try await hub.scenes.add(draft, by: owner, call: nil, origin: origin).0
            var wish = Buttons.Draft(title: "Cold", action: Self.cold)
            let button = try await hub.buttons.add(wish, by: owner, call: nil, origin: origin).0
            let rule = try await house.automation(
                AutomationDraft(name: "Work", triggers: [.presence(.lastLeaves)], actions: [.control(Self.action)]), by: owner)
            try await announceRange(2200...4000, in: house)

            draft.name = "Bright"
            (wish.title, wish.isEnabled) = ("Bright", false)
            let renamed = try await hub.scenes.replace(scene.id, with: draft, seen: .any, by: owner, origin: origin)
            let off = try await hub.buttons.replace(button.id, with: wish, seen: .any, by: owner, origin: origin)
            wish.isEnabled = true
            let on = try await hub.buttons.replace(button.id, with: wish, seen: .any, by: owner, origin: origin)
            var switched = AutomationDraft(rule)
            for isOn in [false, true] {
                switched.isOn = isOn
                let author = try await house.author(owner)
                _ = try await house.automations.replace(rule.id, with: switched, seen: .any, by: author)
            }

            #expect(renamed.name == "Bright" && renamed.actions == [Self.action])
            #expect(off.title == "Bright" && !off.isEnabled && on.isEnabled && on.action == Self.action && on.actionVersion == 1)
            let again = try await house.automations.one(rule.id)
            #expect(again.isOn && again.actions == [.control(Self.action)])
            // A new decision must be within the lamp's limits.
            draft.actions = [Self.warm]
            wish.behavior = .command(Self.warm)
            let (scenery, press) = (draft, wish)
            await #expect(throws: Scenes.SceneError.self) {
                try await hub.scenes.replace(scene.id, with: scenery, seen: .any, by: owner, origin: origin)
            }
            await #expect(throws: Buttons.ButtonError.self) {
                try await hub.buttons.replace(button.id, with: press, seen: .any, by: owner, origin: origin)
            }
            let warmer = AutomationAction.control(DeviceAction(deviceID: "desk", verb: .setColor, value: ["temperature": 1800]))
            #expect(
                try await hub.automationGateway.firstRefusal(to: [warmer], previous: again.actions, by: owner, origin: origin)
                    == .init(place: 0, refusal: .invalidWhite(2200...4000)))
        }
    }

    @Test("Automations use the nearest supported value, directly and by scene, and new ones may use a scene out of range")
    func automation() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await lamp(in: house)
            let scene = try await house.hub.scenes.add(
                .init(name: "Desk", icon: nil, actions: [Self.cold]), by: owner, call: nil, origin: .house
            ).0
            let draft = AutomationDraft(name: "Work", triggers: [.presence(.lastLeaves)], actions: [.control(Self.action)])
            let id = try await house.automation(draft, by: owner).id
            let (who, sink) = (try owner.asPerson().id, house.hub.automationGateway)
            try await announceRange(2200...4000, in: house)

            let asked = try await sink.submit(Self.action, as: who, of: id)
            let byScene = try #require(try await sink.submit(scene: scene.id, as: who, of: id))
            for one in asked + byScene {
                guard case .command(let command) = one.status else {
                    Issue.record("\(one.status)")
                    continue
                }
                _ = try await sink.outcome(of: command.id)
            }

            #expect(whites(askedOf: house) == [4000, 4000])
            let origin = RequestOrigin.house
            #expect(try await sink.firstRefusal(to: [.scene(id: scene.id)], by: owner, origin: origin) == nil)
            #expect(
                try await sink.firstRefusal(to: [.control(Self.action)], by: owner, origin: origin)
                    == .init(place: 0, refusal: .invalidWhite(2200...4000)))
        }
    }

    @Test("A new command, batch item or scene with a color temperature out of range is refused with the range")
    func asked() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await lamp(in: house)
            try await announceRange(2200...4000, in: house)

            let ask = CommandRequest(
                principal: owner, target: .device(id: "desk", entityID: nil, verb: .setColor), value: ["temperature": 6500], origin: .house)
            await #expect(throws: CommandRefusal.invalidWhite(2200...4000)) { try await house.hub.commands.submit(ask) }
            let batch = try await house.hub.batches.submit([Self.cold], by: owner, call: nil, origin: .house)
            guard case .refused(let refusal)? = batch.results.first?.status else {
                Issue.record("\(batch.results)")
                return
            }
            #expect(refusal == .invalidWhite(2200...4000))
            await #expect(throws: Scenes.SceneError.self) {
                try await house.hub.scenes.add(.init(name: "Desk", icon: nil, actions: [Self.cold]), by: owner, call: nil, origin: .house)
            }
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }
}
