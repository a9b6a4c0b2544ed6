import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Interview API", .timeLimit(.minutes(10)))
struct InterviewTests {
    private static let path = "/api/v1/interview"

    private static func message(_ words: String) -> String { #"{"message":"\#(words)"}"# }

    /// A house with two rooms, and a lock that announces itself nearby.
    private static func installDevices(_ house: TestHouse, by owner: Principal) async throws {
        for (name, kind) in [("Hall", RoomKind.hallway), ("Living room", .livingRoom)] {
            var traits = RoomTraits(name: name)
            traits.kind = kind
            _ = try await house.hub.rooms.add(traits, position: nil, by: owner, call: nil, origin: .house)
        }
        house.hub.integrations.setNetworkBrowser(with: ScriptedNetworkBrowser.everything)
    }

    @Test("A description yields devices: known ones are placed, others are planned, and rooms are created")
    func whole() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            try await Self.installDevices(house, by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)

            let begun = try await ask(.post, Self.path + "/start")
            #expect(begun.status == 201 && begun.body["status"] == "active" && begun.body["current_phase"] == "introduction")
            #expect(begun.body["ai_message"]?.string?.contains("Lime House") == true)
            let id = try #require(begun.body["interview_id"]?.string)
            let path = Self.path + "/" + id

            let told = try await ask(
                .post, path + "/message",
                Self.message(
                    "There are two Hue lamps over the sofa, a light in the hall, a lock in the cellar and a Bosch dishwasher."))
            #expect(told.status == 200)
            let found = told.body["discovered_candidates"]?.array ?? []
            #expect(found.map { $0["detected_function"] } == ["light", "light", "lock", "dishwasher"])
            #expect(found.map { $0["matched"] } == [[], ["Hall light"], ["Cellar lock"], []])
            #expect(found.first?["room"] == "Living room" && found.first?["count"] == 2 && found.first?["detected_brand"] == "Hue")
            let results = told.body["auto_discovery_results"]
            #expect(results?["mdns"] == ["Cellar lock"] && results?["virtual"]?.array.contains("Front door") == true)

            _ = try await ask(.post, path + "/message", Self.message("The dishwasher is in the kitchen."))
            let note = try await ask(.post, path + "/message", Self.message("The garage door is not connected."))
            #expect(note.status == 200)
            let confirmed = try await ask(.post, path + "/confirm")
            #expect(confirmed.status == 200, "\(confirmed.body)")
            let made = confirmed.body["created_devices"]?.array ?? []
            #expect(made.map { $0["status"] } == ["pending_auth", "pending_auth", "connected", "pending_auth", "pending_auth"], "\(made)")
            #expect(made[2]["device_id"] == "hall-light" && made[2]["next_steps"] == [])
            #expect(made[0]["next_steps"]?.array.first?.string?.hasPrefix("Connect the house to Home Assistant") == true)
            #expect(made[3]["next_steps"]?.array.contains { $0.string?.contains("“Cellar lock”") == true } == true)
            #expect(confirmed.body["progress"]?["devices_confirmed"] == 5)

            let rooms = try await ask(.get, "/api/v1/rooms").body["rooms"]?.array ?? []
            #expect(rooms.map { $0["name"] } == ["Hall", "Living room", "Cellar", "Kitchen"])
            let devices = try await ask(.get, "/api/v1/devices").body["devices"]?.array ?? []
            let planned = devices.filter { $0["integration"] == "planned" }
            #expect(planned.map { $0["name"] } == ["Hue lamp 1", "Hue lamp 2", "Lock", "Bosch dishwasher"], "\(planned)")
            #expect(planned.map { $0["room"] } == ["Living room", "Living room", "Cellar", "Kitchen"])
            #expect(planned.allSatisfy { $0["status"] == "unknown" && $0["is_guest_accessible"] == false })
            #expect(devices.first { $0["device_id"] == "hall-light" }?["room"] == "Hall")
            let lock = try #require(planned[2]["device_id"]?.string)
            #expect(house.hub.devices.device(lock)?.entities.map(\.state.value) == ["unknown"])
            #expect(house.hub.devices.device(lock)?.model == "Bolt 2")

            // A planned device is not controlled, and is not a lock for notifications.
            for device in [lock, planned[3]["device_id"]?.string ?? ""] {
                let moved = try await ask(.put, "/api/v1/devices/\(device)/control", #"{"action":"on"}"#)
                let turned = try await ask(.put, "/api/v1/devices/\(device)/control", #"{"action":"unlock"}"#)
                #expect([moved.status, turned.status].contains(503))
                #expect(turned.status == 503 && turned.code == "integration_not_ready")
                #expect(turned.body["error"]?["message"]?.string?.contains("planned and not connected yet") == true)
            }
            #expect(try await !house.hub.homeAssistantExport.snapshot().locks.contains { $0.device.id == lock })

            let done = try await ask(.post, path + "/message", Self.message("done"))
            #expect(done.body["status"] == "completed" && done.body["progress"]?["completion_percentage"] == 100, "\(done.body)")
            let over = try await ask(.post, path + "/message", Self.message("a lamp"))
            #expect(over.status == 409 && over.code == "conflict")
            let status = try await ask(.get, path + "/status")
            #expect(status.body["notes"]?.array.first?["text"]?.string?.contains("garage door") == true, "\(status.body)")
            #expect(status.body["candidates"]?.array.map { $0["created_device_ids"]?.array.count } == [2, 1, 1, 1])
            #expect(try await ask(.get, path + "/status", ifNoneMatch: status.entityTag).status == 304)
            let turns = try await ask(.get, path + "/conversation").body["turns"]?.array ?? []
            #expect(turns.first?["speaker"] == "house" && turns.contains { $0["text"] == "done" })
            #expect(try await ask(.get, Self.path).body["interviews"]?.array.map { $0["status"] } == ["completed"])

            let trail = try await house.hub.activity.entries(.init(limit: 100), seenBy: owner).map(\.action)
            for action in ["interview.start", "interview.say", "interview.confirm", "device.plan", "device.change", "room.add"] {
                #expect(trail.contains(action), "\(action)")
            }
        }
    }

    @Test("A device described again in another interview matches the planned one")
    func again() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            try await Self.installDevices(house, by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)
            var created: [JSONValue] = []
            for _ in 0..<2 {
                let id = try #require(try await ask(.post, Self.path + "/start").body["interview_id"]?.string)
                _ = try await ask(.post, Self.path + "/\(id)/message", Self.message("A Hue lamp in the living room."))
                created += try await ask(.post, Self.path + "/\(id)/confirm").body["created_devices"]?.array ?? []
                #expect(try await ask(.delete, Self.path + "/\(id)").status == 204)
                #expect(try await ask(.delete, Self.path + "/\(id)").status == 204)
            }
            #expect(
                Set(created.map { $0["device_id"]?.string }).count == 1 && created.map { $0["status"] } == ["pending_auth", "pending_auth"])
            #expect(created.allSatisfy { $0["next_steps"]?.array.isEmpty == false })
            #expect(try await ask(.get, Self.path).body["interviews"]?.array.map { $0["status"] } == ["cancelled", "cancelled"])
            #expect(house.hub.devices.all.devices.count(where: \.isPlanned) == 1)
        }
    }

    @Test("Confirm and reject in one call are atomic")
    func chosen() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            try await Self.installDevices(house, by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, Self.path + "/start").body["interview_id"]?.string)
            let path = Self.path + "/" + id
            let told = try await ask(.post, path + "/message", Self.message("A Hue lamp, a television and a fan in the living room."))
            let ids = (told.body["discovered_candidates"]?.array ?? []).compactMap { $0["id"]?.string }
            try #require(ids.count == 3)

            let wrong = try await ask(.post, path + "/confirm", #"{"candidate_ids":["\#(ids[0])","nobodys"]}"#)
            #expect(wrong.status == 400 && wrong.body["error"]?["details"]?["field"] == "candidate_ids")
            let both = try await ask(.post, path + "/confirm", #"{"candidate_ids":["\#(ids[0])"],"reject":["\#(ids[0])"]}"#)
            #expect(both.status == 400 && house.hub.devices.all.devices.allSatisfy { !$0.isPlanned })
            let none = try await ask(.post, path + "/confirm", #"{"candidate_ids":[]}"#)
            #expect(none.status == 200 && none.body["created_devices"] == [])
            let answer = try await ask(.post, path + "/confirm", #"{"candidate_ids":["\#(ids[1])"],"reject":["\#(ids[0])"]}"#)
            #expect(answer.status == 200 && answer.body["created_devices"]?.array.count == 1)
            let candidates = try await ask(.get, path + "/status").body["candidates"]?.array ?? []
            #expect(candidates.map { $0["status"] } == ["rejected", "confirmed", "needs_info"])
            for body in [#"{"candidate_ids":"all"}"#, #"{"candidates":[]}"#] {
                #expect(try await ask(.post, path + "/confirm", body).status == 400)
            }
            for words in ["", "   ", "\\u0000"] {
                #expect(try await ask(.post, path + "/message", Self.message(words)).status == 400, "\(words)")
            }
            #expect(try await ask(.post, path + "/message", Self.message(String(repeating: "a", count: 2001))).status == 400)
        }
    }

    @Test("Start resumes the running interview, and pause and resume keep its question")
    func goesOn() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            try await Self.installDevices(house, by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)
            let begun = try await ask(.post, Self.path + "/start", "{}")
            let id = try #require(begun.body["interview_id"]?.string)
            let path = Self.path + "/" + id
            let question = try await ask(.post, path + "/message", Self.message("A Hue lamp."))
            #expect(question.body["ai_response"]?.string?.contains("Which room") == true, "\(question.body)")

            let other = try await ask(.post, Self.path + "/start", #"{"house_id":"house_1"}"#)
            #expect(other.status == 200 && other.body["interview_id"] == .string(id))
            #expect(other.body["ai_message"] == question.body["ai_response"] && other.body["version"] == question.body["version"])

            let paused = try await ask(.post, path + "/pause")
            #expect(paused.status == 200 && paused.body["status"] == "paused")
            #expect(try await ask(.post, path + "/pause").status == 409)
            let silent = try await ask(.post, path + "/message", Self.message("a fan"))
            #expect(silent.status == 409 && silent.body["error"]?["details"]?["status"] == "paused")
            let resumed = try await ask(.post, path + "/resume")
            #expect(resumed.status == 200 && resumed.body["ai_response"]?.string?.contains("Which room") == true)
            #expect(try await ask(.post, path + "/resume").status == 409)
            _ = try await ask(.post, path + "/pause")
            let taken = try await ask(.post, Self.path + "/start")
            #expect(taken.status == 200 && taken.body["status"] == "active" && taken.body["interview_id"] == .string(id))
        }
    }

    @Test("The later of two concurrent messages gets the current version")
    func twoScreens() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            try await Self.installDevices(house, by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)
            let begun = try await ask(.post, Self.path + "/start")
            let path = Self.path + "/" + (begun.body["interview_id"]?.string ?? "")
            #expect(try await ask(.post, path + "/message", Self.message("A lamp in the hall."), ifMatch: begun.entityTag).status == 200)
            let late = try await ask(.post, path + "/message", Self.message("no"), ifMatch: begun.entityTag)
            #expect(late.status == 412 && late.body["error"]?["details"]?["current"]?["candidates"]?.array.count == 1)
            for request in ["/confirm", "/pause", "/resume"] {
                #expect(try await ask(.post, path + request, ifMatch: "\"1\"").status == 412)
            }
            #expect(try await ask(.delete, path, ifMatch: "\"1\"").status == 412)

            // A request without a version is served, and concurrent confirmations create one device.
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try await ask(.post, path + "/confirm") } }
                return try await group.reduce(into: [Int]()) { $0.append($1.status) }
            }
            #expect(Set(answers).isSubset(of: [200, 409]) && answers.contains(200), "\(answers)")
            #expect(house.hub.devices.all.devices.count(where: \.isPlanned) <= 1)
            #expect(house.hub.devices.device("hall-light")?.roomID == "hall")
        }
    }

    @Test("Two concurrent starts create one interview")
    func startsAtOnce() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let ids = try await withThrowingTaskGroup { group in
                for _ in 0..<12 { group.addTask { try await house.interview(of: owner) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
    }

    @Test("Interviews need the right to add devices, and are visible only to their owner")
    func rights() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, Self.path + "/start").body["interview_id"]?.string)
            let (_, member) = try await house.resident("ben", role: "member", by: owner)
            let (_, admin) = try await house.resident("ada", role: "admin", by: owner)
            let guest = try await house.guest(house.draft(), by: owner)
            let path = Self.path + "/" + id
            let calls: [(HTTPRequest.Method, String, String?)] = [
                (.post, path + "/message", Self.message("a lamp")), (.get, path + "/status", nil), (.get, path + "/conversation", nil),
                (.post, path + "/confirm", nil), (.post, path + "/pause", nil), (.post, path + "/resume", nil), (.delete, path, nil),
            ]
            for (method, path, body) in calls {
                #expect(try await TestAPIClient(client: client, token: member.access)(method, path, body).status == 403, "\(path)")
                #expect(try await TestAPIClient(client: client, token: admin.access)(method, path, body).status == 404, "\(path)")
                #expect(try await TestAPIClient(client: client, token: guest.token)(method, path, body).status == 401, "\(path)")
            }
            let ben = TestAPIClient(client: client, token: member.access)
            #expect(try await ben(.post, Self.path + "/start").status == 403)
            #expect(try await ben(.get, Self.path).status == 403)
            #expect(try await TestAPIClient(client: client, token: admin.access)(.get, Self.path).body["total"] == 0)
            let refused = try await house.hub.activity.entries(.init(limit: 30), seenBy: owner).filter { $0.result == "refused" }
            let deeds = [
                "interview.start", "interview.say", "interview.confirm", "interview.pause", "interview.resume", "interview.cancel",
            ]
            #expect(Set(deeds).isSubset(of: refused.map(\.action)))
            #expect(try await ask(.get, path + "/status").body["status"] == "active")
        }
    }

    @Test("Interview updates reach all sessions of their owner and no other person")
    func told() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, admin) = try await house.resident("ada", role: "admin", by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, Self.path + "/start").body["interview_id"]?.string)
            _ = try await ask(.post, Self.path + "/\(id)/message", Self.message("a lamp called Secret in the hall"))
            func heard(_ token: Secret) async throws -> [JSONValue] {
                let page = try await TestAPIClient(client: client, token: token)(.get, "/api/v1/changes?after=0&limit=500")
                return (page.body["changes"]?.array ?? []).filter { $0["type"] == "interview_update" }
            }
            let mine = try await heard(tokens.access)
            #expect(mine.map { $0["data"]?["interview_id"] } == [.string(id), .string(id)], "\(mine)")
            #expect(mine.first?["data"]?["status"] == "active" && mine.first?["data"]?["current_phase"] == "introduction")
            #expect(mine.allSatisfy { !"\($0)".contains("Secret") })
            #expect(try await heard(admin.access).isEmpty)
        }
    }
}
