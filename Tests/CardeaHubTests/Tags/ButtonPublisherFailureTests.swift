import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Button publisher failures", .timeLimit(.minutes(10)))
struct ButtonPublisherFailureTests {
    private func add(
        _ house: TestHouse, _ owner: Principal, _ publication: ButtonPublication, key: Buttons.Draft.TimestampKey = .unchanged
    ) async throws -> Button {
        let draft = Buttons.Draft(title: "Garage", behavior: .publish(publication, key))
        return try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
    }

    private func begin(_ house: TestHouse, _ button: Button, by who: Principal) async throws -> Command {
        let result = try await house.hub.buttons.press(button.id, by: who, call: nil, origin: .house)
        guard case .command(let command, _) = result else { throw CancellationError() }
        return command
    }

    private func press(_ house: TestHouse, _ button: Button, by who: Principal) async throws -> Command {
        try await house.hub.commands.outcome(of: try await begin(house, button, by: who))
    }

    @Test("A button changed or turned off before its message is sent fails and publishes nothing", arguments: ["changed", "switched off"])
    func meanwhile(what: String) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let broker = await ScriptedBroker(house)
        let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1"))
        let command = try await begin(house, button, by: owner)

        house.clock.jump(to: house.clock.now.addingTimeInterval(0.1))
        let publication = ButtonPublication(topic: "home/garage", message: what == "changed" ? "2" : "1")
        _ = try await house.hub.buttons.replace(
            button.id, with: .init(title: "Garage", behavior: .publish(publication, .unchanged), isEnabled: what == "changed"), seen: .any,
            by: owner, origin: .house)
        let ended = try await house.withRunningServices { try await $0.hub.commands.outcome(of: command) }

