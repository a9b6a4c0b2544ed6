import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Guest approvers API", .timeLimit(.minutes(10)))
struct GuestApproversAPITests {
    @Test("People see whether they approve, a waiting guest sees who does, and others are refused with the reason")
    func told() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, ben) = try await house.resident("Ben", role: "member", by: owner)
            let (_, ada) = try await house.resident("Ada", role: "admin", by: owner)
            let (ask, member, admin) = (
                TestAPIClient(client: client, token: tokens.access), TestAPIClient(client: client, token: ben.access),
                TestAPIClient(client: client, token: ada.access)
            )
            let (_, id, token) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let guest = TestAPIClient(client: client, token: token)

            #expect(try await member(.get, "/api/v1/people/me").body["can_answer_asks"] == false)
            #expect(try await admin(.get, "/api/v1/people/me").body["can_answer_asks"] == true)
            let first = try await guest(.post, "/api/guest_access/action", #"{"action":"door.open"}"#, key: "one")
            #expect(first.status == 202 && first.body["message"] == "Someone who may let guests in has to say yes.")
            let command = try #require(first.body["command_id"]?.string)
            let refused = try await member(.post, "/api/v1/commands/\(command)/approve")
            #expect(refused.status == 403 && refused.body["error"]?["details"]?["reason"] == "role_lacks_right")
            #expect(refused.body["error"]?["message"]?.string?.contains("may not answer guests") == true)
            #expect(try await member(.get, "/api/v1/asks").status == 403)

            let everyone = #"{"asks_answered_by":"everyone"}"#
            #expect(try await admin(.put, "/api/v1/house", everyone).status == 403)
            let chosen = try await ask(.put, "/api/v1/house", everyone)
            #expect(chosen.status == 200 && chosen.body["asks_answered_by"] == "everyone")

            #expect(try await member(.get, "/api/v1/people/me").body["can_answer_asks"] == true)
            let again = try await guest(.post, "/api/guest_access/action", #"{"action":"door.open"}"#, key: "one")
            #expect(again.status == 202 && again.body["message"] == "Someone who lives here has to say yes.")
            let asks = try await member(.get, "/api/v1/asks").body["asks"]?.array ?? []
            #expect(asks.map { $0["command_id"] } == [.string(command)] && asks.first?["guest_id"] == .string(id))
            let why = try await ask(
                .post, "/api/v1/explain", #"{"guest_id":"\#(id)","device_id":"front-door","action":"door.open"}"#)
            #expect(why.body["decision"] == "ask" && why.body["details"]?["answered_by"] == "everyone")
            #expect(try await member(.post, "/api/v1/commands/\(command)/approve").status == 200)
            let open = try await guest(.post, "/api/guest_access/action", #"{"action":"door.open"}"#, key: "one")
            #expect(open.status == 200 && house.doorBackend.backendCommands.count == 1)
        }
    }
}
