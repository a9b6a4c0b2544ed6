import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Mind events on the realtime stream", .timeLimit(.minutes(5)))
struct RealtimeMindEventsTests {
    @Test("A query and its answer are sent only to the asker's own sessions")
    func asked() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, admin) = try await house.resident("ada", role: "admin", by: owner)
            let (_, member) = try await house.resident("bea", role: "member", by: owner)
            let (_, _, pass) = try await house.guest(house.draft(), by: owner)
            func heard(_ token: Secret) async throws -> [JSONValue] {
                let page = try await TestAPIClient(client: client, token: token)(.get, "/api/v1/changes?after=0&limit=500")
                #expect(page.status == 200)
                return (page.body["changes"]?.array ?? []).filter { $0["type"] == "consciousness_query" }
            }

            let query = "is the front door locked?"
            let asker = TestAPIClient(client: client, token: member.access)
            let answer = try await asker(.post, "/api/v1/consciousness/query", #"{"query":"\#(query)"}"#)

            let mine = try await heard(member.access)
            #expect(mine.count == 1, "\(mine)")
            let data = mine.first?["data"]
            #expect(data?["query"] == .string(query) && data?["response"] == answer.body["response"], "\(mine)")
            #expect(data?["confidence"] == answer.body["confidence"] && data?["person_id"] == nil)
            for other in [tokens.access, admin.access, pass] { #expect(try await heard(other).isEmpty) }
        }
    }

    @Test("Mind status changes reach all residents and no guest")
    func standing() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, member) = try await house.resident("bea", role: "member", by: owner)
            let (_, _, pass) = try await house.guest(house.draft(), by: owner)
            func heard(_ token: Secret) async throws -> [String] {
                let page = try await TestAPIClient(client: client, token: token)(.get, "/api/v1/changes?after=0&limit=500")
                #expect(page.status == 200)
                let told = (page.body["changes"]?.array ?? []).filter { $0["type"] == "status_update" && $0["data"]?["part"] == "mind" }
                return told.compactMap { $0["data"]?["status"]?.string }
            }
            #expect(try await heard(tokens.access).isEmpty)

            await house.mind.poll(isAsked: true)

            let status = try await TestAPIClient(client: client, token: tokens.access)(.get, "/api/v1/consciousness/status")
            let now = try #require(status.body["status"]?.string)
            for resident in [tokens.access, member.access] { #expect(try await heard(resident) == [now]) }
            #expect(try await heard(pass).isEmpty)
            // Unchanged, it is not sent again.
            await house.mind.poll(isAsked: true)
            #expect(try await heard(tokens.access) == [now])
        }
    }
}
