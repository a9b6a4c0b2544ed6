import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

@Suite("A button publishes what the gate has let through", .timeLimit(.minutes(10)))
struct ButtonPublisherTests {
    private func add(
        _ house: TestHouse, _ owner: Principal, _ publication: Publication, key: Buttons.Draft.TimestampKey = .unchanged
    ) async throws -> Button {
        let draft = Buttons.Draft(title: "Garage", deed: .publish(publication, key))
        return try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
    }

    private func press(_ house: TestHouse, _ button: Button, by who: Principal) async throws -> Command {
        let result = try await house.hub.buttons.press(button.id, by: who, call: nil, origin: .house)
        guard case .command(let command, _) = result else { throw CancellationError() }
        return try await house.hub.commands.outcome(of: command)
    }

    @Test("It is a device like every other: it has a state, a risk and a room, and goes with its button")
    func device() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, Publication(topic: "home/garage", message: "1"))
            let device = try #require(house.hub.devices.device(button.id))

            #expect(button.action == DeviceAction(deviceID: button.id, verb: .press))
            #expect(device.name == "Garage" && device.status == .online && device.entities.first?.isWayIn == true)
            await house.hub.publisher.reportConnection(.mqtt, isUp: false)
            #expect(house.hub.devices.device(button.id)?.status == .offline)

            let lamp = Buttons.Draft(title: "Lamp", action: .init(deviceID: "hall-light", action: "on"))
            let other = try await house.hub.buttons.replace(button.id, with: lamp, seen: .any, by: owner, origin: .house)
            #expect(other.publication == nil && other.actionVersion == 2 && house.hub.devices.device(button.id) == nil)
            #expect(try await press(house, other, by: owner).status == .confirmed)
            #expect(broker.messages.isEmpty)
        }
    }

    @Test("Its message is shown to whoever may change it, and a member's press says it all the same")
    func message() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, Publication(topic: "home/garage", message: "sesame"))
            let member = try await house.resident("ada", role: "member", by: owner).who

            let seen = try await house.hub.buttons.one(button.id, seenBy: member)
            _ = try await press(house, button, by: member)

            #expect(seen.publication?.message == "" && seen.publication?.topic == "home/garage")
            #expect(try await house.hub.buttons.all(seenBy: member) == [seen])
            #expect(try await house.hub.buttons.all(seenBy: owner) == [button])
            #expect(broker.messages.map(\.payload) == [Array("sesame".utf8)])
        }
    }

    @Test("One press is one message; without a state topic nobody knows what came of it")
    func unheard() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, Publication(topic: "home/garage", message: #"{"command":1}"#))

            let command = try await press(house, button, by: owner)

            #expect(command.status == .unknown && command.reason == "no_report")
            let message = try #require(broker.messages.first)
            #expect(broker.messages.count == 1 && message.topic == "home/garage" && message.risk == .open)
            #expect(message.payload == Array(#"{"command":1}"#.utf8) && message.commandID == command.id)
        }
    }

    @Test("Confirmed is what the device says, and not that the broker has it")
    func confirmed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(
                house, owner, Publication(topic: "home/garage", message: "1", stateTopic: "home/garage/state", stateMessage: "open"))

            broker.script { $0.says = ["closed", "open"] }
            #expect(try await press(house, button, by: owner).status == .confirmed)
            #expect(broker.meant == [false, true])
            // It stands as it stood, and has to be said again all the same.
            #expect(try await press(house, button, by: owner).status == .confirmed)

            broker.script { $0.says = ["closed"] }
            let result = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house)
            guard case .command(let command, _) = result else { throw CancellationError() }
            try await broker.until { $0.count == 3 }
            house.clock.advance(by: 60)
            #expect(try await house.hub.commands.outcome(of: command).status == .unknown)
        }
    }

    @Test("What did not go out has failed, in the words that people know; what may have gone out is unknown")
    func failures() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await add(house, owner, Publication(topic: "home/garage", message: "1"))
            await #expect(throws: CommandRefusal.unreachable) { try await press(house, button, by: owner) }

            let broker = await ScriptedBroker(house)
            broker.script { $0.carriage = .notConnected }
            let alone = try await press(house, button, by: owner)
            #expect(alone.status == .failed && alone.reason == "client not connected")
            broker.script { $0.carriage = .dropped }
            let dropped = try await press(house, button, by: owner)
            #expect(dropped.status == .failed && dropped.reason == "message dropped")

            broker.script { $0.carriage = .unacknowledged }
            let unanswered = try await press(house, button, by: owner)
            #expect(unanswered.status == .unknown && unanswered.reason == "timeout")
        }
    }

    @Test("The moment stands where %T stood, once, as devices of the seed's kind decrypt it")
    func timestamp() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let key = try TagKey(hex: Secret("11223344556677889900aabbccddeeff"))
            let publication = Publication(topic: "t", message: #"{"otp-auth":"%T","sender":"%T"}"#)
            await #expect(throws: Buttons.ButtonError.self) { try await add(house, owner, publication) }

            let button = try await add(house, owner, publication, key: .new(key))
            _ = try await press(house, button, by: owner)

            let text = String(decoding: try #require(broker.messages.first).payload, as: UTF8.self)
            let parts = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            #expect(parts["sender"] == "%T" && parts["otp-auth"]?.count == 32)
            #expect(button.publication?.hasTimestampKey == true)

            // Left out, it stays; taken away, what needs it is refused.
            let same = Buttons.Draft(title: "Other", deed: .publish(publication, .unchanged))
            let kept = try await house.hub.buttons.replace(button.id, with: same, seen: .any, by: owner, origin: .house)
            #expect(kept.actionVersion == 1 && kept.publication?.hasTimestampKey == true)
            let without = Buttons.Draft(title: "Other", deed: .publish(publication, .none))
            await #expect(throws: Buttons.ButtonError.self) {
                try await house.hub.buttons.replace(button.id, with: without, seen: .any, by: owner, origin: .house)
            }
        }
    }

    @Test("A signed one goes out in an envelope that names its command, and is answered by that name")
    func signed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, Publication(topic: "home/garage", message: "open", stateTopic: "s", isSigned: true))
            let unsigned = try await press(house, button, by: owner)
            #expect(unsigned.status == .failed && unsigned.reason?.contains("no key to sign with") == true)

            let (key, publication) = try await house.hub.buttons.newSigningKey(button.id, by: owner, origin: .house)
            #expect(publication.topic == "home/garage" && ButtonSecret(hex: key) != nil)
            broker.script { $0.says = [#"{"id":"another"}"#, "rubbish", #"{"id":"@id"}"#] }
            let command = try await press(house, button, by: owner)

            #expect(command.status == .confirmed && broker.meant == [false, false, true])
            let said = String(decoding: try #require(broker.messages.last).payload, as: UTF8.self)
            #expect(AsyncAPIValidator.problems(ofMessage: said, in: "button", .send) == [])
            let envelope = try JSONDecoder().decode(Envelope.self, from: Data(said.utf8))
            #expect(envelope.id == command.id && envelope.command == "open" && envelope.device == "home/garage" && envelope.mac.count == 64)
        }
    }

    private struct Envelope: Decodable {
        let id, command, device, mac: String
    }

    @Test("Switched off, it publishes for nobody, by whatever way it is asked")
    func switchedOff() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let publication = Publication(topic: "home/garage", message: "1")
            let button = try await add(house, owner, publication)
            let off = Buttons.Draft(title: "Garage", deed: .publish(publication, .unchanged), isEnabled: false)
            _ = try await house.hub.buttons.replace(button.id, with: off, seen: .any, by: owner, origin: .house)

            let ask = CommandRequest(principal: owner, target: .device(id: button.id, entityID: nil, verb: .press), origin: .house)
            await #expect(throws: CommandRefusal.self) { try await house.hub.commands.submit(ask) }
            #expect(broker.messages.isEmpty)
        }
    }

    /// A pass for the bell once opened the gate, when its button had become the gate's.
    @Test("What a guest was let in for is not what the button has become")
    func changedForGuests() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let bell = Publication(topic: "home/bell", message: "1", risk: .control)
            let button = try await add(house, owner, bell)
            #expect(house.hub.devices.device(button.id)?.isGuestAccessible == true)

            let renamed = Buttons.Draft(title: "Chime", deed: .publish(bell, .unchanged))
            _ = try await house.hub.buttons.replace(button.id, with: renamed, seen: .any, by: owner, origin: .house)
            #expect(house.hub.devices.device(button.id)?.isGuestAccessible == true)

            let gate = Buttons.Draft(title: "Gate", deed: .publish(Publication(topic: "home/gate", message: "1"), .unchanged))
            _ = try await house.hub.buttons.replace(button.id, with: gate, seen: .any, by: owner, origin: .house)
            #expect(house.hub.devices.device(button.id)?.isGuestAccessible == false)
            #expect(broker.messages.isEmpty)
        }
    }

    /// A door that took twenty seconds once confirmed the second press by its answer to the first.
    @Test("An answer confirms the press that it names, and no other")
    func lateAnswer() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, Publication(topic: "home/bell", message: "1", risk: .control, stateTopic: "s"))
            func begin() async throws -> Command {
                let result = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house)
                guard case .command(let command, _) = result else { throw CancellationError() }
                return command
            }
            let first = try await begin()
            try await broker.until { $0.count == 1 }
            let second = try await begin()
            try await broker.until { $0.count == 2 }

            await broker.messages[0].expectedReply?.onReply()

            #expect(try await house.hub.commands.outcome(of: first).status == .confirmed)
            #expect(try await house.hub.commands.command(second.id)?.status == .dispatching)
            await broker.messages[1].expectedReply?.onReply()
            #expect(try await house.hub.commands.outcome(of: second).status == .confirmed)
        }
    }

    @Test("Who may not open doors may not press one; a guest may, where a pass names it")
    func gate() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, Publication(topic: "home/garage", message: "1"))
            _ = try await house.hub.devices.edit(button.id, .init(isSecurityDevice: true), by: owner, origin: .house)
            let (member, _) = try await house.resident("mia", role: "member", by: owner)

            await #expect(throws: CommandRefusal.self) { _ = try await press(house, button, by: member) }
            #expect(broker.messages.isEmpty)
        }
    }

    @Test("A tag for it needs proof, for it may be a door; made harmless, it needs a yes")
    func tags() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, Publication(topic: "home/garage", message: "1"))
            let draft = Tags.Draft(pressing: .button(button.id), label: nil, nature: .memory)
            let tag = try await house.hub.tags.add(draft, by: owner, call: nil, origin: .house).tag
            let link = "https://house.example/t/\(tag.id)"

            let door = try await house.hub.tapHandler.handle(link, isConfirmed: true, by: owner, origin: .house).outcome
            guard case .refused(.needsProof, _) = door else { throw CancellationError() }

            let harmless = Publication(topic: "home/bell", message: "1", risk: .control)
            _ = try await house.hub.buttons.replace(
                button.id, with: .init(title: "Bell", deed: .publish(harmless, .unchanged)), seen: .any, by: owner, origin: .house)
            let changed = try await house.hub.tapHandler.handle(link, isConfirmed: true, by: owner, origin: .house).outcome
            guard case .refused(.outdated, _) = changed else { throw CancellationError() }
            _ = try await house.hub.tags.renew(tag.id, label: nil, by: owner, origin: .house)
            let bell = try await house.hub.tapHandler.handle(link, isConfirmed: true, by: owner, origin: .house).outcome
            guard case .admitted(let command, _) = bell else { throw CancellationError() }
            _ = try await house.hub.commands.outcome(of: command)
            #expect(broker.messages.map(\.topic) == ["home/bell"])
        }
    }
}
