import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Memory API", .timeLimit(.minutes(10)))
struct MemoryAPITests {
    private func memories(_ ask: TestAPIClient, _ query: String = "") async throws -> [JSONValue] {
        let answer = try await ask(.get, "/api/v1/memory\(query)", nil)
        #expect(answer.status == 200, "\(answer.body)")
        return answer.body["memories"]?.array ?? []
    }

    @Test(
        "A memory is stored, found by words, used in answers, changed and deleted",
        arguments: HubTransport.allCases)
    func told(harness: HubTransport) async throws {
        try await harness.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let made = try await ask(
                .post, "/api/v1/memory",
                #"{"type":"semantic","content":"The boiler was serviced by the plumber","tags":["heating"],"related_devices":["hall-light"]}"#
            )
            _ = try await ask(.post, "/api/v1/memory", #"{"type":"procedural","content":"The bins go out on Tuesday"}"#)
            let id = made.body["memory_id"]?.string ?? ""
            #expect(made.status == 201 && made.body["status"] == "stored" && made.body["memory"]?["may_change"] == true)

            #expect(try await memories(ask, "?q=servicing%20boilers").map { $0["memory_id"]?.string } == [id])
            #expect(try await memories(ask, "?memory_type=procedural").map { $0["content"] } == ["The bins go out on Tuesday"])
            #expect(try await memories(ask, "?device_id=hall-light").map { $0["memory_id"]?.string } == [id])
            let asked = try await ask(.post, "/api/v1/consciousness/query", #"{"query":"what do you remember about the boiler?"}"#)
            #expect(asked.body["response"]?.string?.contains("The boiler was serviced by the plumber") == true, "\(asked.body)")
            #expect(asked.body["context"]?["events"] == [.string(id)])

            let stale = try await ask(.patch, "/api/v1/memory/\(id)", #"{"content":"x"}"#, ifMatch: "\"7\"")
            let changed = try await ask(
                .patch, "/api/v1/memory/\(id)", #"{"content":"The boiler was serviced in May","is_pinned":true}"#,
                ifMatch: "\"1\"")
            #expect(stale.status == 412 && changed.status == 200 && changed.body["version"] == 2)
            #expect(try await memories(ask, "?q=plumber").isEmpty)
            #expect(try await memories(ask, "?q=may").count == 1)
            #expect(try await ask(.delete, "/api/v1/memory/\(id)", nil).status == 204)
            #expect(try await ask(.get, "/api/v1/memory/\(id)", nil).code == "memory_not_found")
            for bad in [
                "{}", #"{"type":"guess","content":"x"}"#, #"{"type":"semantic","content":"  "}"#,
                #"{"type":"semantic","content":"x","importance":2}"#, #"{"type":"semantic","content":"x","related_devices":["cellar"]}"#,
            ] {
                let refused = try await ask(.post, "/api/v1/memory", bad)
                #expect(refused.status == 400 && refused.code == "validation_error", "\(bad) \(refused.body)")
            }
            for bad in ["?limit=0", "?limit=x", "?memory_type=x", "?time_range=week"] {
                #expect(try await ask(.get, "/api/v1/memory\(bad)", nil).status == 400, "\(bad)")
            }
        }
    }

    @Test("The sources of an answer can be opened by those who may see them, and are read-only")
    func evidence() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            let (ask, member) = (TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: others.access))
            _ = try await house.run(house.unlock(as: owner))
            house.clock.advance(by: 60)
            let asked = try await ask(.post, "/api/v1/consciousness/query", #"{"query":"who unlocked the front door today?"}"#)
            let events = asked.body["context"]?["events"]?.array.compactMap(\.string) ?? []
            #expect(events.count == 2, "\(asked.body)")
            for id in events {
                let memory = try await ask(.get, "/api/v1/memory/\(id)", nil)
                #expect(memory.body["memory_type"] == "episodic" && memory.body["related_devices"] == ["front-door"], "\(memory.body)")
                #expect(memory.body["may_change"] == false)
                #expect(try await ask(.delete, "/api/v1/memory/\(id)", nil).status == 409)
            }
            let seen = try await events.asyncMap { try await member(.get, "/api/v1/memory/\($0)", nil).status }
            #expect(seen.sorted() == [200, 404], "how the door stood, and not who asked for it")
            let texts = try await memories(member).compactMap { $0["content"]?.string }
            #expect(!texts.isEmpty && !texts.contains { $0.contains("You") || $0.contains("asked") }, "\(texts)")
        }
    }

