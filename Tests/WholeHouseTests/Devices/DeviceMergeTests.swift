import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Merging two devices", .timeLimit(.minutes(10)))
struct DeviceMergeTests {
    private typealias Body =
        @Sendable (_ house: TestHouse, _ owner: Principal, _ ask: TestAPIClient, _ maker: FakeIntegrationFactory) async throws -> Void

    /// A house with a running broker.
    private func withBroker(_ body: @escaping Body) async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let maker = FakeIntegrationFactory()
            house.hub.integrations.register(maker)
            _ = try await house.hub.integrations.connect("mqtt", settings: Data("broker".utf8), by: owner, origin: .house)
            try await maker.starts.waitUntil("it runs") { $0 == 1 }
            try await body(house, owner, TestAPIClient(client: client, token: tokens.access), maker)
        }
    }

    @Test("Merged devices keep passes and automations working, and share one id and history")
    func merged() async throws {
        try await withBroker { house, owner, ask, maker in
            for (id, key) in [("cellar", "a"), ("cellar-2", "b")] {
                try await house.hub.devices.announce(FakeIntegrationFactory.lock(id, key: key, at: house.clock.now))
            }
            let (guest, guestID, _) = try await house.guest(house.draft(device: "cellar"), by: owner)
            let rule = """
                {"name":"Light","triggers":[{"type":"state","entity_id":"lock.cellar_2","to":"unlocked"}],
                "actions":[{"type":"control","device_id":"hall-light","action":"on"},
                {"type":"control","device_id":"cellar-2","action":"lock"}]}
                """
            #expect(try await ask(.post, "/api/v1/automations", rule).status == 201)
            #expect(try await ask(.put, "/api/v1/devices/cellar-2/control", #"{"action":"unlock"}"#).status == 200)
            await house.runMind()

            let answer = try await ask(.post, "/api/v1/devices/cellar-2/merge", #"{"with":"cellar"}"#)
            #expect(answer.status == 200)
            // The one with a pass stays.
            #expect(answer.body["device"]?["device_id"] == "cellar")
            #expect(answer.body["device"]?["entities"]?.array.map { $0["entity_id"] } == ["lock.cellar", "lock.cellar_2"])
            #expect(answer.body["automations"] == 1 && answer.body["passes"] == 0)
            try await maker.starts.waitUntil("it starts anew") { $0 == 2 }
            #expect(house.hub.devices.device("cellar")?.attributes["keys"] == ["a": "lock.cellar", "b": "lock.cellar_2"])
            #expect(house.hub.devices.formerIDs.all == ["cellar-2"])

            let shown = try await ask(.get, "/api/v1/devices/cellar-2")
            #expect(shown.status == 200 && shown.body["device_id"] == "cellar")
            let list = try await ask(.get, "/api/v1/devices").body["devices"]?.array ?? []
            #expect(!list.contains { $0["device_id"] == "cellar-2" })
            let history = try await ask(.get, "/api/v1/activity?device_id=cellar").body["entries"]?.array ?? []
            #expect(history.contains { $0["action"] == "unlock" })
            #expect(history.contains { $0["action"] == "device.merge" })

            for action in ["lock", "unlock"] {
                await house.runMind()
                house.clock.advance(by: 10)
                let asked = try await ask(
                    .put, "/api/v1/devices/cellar-2/control", #"{"action":"\#(action)","entity_id":"lock.cellar_2"}"#)
                #expect(asked.status == 200 && asked.body["device_id"] == "cellar")
            }
            await house.runMind()
            #expect(house.doorBackend.backendCommands.map(\.deviceID) == ["hall-light"])
            try await maker.backendCommands.waitUntil("the automation locks it") { $0 == Array(repeating: "lock.cellar_2", count: 4) }
            #expect(try await house.run(house.open(as: guest)).status == .confirmed)
            #expect(maker.backendCommands.now.last == "lock.cellar")

            // Its other id does not delete it, and no other device gets that id.
            #expect(try await ask(.delete, "/api/v1/devices/cellar-2").status == 404)
            await #expect(throws: DeviceIDConflictError.self) {
                try await house.hub.devices.announce(FakeIntegrationFactory.lock("cellar-2", key: "c", at: house.clock.now))
            }
            let copy = try await TestHouse.make(store: house.store.copyInMemory(), sealing: house.sealing, clock: house.clock)
            #expect(copy.hub.devices.device("cellar-2")?.id == "cellar")

            let job = try await house.hub.jobs.erase(guest: guestID, by: owner, origin: .house)
            try await waitUntil { try await house.hub.jobs.one(job.id, seenBy: owner).state == .done }
            #expect(try await ask(.get, "/api/v1/guests/\(guestID)").status == 404)
        }
    }

    @Test("A withdrawn device passes entities of the same unique id on, and its pass still opens")
    func sameEntity() async throws {
        try await withBroker { house, owner, ask, maker in
            try await house.hub.devices.announce(FakeIntegrationFactory.lock("shed", key: "a", at: house.clock.now))
            let (guest, _, _) = try await house.guest(house.draft(device: "shed"), by: owner)
            try await house.hub.devices.withdraw(deviceID: "shed", integration: "mqtt")
            try await house.hub.devices.announce(FakeIntegrationFactory.lock("shed-2", key: "a", at: house.clock.now))

            let answer = try await ask(.post, "/api/v1/devices/shed-2/merge", #"{"with":"shed"}"#)
            #expect(answer.status == 200 && answer.body["device"]?["device_id"] == "shed")
            #expect(answer.body["device"]?["entities"]?.array.map { $0["entity_id"] } == ["lock.shed"])
            try await maker.starts.waitUntil("it starts anew") { $0 == 2 }

            #expect(try await house.run(house.open(as: guest)).status == .confirmed)
            let asked = try await ask(.put, "/api/v1/devices/shed-2/control", #"{"action":"lock","entity_id":"lock.shed_2"}"#)
            #expect(asked.status == 200 && asked.body["entity_id"] == "lock.shed")
            #expect(maker.backendCommands.now == ["lock.shed", "lock.shed"])
        }
    }

    @Test("A merge is refused for devices present at once or of other integrations, and needs a step-up")
    func refused() async throws {
        try await withBroker { house, owner, ask, _ in
            let now = house.clock.now
            try await house.hub.devices.announce(FakeIntegrationFactory.lock("shed", key: "a", at: now))
            try await house.hub.devices.announce(FakeIntegrationFactory.lock("shed-2", key: "a", at: now))
            let path = "/api/v1/devices/shed/merge"
            let elsewhere = try await ask(.post, path, #"{"with":"front-door"}"#)
            #expect(elsewhere.status == 409 && elsewhere.code == "conflict")
            #expect(try await ask(.post, path, #"{"with":"shed"}"#).status == 400)
            #expect(try await ask(.post, path, #"{"with":"nowhere"}"#).status == 400)
            #expect(try await ask(.post, "/api/v1/devices/nowhere/merge", #"{"with":"shed"}"#).status == 404)
            // Two devices that exist at once are two, whatever their identifiers.
            #expect(try await ask(.post, path, #"{"with":"shed-2"}"#).status == 409)
            #expect(try await ask(.post, "/api/v1/devices/front-door/merge", #"{"with":"back-door"}"#).status == 409)
            for id in ["shed", "shed-2"] { try await house.hub.devices.withdraw(deviceID: id, integration: "mqtt") }
            #expect(try await ask(.post, path, #"{"with":"shed-2"}"#).status == 409)

            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            #expect(try await TestAPIClient(client: ask.client, token: others.access)(.post, path, #"{"with":"shed-2"}"#).status == 403)
            house.clock.advance(by: StepUp.validity + 1)
            #expect(try await ask(.post, path, #"{"with":"shed-2"}"#).code == "step_up_required")
        }
    }
}
