import CardeaAPI
import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import Testing

@Suite("Hub API", .timeLimit(.minutes(10)))
struct HubAPITests {
    private func send(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> (status: Int, body: JSONValue, headers: HTTPFields) {
        var headers = headers
        if body != nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        let answer = try await client.executeRequest(uri: path, method: method, headers: headers, body: body.map(ByteBuffer.init(string:)))
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null
        return (answer.status.code, json, answer.headers)
    }

    @Test("Missing and wrong tokens and unknown paths are answered in the error format of their family")
    func errors() async throws {
        try await HubTransport.router.run { house, _, client in
            let bare = try await send(client, .get, "/api/v1/devices")
            #expect(bare.status == 401 && bare.body["error"]?["code"] == "unauthorized")
            #expect(bare.headers[.wwwAuthenticate] == "Bearer realm=\"cardea\"")
            let wrong = try await send(client, .get, "/api/v1/devices", token: "a.b.c")
            #expect(wrong.status == 401 && wrong.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            let guest = try await send(client, .post, "/api/guest_access/action", #"{"action":"door.open"}"#)
            #expect(guest.status == 401 && guest.body["error"] == "missing_bearer_token" && guest.body["success"] == false)
            let nowhere = try await send(client, .get, "/api/v1/nowhere")
            #expect(nowhere.status == 404 && nowhere.body["error"]?["code"] == "not_found")
            let method = try await send(client, .delete, "/api/v1/devices")
            #expect(method.status == 405 && method.headers[.allow] == "GET, HEAD")
            for answer in [bare, wrong, guest, nowhere, method] {
                #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                #expect(answer.headers[.xContentTypeOptions] == "nosniff")
                #expect(answer.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("A guest cancels a pending request, and a retry with its key reports the cancellation")
    func takenBack() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, _, secret) = try await house.guest(house.draft(uses: 2, asksEachTime: true), by: owner)
            let token = secret.reveal()
            let key = try #require(HTTPField.Name("Idempotency-Key"))
            func act() async throws -> (status: Int, body: JSONValue, headers: HTTPFields) {
                try await send(
                    client, .post, "/api/guest_access/action", #"{"action":"door.open"}"#, token: token, headers: [key: "one"])
            }
            func cancel(_ body: String) async throws -> (status: Int, body: JSONValue, headers: HTTPFields) {
                try await send(client, .post, "/api/guest_access/action/cancel", body, token: token)
            }
            let asked = try await act()
            #expect(asked.status == 202)
            let command = #"{"command_id":"\#(asked.body["command_id"]?.string ?? "")"}"#

            for _ in 0..<2 {
                let cancelled = try await cancel(command)
                #expect(cancelled.status == 200 && cancelled.body["success"] == true && cancelled.body["status"] == "taken_back")
                #expect(
                    cancelled.body["use_returned"] == true && cancelled.body["used_count"] == 0 && cancelled.body["remaining_uses"] == 2)
                #expect(cancelled.body["action"] == "door.open" && cancelled.body["entity_id"] == "lock.front_door")
            }

            let again = try await act()
            #expect(again.status == 409 && again.body["error"] == "taken_back" && again.body["use_returned"] == true)
            let asks = try await send(client, .get, "/api/v1/asks", token: tokens.access.reveal())
            #expect(asks.body["asks"] == [])
            let unknown = try await cancel(#"{"command_id":"cmd_x"}"#)
            #expect(unknown.status == 404 && unknown.body["error"] == "command_not_found" && unknown.body["success"] == false)
            let empty = try await cancel(#"{"command_id":""}"#)
            #expect(empty.status == 400 && empty.body["error"] == "invalid_payload")
            let (_, _, mine) = try await house.guest(house.draft(), by: owner)
            let opened = try await send(client, .post, "/api/guest_access/action", #"{"action":"door.open"}"#, token: mine.reveal())
            let late = try await send(
                client, .post, "/api/guest_access/action/cancel", #"{"command_id":"\#(opened.body["command_id"]?.string ?? "")"}"#,
                token: mine.reveal())
            #expect(late.status == 409 && late.body["error"] == "not_waiting")
            let nobody = try await send(client, .post, "/api/guest_access/action/cancel", command)
            #expect(nobody.status == 401 && nobody.body["error"] == "missing_bearer_token")
        }
    }

    @Test("Devices are listed with ETag, filtered, and answered 304 if unchanged")
    func devices() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let token = tokens.access.reveal()
            let all = try await send(client, .get, "/api/v1/devices", token: token)
            #expect(all.body["total"] == 4 && all.body["filters_applied"] == [:])
            let tag = try #require(all.headers[.eTag])
            let same = try await send(client, .get, "/api/v1/devices", token: token, headers: [.ifNoneMatch: tag])
            #expect(same.status == 304)
            let lights = try await send(client, .get, "/api/v1/devices?device_type=light&status=online", token: token)
            #expect(lights.body["total"] == 1 && lights.body["filters_applied"] == ["type": "light", "status": "online"])
            let nonsense = try await send(client, .get, "/api/v1/devices?status=asleep", token: token)
            #expect(nonsense.status == 400)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            let changed = try await send(client, .get, "/api/v1/devices", token: token, headers: [.ifNoneMatch: tag])
            #expect(changed.status == 200 && changed.headers[.eTag] != tag)
            let door = try await send(client, .get, "/api/v1/devices/front-door", token: token)
            #expect(door.body["state"]?["locked"] == false && door.body["entities"] != nil)
            #expect(try await send(client, .get, "/api/v1/devices/nowhere", token: token).status == 404)
        }
    }

    @Test("Different device lists have different ETags, also across a restart")
    func tagsAcrossStarts() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let token = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { try await $0.claim().tokens.access.reveal() }
        var lists: [String: JSONValue] = [:]
        var states = ["locked", "unlocked", "jammed", "locking", "unlocking", "open"].makeIterator()

        for _ in 0..<3 {
            let changes = [states.next(), states.next()].compactMap { $0 }
            let seen = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
                try await house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: logger).test(.router) { client in
                    var seen: [(String, JSONValue)] = []
                    for change in changes {
                        try await house.doorBackend.report(change, at: "lock.front_door")
                        let answer = try await send(client, .get, "/api/v1/devices", token: token)
                        seen.append((try #require(answer.headers[.eTag]), answer.body))
                    }
                    return seen
                }
            }
            for (tag, list) in seen {
                #expect(lists[tag] == nil || lists[tag] == list)
                lists[tag] = list
            }
        }

        #expect(lists.count == 6)
    }

    @Test("Device control answers confirmed, failed, unknown, pending and replayed", arguments: HubTransport.allCases)
    func control(harness: HubTransport) async throws {
        try await harness.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let token = tokens.access.reveal()
            let path = "/api/v1/devices/front-door/control"
            let key: HTTPFields = [.init("Idempotency-Key") ?? .accept: "k-1"]
            let done = try await send(client, .put, path, #"{"action":"unlock"}"#, token: token, headers: key)
            #expect(done.status == 200 && done.body["status"] == "confirmed" && done.body["new_state"]?["state"] == "unlocked")
            let replay = try await send(client, .put, path, #"{"action":"unlock"}"#, token: token, headers: key)
            #expect(
                replay.body["command_id"] == done.body["command_id"] && replay.headers[.init("Idempotent-Replayed") ?? .accept] == "true")
            let reused = try await send(client, .put, path, #"{"action":"lock"}"#, token: token, headers: key)
            #expect(reused.status == 422 && reused.body["error"]?["code"] == "idempotency_key_reused")
            house.doorBackend.set(.jams, at: "lock.front_door")
            let jammed = try await send(client, .put, path, #"{"action":"lock"}"#, token: token)
            #expect(jammed.status == 500 && jammed.body["error"]?["code"] == "action_execution_failed")
            house.doorBackend.set(.unreachable, at: "lock.front_door")
            let away = try await send(client, .put, path, #"{"action":"lock"}"#, token: token)
            #expect(away.status == 503 && away.body["error"]?["code"] == "device_unreachable")
            house.doorBackend.set(.unable, at: "lock.front_door")
            let unable = try await send(client, .put, path, #"{"action":"lock"}"#, token: token)
            #expect(unable.status == 400 && unable.body["error"]?["code"] == "unsupported_action", "\(unable.body)")
            house.doorBackend.set(.silent, at: "lock.front_door")
            let later = try await send(
                client, .put, path, #"{"action":"lock"}"#, token: token, headers: [.init("Prefer") ?? .accept: "respond-async"])
            #expect(later.status == 202 && later.body["status"] == "dispatching")
            let id = try #require(later.body["command_id"]?.string)
            #expect(try await send(client, .get, "/api/v1/commands/\(id)", token: token).body["status"] == "dispatching")
            for (body, status, code) in [
                (#"{"action":"toggle"}"#, 400, "unsupported_action"), (#"{"action":"on"}"#, 400, "unsupported_action"),
                (#"{}"#, 400, "validation_error"),
                (#"{"action":"lock","force":true}"#, 400, "validation_error"), (#"{"action":7}"#, 400, "validation_error"),
                ("[]", 400, "invalid_payload"),
                ("nonsense", 400, "invalid_json"), (#"{"action":"lock","value":1}"#, 400, "validation_error"),
                (#"{"action":"lock","transition_time":-1}"#, 400, "validation_error"),
            ] {
                let answer = try await send(client, .put, path, body, token: token)
                #expect(answer.status == status && answer.body["error"]?["code"] == .string(code), "\(body) \(answer.body)")
            }
            #expect(house.doorBackend.backendCommands.count == 3)
        }
    }

    @Test("Guest routes answer with the status and error codes of their contract")
    func guestFamily() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (_, id, secret) = try await house.guest(house.draft(uses: 2, actions: ["door.open", "door.lock"]), by: owner)
            let token = secret.reveal()
            func action(_ body: String) async throws -> (status: Int, body: JSONValue, headers: HTTPFields) {
                try await send(client, .post, "/api/guest_access/action", body, token: token)
            }
            for (body, status, code) in [
                ("nonsense", 400, "invalid_json"), ("[]", 400, "invalid_payload"), ("{}", 400, "invalid_action"),
                (#"{"action":5}"#, 400, "invalid_action"),
                (#"{"action":""}"#, 400, "invalid_action"), (#"{"action":"light.toggle"}"#, 400, "unsupported_action"),
                (#"{"action":"light.on"}"#, 403, "scope_mismatch"),
                (#"{"action":"door.open","entity_id":"lock.x"}"#, 403, "entity_not_in_scope"),
                (#"{"action":"door.open","role":"owner"}"#, 400, "invalid_payload"),
            ] {
                let answer = try await action(body)
                #expect(answer.status == status && answer.body["error"] == .string(code), "\(body): \(answer.body)")
            }
            let states = try await send(client, .get, "/api/guest_access/states", token: token)
            #expect(states.body["entities"] != nil)
            let opened = try await action(#"{"action":"door.open"}"#)
            #expect(opened.status == 200 && opened.body["remaining_uses"] == 1 && opened.body["used_count"] == 1)
            let validated = try await send(client, .post, "/api/guest_access/token/validate", #"{"guest_token":"\#(token)"}"#)
            #expect(validated.status == 200 && validated.body["remaining_uses"] == 1 && validated.body["guest_id"] == .string(id))

            _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: .house)
            #expect(try await action(#"{"action":"door.open"}"#).body["error"] == "pass_suspended")
            _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
            let revoked = try await action(#"{"action":"door.open"}"#)
            #expect(revoked.status == 401 && revoked.body["error"] == "token_revoked")
            #expect(revoked.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            let gone = try await send(client, .get, "/api/guest_access/pass", token: token)
            #expect(gone.status == 200 && gone.body["status"] == "revoked")
        }
    }

    @Test("A pass that asks each time answers 202 until approval")
    func pending() async throws {
        try await HubTransport.router.run { house, cardea, client in
            let (owner, _) = try await house.claim()
            let (_, _, secret) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let key: HTTPFields = [.init("Idempotency-Key") ?? .accept: "open-1"]
            func ask() async throws -> (status: Int, body: JSONValue, headers: HTTPFields) {
                try await send(client, .post, "/api/guest_access/action", #"{"action":"door.open"}"#, token: secret.reveal(), headers: key)
            }
            let first = try await ask()
            #expect(first.status == 202 && first.body["status"] == "pending_approval" && first.headers[.retryAfter] == "2")
            #expect(try await ask().status == 202)
            let id = try #require(first.body["command_id"]?.string)
            _ = try await house.hub.commands.decide(id, approve: true, by: owner, origin: .house)
            var answer = try await ask()
            while answer.status == 409 { answer = try await ask() }
            #expect(answer.status == 200 && answer.body["success"] == true)
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A foreign Origin is refused, and an unknown Host is not served")
    func strangers() async throws {
        try await HubTransport.live.run { house, _, client in
            let foreign = try await send(client, .get, "/api/v1/claim", headers: [.origin: "https://evil.example"])
            #expect(foreign.status == 403 && foreign.body["error"]?["code"] == "origin_not_allowed")
            let null = try await send(client, .post, "/api/v1/auth/refresh", "{}", headers: [.origin: "null"])
            #expect(null.status == 403)
            let both = try await send(client, .get, "/api/v1/claim")
            #expect(both.status == 200 && both.body["claimed"] == false)
        }
    }

    @Test("Pages are sent with CSP, compressed on request, and answered 304 if unchanged")
    func pages() async throws {
        try await HubTransport.router.run { _, _, client in
            for path in ["/", "/guests/new", "/claim", "/g"] {
                let page = try await client.executeRequest(uri: path, method: .get, headers: [.acceptEncoding: "deflate, gzip"], body: nil)
                #expect(page.status == .ok && page.headers[.contentEncoding] == "gzip")
                // Made after the start, and then sent to callers that accept it.
                try await waitUntil {
                    let small = try await client.executeRequest(
                        uri: path, method: .get, headers: [.acceptEncoding: "gzip, deflate, br;q=0.9"], body: nil)
                    return small.headers[.contentEncoding] == "br" && small.body.readableBytes < page.body.readableBytes
                }
                #expect(page.headers[.contentSecurityPolicy]?.contains("require-trusted-types-for 'script'") == true)
                let tag = try #require(page.headers[.eTag])
                let again = try await client.executeRequest(uri: path, method: .get, headers: [.ifNoneMatch: tag], body: nil)
                #expect(again.status == .notModified)
            }
            let up = try await client.executeRequest(uri: "/readyz", method: .get, headers: [:], body: nil)
            #expect(up.status == .ok)
            let metrics = try await client.executeRequest(uri: "/metrics", method: .get, headers: [:], body: nil)
            #expect(String(buffer: metrics.body).contains("cardea_http_requests_total"))
        }
    }
}