    @Test("A member cannot change another person's memory, and the attempt is audited")
    func theirs() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            let (ask, member) = (TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: others.access))
            let made = try await ask(.post, "/api/v1/memory", #"{"type":"semantic","content":"The key is with the neighbour"}"#)
            let id = made.body["memory_id"]?.string ?? ""
            let read = try await member(.get, "/api/v1/memory/\(id)", nil)
            #expect(read.status == 200 && read.body["may_change"] == false && read.body["told_by"] != nil)
            #expect(try await member(.delete, "/api/v1/memory/\(id)", nil).status == 403)
            #expect(try await member(.patch, "/api/v1/memory/\(id)", #"{"content":"x"}"#).status == 403)
            let trail = try await ask(.get, "/api/v1/activity?limit=50", nil).body["entries"]?.array ?? []
            let refused = trail.filter { $0["result"] == "refused" }.compactMap { $0["action"]?.string }
            #expect(Set(refused) == ["memory.forget", "memory.change"], "\(trail)")
            #expect(trail.contains { $0["action"] == "memory.add" && $0["result"] == "done" })
        }
    }

    @Test("Members may read loop status, but not trigger a loop")
    func loops() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, others) = try await house.resident("bea", role: "member", by: owner)
            let (ask, member) = (TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: others.access))
            let sent = try await ask(.post, "/api/v1/safla/trigger", #"{"loop_id":"house"}"#)
            #expect(sent.status == 200 && sent.body["status"] == "initiated" && sent.body["estimated_completion"] == 900, "\(sent.body)")
            let status = try await member(.get, "/api/v1/safla/status", nil).body
            let loop = status["loops"]?.array.first
            #expect(status["active_loops"] == 1 && loop?["phases"]?.array.count == 4, "\(status)")
            #expect((loop?["phases"]?.array.first?["metrics"]?["runs"]?.number ?? 0) >= 1)
            let runs = loop?["phases"]?.array.compactMap { $0["metrics"]?["runs"]?.number } ?? []
            #expect(loop?["metrics"]?["runs"]?.number == runs.reduce(0, +), "\(status)")
            #expect(try await member(.post, "/api/v1/safla/trigger", #"{"loop_id":"house"}"#).status == 403)
            #expect(try await ask(.post, "/api/v1/safla/trigger", #"{"loop_id":"cellar"}"#).code == "loop_not_found")
            #expect(try await ask(.post, "/api/v1/safla/trigger", #"{"loop_id":"house","parameters":{"a":1}}"#).status == 400)
            let leaving = #"{"loop_id":"house","parameters":{"leaveSafeMode":true}}"#
            #expect(try await ask(.post, "/api/v1/safla/trigger", leaving).status == 200)
            let trail = try await ask(.get, "/api/v1/audit?action=mind.trigger").body["entries"]?.array
            #expect(trail?.map { $0["result"] } == ["refused"])
        }
    }

    @Test("The primary emotion has both field names, and an answer without the newer one still decodes")
    func primary() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            await house.mind.poll(isAsked: true)

            let emotions = try await ask(.get, "/api/v1/consciousness/emotions", nil)
            let current = try #require(emotions.body["current"])

            #expect(current["primary_emotion"]?.string == current["primary"]?.string && current["primary"]?.string != nil)
            let moments = emotions.body["history"]?.array ?? []
            #expect(!moments.isEmpty && moments.allSatisfy { $0["trigger_events"]?.array != nil }, "\(moments)")
            guard case .object(var fields) = current else { return }
            fields["primary_emotion"] = nil
            let older = try WireFormat.read(EmotionalStateAnswer.self, from: WireFormat.encode(JSONValue.object(fields)))
            #expect(older.primaryEmotion == nil && older.primary == current["primary"]?.string)
        }
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Value: Sendable>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
