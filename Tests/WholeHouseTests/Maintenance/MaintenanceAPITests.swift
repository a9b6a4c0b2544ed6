import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Maintenance API", .timeLimit(.minutes(10)))
struct MaintenanceAPITests {
    private static let path = "/api/v1/maintenance"

    @Test("A task is created, read, changed with If-Match, completed and deleted")
    func life() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let filter =
                #"{"title":"Change the filter","category":"heating","due_on":"2026-10-31","recurrence":"monthly","device_id":"hall-light"}"#

            let made = try await ask(.post, Self.path, filter, key: "m-1")
            let again = try await ask(.post, Self.path, filter, key: "m-1")
            let id = try #require(made.body["task_id"]?.string)
            let one = "\(Self.path)/\(id)"

            #expect(made.status == 201 && made.entityTag == "\"1\"" && again.body["task_id"] == .string(id))
            #expect(made.body["priority"] == "normal" && made.body["is_predictive"] == false && made.body["room_id"] == .null)
            let list = try await ask(.get, Self.path + "?overdue=true&device_id=hall-light&due_before=2026-11-01")
            #expect(list.body["total"] == 1 && list.body["today"] == "2026-11-21")
            #expect(try await ask(.get, Self.path + "?overdue=true&room_id=nowhere").body["total"] == 0)
            #expect(try await ask(.get, one, ifNoneMatch: "\"1\"").status == 304)
            let changed = try await ask(.patch, one, #"{"title":"Change both","device_id":null,"notes":"Cellar"}"#, ifMatch: "\"1\"")
            #expect(changed.status == 200 && changed.entityTag == "\"2\"" && changed.body["device_id"] == .null)
            #expect(changed.body["due_on"] == "2026-10-31" && changed.body["recurrence"] == "monthly" && changed.body["notes"] == "Cellar")
            let stale = try await ask(.patch, one, #"{"priority":"low"}"#, ifMatch: "\"1\"")
            #expect(stale.status == 412 && stale.body["error"]?["details"]?["current"]?["title"] == "Change both")
            #expect(try await ask(.post, one + "/complete", ifMatch: "\"1\"").status == 412)

            let bill = #"{"cost":{"minor":1299,"currency":"EUR"},"notes":"G4","service_provider":"Air"}"#
            let done = try await ask(.post, one + "/complete", bill, key: "d-1")
            let replayed = try await ask(.post, one + "/complete", bill, key: "d-1")
            #expect(done.status == 200 && done.entityTag == "\"3\"" && done.body["task"]?["due_on"] == "2026-11-30")
            #expect(done.body["completion"]?["cost"]?["minor"] == 1299 && done.body["completion"]?["due_on"] == "2026-10-31")
            #expect(replayed.body["completion"]?["completion_id"] == done.body["completion"]?["completion_id"])
            #expect(try await ask(.post, one + "/complete").status == 200)
            let history = try await ask(.get, one + "/history?limit=1")
            #expect(history.body["completions"]?.array.count == 1 && history.body["has_more"] == true)
            let last = try #require(history.body["completions"]?.array.first?["completion_id"]?.string)
            let before = try await ask(.get, one + "/history?before=\(last)")
            #expect(before.body["completions"]?.array.map { $0["completed_by_name"] } == ["owner"] && before.body["has_more"] == false)

            let once = try await ask(.patch, one, #"{"recurrence":null,"due_on":null}"#)
            #expect(once.body["due_on"] == .null)
            #expect(try await ask(.post, one + "/complete", "{}").body["task"]?["done_at"] != .null)
            let twice = try await ask(.post, one + "/complete", "{}")
            #expect(twice.status == 409 && twice.code == "conflict")
            #expect(try await ask(.get, Self.path).body["total"] == 0)
            #expect(try await ask(.get, Self.path + "?done=true").body["total"] == 1)
            #expect(try await ask(.delete, one, ifMatch: "\"1\"").status == 412)
            #expect(try await ask(.delete, one).status == 204)
            let gone = try await ask(.get, one)
            #expect(gone.status == 404 && gone.code == "task_not_found")
        }
    }

    @Test("An invalid task or completion is rejected by field")
    func refused() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, Self.path, #"{"title":"Filter"}"#).body["task_id"]?.string)
            let long = String(repeating: "a", count: 501)
            for (path, body, field) in [
                ("", #"{"title":" "}"#, "title"), ("", #"{"title":"A","due_on":"2026-02-30"}"#, "due_on"),
                ("", #"{"title":"A","due_on":"1999-12-31"}"#, "due_on"), ("", #"{"title":"A","recurrence":"daily"}"#, "recurrence"),
                ("", #"{"title":"A","recurrence":"often"}"#, "recurrence"), ("", #"{"title":"A","category":"magic"}"#, "category"),
                ("", #"{"title":"A","device_id":"cellar"}"#, "device_id"), ("", #"{"title":"A","room_id":"nowhere"}"#, "room_id"),
                ("", #"{"title":"A","notes":"\#(long)"}"#, "notes"), ("", #"{"title":"A","is_predictive":true}"#, "is_predictive"),
                ("/\(id)/complete", #"{"cost":{"minor":-1,"currency":"EUR"}}"#, "cost"),
                ("/\(id)/complete", #"{"cost":{"minor":1,"currency":"euro"}}"#, "cost"),
                ("/\(id)/complete", #"{"cost":{"minor":1,"currency":"EUR","tax":1}}"#, "cost.tax"),
                ("/\(id)/complete", #"{"completed_at":"2027-01-01T00:00:00Z"}"#, "completed_at"),
                ("/\(id)/complete", #"{"service_provider":""}"#, "service_provider"),
            ] {
                let answer = try await ask(.post, Self.path + path, body)
                #expect(answer.status == 400 && answer.body["error"]?["details"]?["field"] == .string(field), "\(body) \(answer.body)")
            }
            for query in ["due_before=soon", "overdue=1", "done=maybe"] {
                #expect(try await ask(.get, "\(Self.path)?\(query)").status == 400)
            }
            #expect(try await ask(.get, "\(Self.path)/\(id)/history?before=x").status == 400)
        }
    }
}
