import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

@Suite("Button publisher", .timeLimit(.minutes(10)))
struct ButtonPublisherTests {
    private func add(
        _ house: TestHouse, _ owner: Principal, _ publication: ButtonPublication, key: Buttons.Draft.TimestampKey = .unchanged
    ) async throws -> Button {
        let draft = Buttons.Draft(title: "Garage", behavior: .publish(publication, key))
        return try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
    }

    private func press(_ house: TestHouse, _ button: Button, by who: Principal) async throws -> Command {
        let result = try await house.hub.buttons.press(button.id, by: who, call: nil, origin: .house)
        guard case .command(let command, _) = result else { throw CancellationError() }
        return try await house.hub.commands.outcome(of: command)
    }

    @Test("A publishing button has a device with status, risk and room, removed when the button stops publishing")
    func device() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1"))
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

    @Test("A button's message is visible only to people who may change it, and a member's press still publishes it")
    func message() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "sesame"))
            let member = try await house.resident("ada", role: "member", by: owner).who

            let seen = try await house.hub.buttons.one(button.id, seenBy: member)
            _ = try await press(house, button, by: member)

            #expect(seen.publication?.message == "" && seen.publication?.topic == "home/garage")
            #expect(try await house.hub.buttons.all(seenBy: member) == [seen])
            #expect(try await house.hub.buttons.all(seenBy: owner) == [button])
            #expect(broker.messages.map(\.payload) == [Array("sesame".utf8)])
        }
    }

    @Test("One press publishes one message and ends as unknown without a state topic")
    func unheard() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: #"{"command":1}"#))

            let command = try await press(house, button, by: owner)

            #expect(command.status == .unknown && command.reason == "no_report")
            let message = try #require(broker.messages.first)
            #expect(broker.messages.count == 1 && message.topic == "home/garage" && message.risk == .open)
            #expect(message.payload == Array(#"{"command":1}"#.utf8) && message.commandID == command.id)
        }
    }

    @Test("A press is confirmed by the device's state message, not by the broker's acknowledgment")
    func confirmed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(
                house, owner, ButtonPublication(topic: "home/garage", message: "1", stateTopic: "home/garage/state", stateMessage: "open"))

            broker.script { $0.says = ["closed", "open"] }
            #expect(try await press(house, button, by: owner).status == .confirmed)
            #expect(broker.meant == [false, true])
            // It is in the requested state already, and must report again all the same.
            #expect(try await press(house, button, by: owner).status == .confirmed)

            broker.script { $0.says = ["closed"] }
            let result = try await house.hub.buttons.press(button.id, by: owner, call: nil, origin: .house)
            guard case .command(let command, _) = result else { throw CancellationError() }
            try await broker.until { $0.count == 3 }
            house.clock.advance(by: 60)
            #expect(try await house.hub.commands.outcome(of: command).status == .unknown)
        }
    }

    @Test("A message that was not sent fails with a reason; one that may have been sent is unknown")
    func failures() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1"))
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

    @Test("The encrypted timestamp replaces only the first `%T`, and using it requires a timestamp key")
    func timestamp() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let key = try TagKey(hex: Secret("11223344556677889900aabbccddeeff"))
            let publication = ButtonPublication(topic: "t", message: #"{"otp-auth":"%T","sender":"%T"}"#)
            await #expect(throws: Buttons.ButtonError.self) { try await add(house, owner, publication) }

            let button = try await add(house, owner, publication, key: .new(key))
            _ = try await press(house, button, by: owner)

            let text = String(decoding: try #require(broker.messages.first).payload, as: UTF8.self)
            let parts = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            #expect(parts["sender"] == "%T" && parts["otp-auth"]?.count == 32)
            #expect(button.publication?.hasTimestampKey == true)

            // An omitted key is kept; deleted, settings that need it are refused.
            let same = Buttons.Draft(title: "Other", behavior: .publish(publication, .unchanged))
            let kept = try await house.hub.buttons.replace(button.id, with: same, seen: .any, by: owner, origin: .house)
            #expect(kept.actionVersion == 1 && kept.publication?.hasTimestampKey == true)
            let without = Buttons.Draft(title: "Other", behavior: .publish(publication, .none))
            await #expect(throws: Buttons.ButtonError.self) {
                try await house.hub.buttons.replace(button.id, with: without, seen: .any, by: owner, origin: .house)
            }
        }
    }

    @Test("A signed button sends an envelope with its command ID and is refused without a signing key")
    func signed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(
                house, owner, ButtonPublication(topic: "home/garage", message: "open", stateTopic: "s", isSigned: true))
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

    @Test("A disabled button publishes nothing, also by direct device command")
    func switchedOff() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let publication = ButtonPublication(topic: "home/garage", message: "1")
            let button = try await add(house, owner, publication)
            let off = Buttons.Draft(title: "Garage", behavior: .publish(publication, .unchanged), isEnabled: false)
            _ = try await house.hub.buttons.replace(button.id, with: off, seen: .any, by: owner, origin: .house)

            let ask = CommandRequest(principal: owner, target: .device(id: button.id, entityID: nil, verb: .press), origin: .house)
            await #expect(throws: CommandRefusal.self) { try await house.hub.commands.submit(ask) }
            #expect(broker.messages.isEmpty)
        }
    }

    /// A pass for the bell once opened the gate, when its button had become the gate's.
    @Test("Changing a button's message to a door closes it to guests; renaming it does not")
    func changedForGuests() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let bell = ButtonPublication(topic: "home/bell", message: "1", risk: .control)
            let button = try await add(house, owner, bell)
            #expect(house.hub.devices.device(button.id)?.isGuestAccessible == true)

            let renamed = Buttons.Draft(title: "Chime", behavior: .publish(bell, .unchanged))
            _ = try await house.hub.buttons.replace(button.id, with: renamed, seen: .any, by: owner, origin: .house)
            #expect(house.hub.devices.device(button.id)?.isGuestAccessible == true)

            let gate = Buttons.Draft(title: "Gate", behavior: .publish(ButtonPublication(topic: "home/gate", message: "1"), .unchanged))
            _ = try await house.hub.buttons.replace(button.id, with: gate, seen: .any, by: owner, origin: .house)
            #expect(house.hub.devices.device(button.id)?.isGuestAccessible == false)
            #expect(broker.messages.isEmpty)
        }
    }

    /// A door that took twenty seconds once confirmed the second press by its answer to the first.
    @Test("An answer confirms only the press it belongs to")
    func lateAnswer() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, ButtonPublication(topic: "home/bell", message: "1", risk: .control, stateTopic: "s"))
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

    @Test("A member cannot press a button marked as a security device")
    func gate() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1"))
            _ = try await house.hub.devices.edit(button.id, .init(isSecurityDevice: true), by: owner, origin: .house)
            let (member, _) = try await house.resident("mia", role: "member", by: owner)

            await #expect(throws: CommandRefusal.self) { _ = try await press(house, button, by: member) }
            #expect(broker.messages.isEmpty)
        }
    }

    @Test("A plain tag on a door button needs proof; with lower risk it needs only confirmation")
    func tags() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1"))
            let draft = Tags.Draft(pressing: .button(button.id), label: nil, nature: .memory)
            let tag = try await house.hub.tags.add(draft, by: owner, call: nil, origin: .house).tag
            let link = "https://house.example/t/\(tag.id)"

            let door = try await house.hub.tapHandler.handle(link, isConfirmed: true, by: owner, origin: .house).outcome
            guard case .refused(.needsProof, _) = door else { throw CancellationError() }

            let harmless = ButtonPublication(topic: "home/bell", message: "1", risk: .control)
            _ = try await house.hub.buttons.replace(
                button.id, with: .init(title: "Bell", behavior: .publish(harmless, .unchanged)), seen: .any, by: owner, origin: .house)
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
