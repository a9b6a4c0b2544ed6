import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@Suite("Regressions found by the access matrix", .timeLimit(.minutes(10)))
struct AccessRegressionTests {
    /// The newest entry of the activity, in one line.
    private func latestEntry(_ caller: TestAPIClient) async throws -> String {
        let entry = try await caller(.get, "/api/v1/activity?limit=1").body["entries"]?.array.first
        return ["action", "device_id", "result", "reason"].compactMap { entry?[$0]?.string }.joined(separator: " ")
    }

    @Test("A member reads the result of their own command; another's command is 404, and the owner reads it")
    func commands() async throws {
        try await HubTransport.router.run { house, _, client in
            let (who, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let ben = TestAPIClient(client: client, token: try await house.resident("ben", role: "member", by: who).tokens.access)
            let path = "/api/v1/devices/hall-light/control"
            let owners = try #require(try await owner(.put, path, #"{"action":"on"}"#).body["command_id"]?.string)
            let bens = try #require(try await ben(.put, path, #"{"action":"off"}"#).body["command_id"]?.string)

            #expect(try await ben(.get, "/api/v1/commands/\(bens)").status == 200)
            #expect(try await owner(.get, "/api/v1/commands/\(bens)").status == 200)
            let another = try await ben(.get, "/api/v1/commands/\(owners)")
            let nobodys = try await ben(.get, "/api/v1/commands/cmd_nobody")
            #expect(another.status == 404 && nobodys.status == 404)
            #expect(another.body["error"]?["message"] == nobodys.body["error"]?["message"])
        }
    }

    @Test(
        "An unknown or replaced guest token on shared routes is rejected as such, not as a server error"
    )
    func passes() async throws {
        try await HubTransport.router.run { house, _, client in
            let (who, _) = try await house.claim()
            let (_, id, token) = try await house.guest(house.draft(), by: who)
            let link = try await house.hub.guests.newCode(for: id, by: who, origin: .house).linkCode
            _ = try await house.hub.guestAccess.pair(link.reveal(), origin: .house)

            for path in ["/api/v1/changes", "/api/v1/realtime/events"] {
                let replaced = try await TestAPIClient(client: client, token: token)(.get, path)
                #expect(replaced.status == 401 && replaced.code == "token_revoked")
                let unknown = try await TestAPIClient(client: client, token: SecretGenerator.token(.guestPass))(.get, path)
                #expect(unknown.status == 401 && unknown.code == "unauthorized")
                #expect(unknown.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            }
        }
    }

    @Test("A token for one door and a role without rights get the same answer for hidden and missing ids")
    func unknown() async throws {
        try await HubTransport.router.run { house, _, client in
            let (who, _) = try await house.claim()
            let made = try await house.hub.apiTokens.make(
                .init(
                    name: "Door", items: [.init(deviceID: "front-door", entityID: nil, actions: ["door.open"])], role: nil, expiresAt: nil),
                by: who, origin: .house)
            guard case .person(let id, _) = who else { return }
            let program = TestAPIClient(client: client, token: made.secret)
            let nobody = TestAPIClient(client: client, token: try await house.resident("nobody", role: "guest", by: who).tokens.access)
            let tries: [(TestAPIClient, HTTPRequest.Method, (String) -> String, String?, there: String)] = [
                (program, .put, { "/api/v1/devices/\($0)/control" }, #"{"action":"unlock"}"#, "back-door"),
                (program, .put, { "/api/v1/devices/\($0)/control" }, #"{"action":"set_brightness"}"#, "hall-light"),
                (program, .get, { "/api/v1/devices/\($0)/history" }, nil, "hall-sensor"),
                (nobody, .put, { "/api/v1/devices/\($0)/control" }, #"{"action":"unlock"}"#, "back-door"),
                (nobody, .get, { "/api/v1/devices/\($0)/history" }, nil, "hall-sensor"),
                (nobody, .get, { "/api/v1/people/\($0)/sessions" }, nil, id),
                (nobody, .patch, { "/api/v1/people/\($0)" }, #"{"name":"Else"}"#, id),
                (nobody, .delete, { "/api/v1/people/\($0)" }, nil, id),
                (nobody, .post, { "/api/v1/people/\($0)/invite" }, nil, id),
            ]
            for (caller, method, path, body, there) in tries {
                let one = try await caller(method, path(there), body)
                let other = try await caller(method, path("nobodys"), body)
                #expect(one.status == 403 && other.status == 403, "\(path(there))")
                #expect(one.body["error"]?["details"] == other.body["error"]?["details"], "\(path(there))")
            }
        }
    }

    @Test("Refused reads, wrong passwords on password change and passkey renames are audited")
    func looks() async throws {
        try await HubTransport.router.run { house, _, client in
            let (who, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let member = TestAPIClient(client: client, token: try await house.resident("member", role: "member", by: who).tokens.access)
            let (_, pass, guestToken) = try await house.guest(house.draft(), by: who)
            _ = try await house.hub.guests.decide(.suspend, pass, by: who, origin: .house)
            guard case .person(let ownerID, _) = who else { return }

            for (path, entry) in [
                ("/api/v1/guests/\(pass)/qr.svg", "look.guests.qr refused role_lacks_right"),
                ("/api/v1/guests", "look.guests refused role_lacks_right"),
                ("/api/v1/asks", "look.asks refused role_lacks_right"),
                ("/api/v1/integrations", "look.integrations refused role_lacks_right"),
                ("/api/v1/people/\(ownerID)/sessions", "look.people.sessions refused role_lacks_right"),
                (
                    "/api/v1/access/explain?guest_id=\(pass)&device_id=front-door&action=unlock",
                    "look.access.explain refused role_lacks_right"
                ),
            ] {
                #expect(try await member(.get, path).status == 403)
                #expect(try await latestEntry(owner) == entry)
            }
            let question = #"{"guest_id":"\#(pass)","device_id":"front-door","action":"unlock"}"#
            #expect(try await member(.post, "/api/v1/explain", question).status == 403)
            #expect(try await latestEntry(owner) == "look.explain refused role_lacks_right")
            #expect(try await TestAPIClient(client: client, token: guestToken)(.get, "/api/guest_access/states").status == 403)
            // Reading with an invalid pass is not an attempt.
            #expect(try await latestEntry(owner) == "look.explain refused role_lacks_right")
            // The pass's own history names who requested its code.
            let history = try await owner(.get, "/api/v1/guests/\(pass)").body["history"]?.array.compactMap { $0["action"]?.string } ?? []
            #expect(history.contains("look.guests.qr") && !history.contains("look.guest_access.states"))

            let wrong = #"{"current_password":"not this one","new_password":"a new one at last"}"#
            #expect(try await member(.put, "/api/v1/people/me/password", wrong).status == 401)
            #expect(try await latestEntry(owner) == "people.password refused invalid_credentials")
            house.clock.advance(by: 301)
            #expect(try await owner(.post, "/api/v1/auth/recovery-codes", "{}").code == "step_up_required")
            #expect(try await latestEntry(owner) == "recovery_codes.make refused step_up_required")
        }
    }

    @Test("Access explanations accept query parameters")
    func explain() async throws {
        try await HubTransport.router.run { house, _, client in
            let (who, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let (_, pass, _) = try await house.guest(house.draft(localOnly: true), by: who)
            let path = "/api/v1/access/explain?guest_id=\(pass)&device_id=front-door"

            let yes = try await owner(.get, path + "&action=door.open")
            #expect(yes.status == 200 && yes.body["decision"] == "allow" && yes.body["grant_id"] == .string(pass))
            let far = try await owner(.get, path + "&action=door.open&remote=true&entity_id=lock.front_door")
            #expect(far.body["decision"] == "deny" && far.body["reason"] == "forbidden_remote")
            let late = try await owner(.get, path + "&action=door.open&at=2036-01-01T00:00:00Z")
            #expect(late.body["reason"] == "expired")
            for wrong in ["", "&action=fly", "&action=door.open&at=soon", "&action=door.open&remote=perhaps"] {
                #expect(try await owner(.get, path + wrong).status == 400, "\(wrong)")
            }
            #expect(try await owner(.get, "/api/v1/access/explain?action=unlock").status == 400)
        }
    }
}
