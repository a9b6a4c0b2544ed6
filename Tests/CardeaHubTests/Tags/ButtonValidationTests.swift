import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Button validation", .timeLimit(.minutes(10)))
struct ButtonValidationTests {
    private func draft(_ action: CommandBatches.Item = .init(deviceID: "hall-light", action: "on"), _ title: String = "Light")
        -> Buttons.Draft
    {
        Buttons.Draft(title: title, action: action)
    }

    /// The name of the error that a body throws; nil if it throws none.
    private func problem(_ body: () async throws -> Void) async throws -> String? {
        do {
            try await body()
            return nil
        } catch let problem as Buttons.ButtonError { return String(describing: problem).split(separator: "(").first.map(String.init) }
    }

    @Test("Invalid button names and countdowns are rejected by field, and stale changes are refused")
    func drafts() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let buttons = house.hub.buttons
        func adding(_ change: (inout Buttons.Draft) -> Void) async throws -> String? {
            var draft = draft()
            change(&draft)
            return try await problem { [draft] in _ = try await buttons.add(draft, by: owner, call: nil, origin: .house) }
        }

        #expect(try await adding { $0.title = " " } == "title")
        #expect(try await adding { $0.title = String(repeating: "x", count: 101) } == "title")
        for seconds in [-1, 31] { #expect(try await adding { $0.countdown = seconds } == "countdown") }
        #expect(try await buttons.all(seenBy: owner).isEmpty)

        let button = try await buttons.add(draft(), by: owner, call: nil, origin: .house).0
        let stale = ExpectedVersion.oneOf([button.version + 1])
        await #expect {
            try await buttons.replace(button.id, with: draft(), seen: stale, by: owner, origin: .house)
        } throws: {
            if case Buttons.ButtonError.stale(button) = $0 { true } else { false }
        }
        #expect(try await problem { try await buttons.remove(button.id, seen: stale, by: owner, origin: .house) } == "stale")
        #expect(try await buttons.one(button.id, seenBy: owner) == button)
        try await buttons.remove(button.id, seen: .oneOf([button.version]), by: owner, origin: .house)
    }

    @Test("A house has at most 200 buttons, removing one makes room, and numbers end at 9999")
    func full() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let buttons = house.hub.buttons
        func add() async throws -> Button { try await buttons.add(draft(), by: owner, call: nil, origin: .house).0 }
        for _ in 0..<199 { _ = try await add() }
        let last = try await add()

        #expect(try await problem { _ = try await add() } == "full")
        try await buttons.remove(last.id, seen: .any, by: owner, origin: .house)
        #expect(try await add().index == 200)
        try await buttons.remove(try #require(buttons.all(seenBy: owner).first).id, seen: .any, by: owner, origin: .house)

        try await house.store.write { try $0.execute(sql: "UPDATE tag_settings SET next_number = 9999") }
        let highest = try await add()
        #expect(highest.index == 9999)
        try await buttons.remove(highest.id, seen: .any, by: owner, origin: .house)
        #expect(try await problem { _ = try await add() } == "full")
    }

    @Test("A button press sends its stored value and transition")
    func value() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.neverReports, at: "light.hall")
            func bright(_ value: JSONValue) -> Buttons.Draft {
                draft(.init(deviceID: "hall-light", action: "set_brightness", value: value, transition: 2))
            }
            let button = try await house.hub.buttons.add(bright(40), by: owner, call: nil, origin: .house).0
            func press() async throws -> BackendCommand? {
                let result = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house)
                guard case .command(let command, _) = result else { return nil }
                _ = try await house.hub.commands.outcome(of: command)
                return house.doorBackend.backendCommands.last
            }

            let first = try #require(try await press())
            #expect(first.verb == .setBrightness && first.value == 40 && first.transition == 2)
            let brighter = try await house.hub.buttons.replace(button.id, with: bright(70), seen: .any, by: owner, origin: .house)
            #expect(try await house.hub.buttons.one(button.id, seenBy: owner) == brighter)
            #expect(brighter.actionVersion == 2)
            #expect(try await press()?.value == 70)
        }
    }

    @Test("A repeated creation of a removed button with its idempotency key is not found")
    func removedMeanwhile() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let call = IdempotencyKey(key: "button-1", method: "POST", path: "/api/v1/buttons", body: Data())
        let (button, isReplay) = try await house.hub.buttons.add(draft(), by: owner, call: call, origin: .house)
        let again = try await house.hub.buttons.add(draft(), by: owner, call: call, origin: .house)
        #expect(!isReplay && again.isReplay && again.0 == button)

        try await house.hub.buttons.remove(button.id, seen: .any, by: owner, origin: .house)

        let came = try await problem { _ = try await house.hub.buttons.add(draft(), by: owner, call: call, origin: .house) }
        #expect(came == "notFound")
        #expect(try await house.hub.buttons.all(seenBy: owner).isEmpty)
    }

    @Test("A button created for a tag is titled with its device's name, and its action if it fits")
    func madeForTag() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        func title(_ name: String) async throws -> String {
            _ = try await house.hub.devices.edit("hall-light", .init(name: name), by: owner, origin: .house)
            let pressed = Tags.PressTarget.grant(.init(deviceID: "hall-light", action: name.count > 50 ? "off" : "on"))
            let live = try await house.hub.tags.issueSignedLink(pressed, by: owner, call: nil, origin: .house).0
            return try await house.hub.buttons.one(live.buttonID, seenBy: owner).title
        }
        let long = String(repeating: "n", count: 98)

        #expect(try await title("Lamp") == "Lamp: on")
        #expect(try await title(long) == long)
    }

    @Test("A button with an action unknown to this hub is not executed", arguments: ["dance", "read"])
    func newer(verb: String) async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await house.hub.buttons.add(draft(), by: owner, call: nil, origin: .house).0
            _ = try await house.hub.tags.updatePolicy(TagPolicy(control: .atOnce), seen: .any, by: owner, origin: .house)
            let tag = try await house.hub.tags.add(
                .init(pressing: .button(button.id), label: nil, nature: .memory), by: owner, call: nil, origin: .house
            ).tag
            let live = try await house.hub.tags.issueSignedLink(.button(button.id), by: owner, call: nil, origin: .house).0
            try await house.store.write { try $0.execute(sql: "UPDATE buttons SET verb = ?", arguments: [verb]) }

            for link in ["https://house.example/t/\(tag.id)", "smp://action?" + live.query.reveal()] {
                switch try await house.hub.tapHandler.handle(link, isConfirmed: true, by: owner, origin: .house).outcome {
                case .refused(let refusal, let button): #expect(verb == "dance" && refusal == .unknown && button == nil)
                case .denied(let refusal, _): #expect(verb == "read" && refusal == .readOnly)
                case .admitted: Issue.record("it was asked for")
                }
            }
            #expect(try await house.hub.buttons.all(seenBy: owner).isEmpty == (verb == "dance"))
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }
}
