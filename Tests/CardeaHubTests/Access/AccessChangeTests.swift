import CardeaAutomations
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Access changes list recently created resources after a session revocation, each with a switch", .timeLimit(.minutes(10)))
struct AccessChangeTests {
    private struct Broker: IntegrationFactory {
        let integration = "mqtt"

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration { Connection() }
        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }
    }

    private final class Connection: RunningIntegration {
        let integration = "mqtt"
        let healthUpdates = AsyncStream<IntegrationHealth> { $0.finish() }

        func run() async throws { try await Task.sleep(for: .seconds(3600)) }
        func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "nothing here moves") }
        func refresh(entityID: String) async {}
        func health() async -> IntegrationHealth { IntegrationHealth(status: .connecting, since: .distantPast) }
    }

    /// Creates one of each kind.
    private func setUp(_ house: TestHouse, by who: Principal) async throws {
        let hub = house.hub
        hub.integrations.register(Broker())
        let off = CommandBatches.Item(deviceID: "hall-light", entityID: nil, action: "off", value: nil, transition: nil)
        _ = try await hub.integrations.connect("mqtt", settings: Data("broker".utf8), by: who, origin: .house)
        try await house.automation(
            AutomationDraft(name: "Everybody out", triggers: [.presence(.lastLeaves)], actions: [house.lightOff]), by: who)
        _ = try await hub.scenes.add(.init(name: "Night", icon: nil, actions: [off]), by: who, call: nil, origin: .house)
        _ = try await hub.apiTokens.make(.init(name: "Script", items: nil, role: nil, expiresAt: nil), by: who, origin: .house)
        _ = try await hub.guests.invite(house.draft(), by: who, call: nil, origin: .house)
        let button = try await house.button(by: who)
        _ = try await house.tag(for: button, label: "By the door", by: who)
        let source = Cameras.EndpointDraft(kind: "rtsp", url: "rtsp://192.168.1.20/stream")
        _ = try await hub.cameras.add(.init(name: "Porch", source: source), by: who, call: nil, origin: .house)
        _ = try await hub.people.invite(name: "Cleo", role: "member", by: who, call: nil, origin: .house)
        let (policy, version) = try await hub.tags.policy(seenBy: who)
        _ = try await hub.tags.updatePolicy(policy, seen: .oneOf([version]), by: who, origin: .house)
    }

    private static let names: [AccessResourceKind: String] = [
        .integration: "MQTT", .automation: "Everybody out", .scene: "Night", .token: "Script", .pass: "Plumber", .button: "Button",
        .tag: "By the door", .camera: "Porch", .person: "Cleo", .tagPolicy: "Tags",
    ]

    private func changes(_ house: TestHouse, of person: Principal? = nil, seenBy who: Principal) async throws -> [AccessResourceKind:
        AccessChange]
    {
        let all = try await house.hub.accessChanges.all(of: person?.personID, seenBy: who)
        return Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
    }

    @Test("Access changes list every resource kind by name; their creator can switch each one off an hour after step-up")
    func everything() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            #expect(try await changes(house, seenBy: owner).isEmpty)
            try await setUp(house, by: owner)
            house.clock.advance(by: 3600)

            let listed = try await changes(house, seenBy: owner)
            #expect(listed.mapValues(\.name) == Self.names && Set(listed.keys) == Set(AccessResourceKind.allCases))
            #expect(listed.values.allSatisfy { $0.isOn })
            for change in listed.values where change.kind != .person {
                try await house.hub.accessChanges.turn(change.kind, change.id, on: false, by: owner, origin: .house)
            }
            let left = try await changes(house, seenBy: owner)
            #expect(Set(left.keys) == Set(AccessResourceKind.allCases.filter(\.canBeReenabled)))
            #expect(left.values.filter(\.isOn).map(\.kind) == [.person])
            // Disabling a person, even on their own page, needs a recent step-up.
            let cleo = try #require(listed[.person])
            await #expect(throws: CardeaHub.Sessions.SessionError.self) {
                try await house.hub.accessChanges.turn(.person, cleo.id, on: false, by: owner, origin: .house)
            }

            // An item that opens a way in needs confirmation to be enabled again; any other is enabled at once.
            for (thing, asks) in [AccessResourceKind.pass: true, .automation: false, .camera: false, .button: false] {
                let change = try #require(left[thing])
                func on() async throws { try await house.hub.accessChanges.turn(thing, change.id, on: true, by: owner, origin: .house) }
                if asks { await #expect(throws: CardeaHub.Sessions.SessionError.self) { try await on() } } else { try await on() }
            }
            #expect(try await changes(house, seenBy: owner).values.filter(\.isOn).count == 4)
            for thing in AccessResourceKind.allCases where !thing.canBeReenabled {
                let change = try #require(listed[thing])
                await #expect(throws: AccessChanges.AccessChangeError.self) {
                    try await house.hub.accessChanges.turn(thing, change.id, on: true, by: owner, origin: .house)
                }
            }
        }
    }

    @Test("An admin can switch off another person's automation but cannot switch it on again")
    func ofOthers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
            let rule = try await house.automation(
                AutomationDraft(name: "Out", triggers: [.presence(.lastLeaves)], actions: [house.lightOff]), by: owner)
            func turn(on isOn: Bool, by who: Principal) async throws {
                try await house.hub.accessChanges.turn(.automation, rule.id, on: isOn, by: who, origin: .house)
            }

            try await turn(on: false, by: admin)
            await #expect(throws: CardeaHub.People.PersonError.self) { try await turn(on: true, by: admin) }
            #expect(try await house.automations.one(rule.id).isOn == false)
            try await turn(on: true, by: owner)
            #expect(try await house.automations.one(rule.id).isOn)

            // An automation that the house disabled must be reviewed.
            try await house.store.write {
                try $0.execute(sql: "UPDATE automations SET is_on = 0, off_because = 'person_left' WHERE id = ?", arguments: [rule.id])
            }
            await #expect(throws: AccessChanges.AccessChangeError.self) { try await turn(on: true, by: owner) }
        }
    }

    @Test("People managers see another person's access changes and can revoke their tokens; entries expire after 30 days")
    func others() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            _ = try await house.hub.apiTokens.make(.init(name: "Theirs", items: nil, role: nil, expiresAt: nil), by: member, origin: .house)
            let ofOwner = try await changes(house, seenBy: owner)

            let token = try #require(try await changes(house, of: member, seenBy: admin)[.token])
            #expect(token.name == "Theirs" && ofOwner[.token] == nil && ofOwner[.person] != nil)
            for requester in [member, admin] {
                await #expect(throws: CardeaHub.People.PersonError.self) { try await changes(house, of: owner, seenBy: requester) }
            }
            await #expect(throws: CardeaHub.APITokens.APITokenError.self) {
                try await house.hub.apiTokens.revoke(token.id, by: admin, origin: .house)
            }
            try await house.hub.accessChanges.turn(.token, token.id, on: false, by: admin, origin: .house)
            #expect(try await house.hub.apiTokens.all(of: member).isEmpty)

            house.clock.advance(by: 29 * 86400)
            #expect(try await changes(house, seenBy: owner)[.person] != nil)
            house.clock.advance(by: 2 * 86400)
            #expect(try await changes(house, seenBy: owner).isEmpty)
        }
    }
}