        #expect(ended.status == .failed && ended.reason == "the button was changed or switched off meanwhile")
        #expect(broker.messages.isEmpty)
    }

    @Test("A missing broker or a lost key fails the press with a reason and is logged")
    func unsaid() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            let key = try TagKey(hex: Secret("11223344556677889900aabbccddeeff"))
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "%T"), key: .new(key))
            func told(_ sentence: String, of command: Command, _ details: String = "") -> Bool {
                log.entries.contains("\(sentence) button=\(button.id) command=\(command.id)\(details) via=mqtt")
            }

            await house.hub.publisher.reportConnection(.mqtt, isUp: true)
            let alone = try await press(house, button, by: owner)
            #expect(alone.status == .failed && alone.reason == "client not connected")
            #expect(told("button message not published: broker not connected", of: alone))

            let broker = await ScriptedBroker(house)
            let said = try await press(house, button, by: owner)
            #expect(said.status == .unknown && broker.messages.count == 1)
            #expect(
                told("publishing button message", of: said)
                    && told("button message published, outcome unknown", of: said, " outcome=acknowledged"))

            // No command of the hub does this; a file from a backup might.
            try await house.store.write { try $0.execute(sql: "UPDATE buttons SET publication_keys = NULL") }
            let keyless = try await press(house, button, by: owner)
            #expect(keyless.status == .failed && keyless.reason == "timestamp key format incorrect")
            #expect(told("button message not published", of: keyless, " reason=timestamp key format incorrect"))

            try await house.store.write { try $0.execute(sql: "UPDATE buttons SET publication_keys = x'00'") }
            let sealed = try await press(house, button, by: owner)
            #expect(sealed.status == .failed && sealed.reason == "the button cannot be read")
            #expect(log.entries.contains { $0.hasPrefix("button could not be read button=\(button.id) error=") })
            #expect(broker.messages.count == 1)
        }
    }

    @Test("Without an expected state message, any message on the state topic confirms the press, even without a broker ack")
    func anything() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            broker.script { $0.carriage = .unacknowledged }
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1", stateTopic: "home/garage/state"))
            let command = try await begin(house, button, by: owner)
            try await broker.until { $0.count == 1 }
            let answer = try #require(broker.messages.first?.expectedReply)

            #expect(answer.topic == "home/garage/state" && answer.matches([]) && answer.matches(Array("anything".utf8)))
            await answer.onReply()

            #expect(try await house.hub.commands.outcome(of: command).status == .confirmed)
        }
    }

    /// A disk on which no row of this table changes until `body` has ended.
    private func outage(of table: String, in house: TestHouse, _ body: () async throws -> Void) async throws {
        try await house.store.write {
            try $0.execute(sql: "CREATE TRIGGER outage BEFORE UPDATE ON \(table) BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        try await body()
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER outage") }
    }

    @Test("A device answer that cannot be stored confirms nothing and is logged")
    func answerNotWritten() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1", stateTopic: "home/garage/state"))
            let command = try await begin(house, button, by: owner)
            try await broker.until { $0.count == 1 }
            let answer = try #require(broker.messages.first?.expectedReply)

            try await outage(of: "commands", in: house) { await answer.onReply() }

            #expect(log.entries.contains("button confirmation could not be stored command=\(command.id) error=DatabaseError"))
            #expect(try await house.hub.commands.command(command.id)?.status == .dispatching)
            await answer.onReply()
            #expect(try await house.hub.commands.outcome(of: command).status == .confirmed)
        }
    }

    @Test("A failed update of button availability is logged and repeated at the next connection report")
    func standingNotWritten() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1"))
            let publisher = house.hub.publisher

            try await outage(of: "devices", in: house) { await publisher.reportConnection(.mqtt, isUp: true) }

            #expect(log.entries.contains("publishing buttons could not be stored error=DatabaseError"))
            #expect(house.hub.devices.device(button.id)?.status == .offline)
            await publisher.reportConnection(.mqtt, isUp: true)
            #expect(house.hub.devices.device(button.id)?.status == .online)
        }
    }

    @Test("Publisher health is dated by the first connected broker, and refreshing a button publishes nothing")
    func health() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let publisher = house.hub.publisher
            #expect(await publisher.health() == IntegrationHealth(status: .off, since: house.clock.now))
            let broker = await ScriptedBroker(house)
            let since = house.clock.now
            house.clock.advance(by: 60)
            await publisher.reportConnection(.endpoint, isUp: true)
            #expect(await publisher.health() == IntegrationHealth(status: .connected, since: since))
            await publisher.reportConnection(.mqtt, isUp: false)
            #expect(await publisher.health() == IntegrationHealth(status: .connected, since: house.clock.now))

            let button = try await add(house, owner, ButtonPublication(topic: "home/garage", message: "1"))
            let before = try #require(house.hub.devices.device(button.id))
            await publisher.refresh(entityID: Button.entityID(of: button.id))
            #expect(broker.messages.isEmpty && house.hub.devices.device(button.id) == before)
        }
    }

    @Test("A button change that does not change its device publishes no device event")
    func noNews() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let publication = ButtonPublication(topic: "home/garage", message: "1")
            let button = try await add(house, owner, publication)
            func told(_ draft: Buttons.Draft) async throws -> (device: Bool, button: Bool) {
                let start = try await house.hub.journal.last()
                _ = try await house.hub.buttons.replace(button.id, with: draft, seen: .any, by: owner, origin: .house)
                let facts = try await house.hub.journal.events(after: start, limit: 100).events.map(\.fact)
                return (
                    facts.contains { if case .device(let device, _) = $0 { device.id == button.id } else { false } },
                    facts.contains { if case .button(button.id, false) = $0 { true } else { false } }
                )
            }

            #expect(try await told(.init(title: "Garage", behavior: .publish(publication, .unchanged), countdown: 5)) == (false, true))
            #expect(try await told(.init(title: "Gate", behavior: .publish(publication, .unchanged), countdown: 5)) == (true, true))
        }
    }

    @Test("A device-action button can be changed to publish messages")
    func fromAsking() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let broker = await ScriptedBroker(house)
            let lamp = Buttons.Draft(title: "Lamp", action: .init(deviceID: "hall-light", action: "on"))
            let asking = try await house.hub.buttons.add(lamp, by: owner, call: nil, origin: .house).0
            let plain = Buttons.Draft(title: "Bell", behavior: .publish(ButtonPublication(topic: "home/bell", message: "1"), .unchanged))
            let button = try await house.hub.buttons.replace(asking.id, with: plain, seen: .any, by: owner, origin: .house)

            #expect(button.publication?.hasTimestampKey == false && button.actionVersion == asking.actionVersion + 1)
            _ = try await press(house, button, by: owner)

            #expect(broker.messages.map(\.topic) == ["home/bell"] && house.doorBackend.backendCommands.isEmpty)
        }
    }
}
