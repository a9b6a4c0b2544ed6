import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Testing

@Suite("Error response decoding")
struct ResponseDecodingTests {
    private func error(_ response: TransportResponse) async throws -> ClientError? {
        let hub = ScriptedTransport { _, _ in .success(response) }
        do {
            _ = try await CardeaClient.at(hub).devices.list()
            return nil
        } catch let error as ClientError {
            return error
        }
    }

    @Test("An /api/v1 error has its code, details and request id")
    func household() async throws {
        let answer = TransportResponse.json(
            403, #"{"error":{"code":"forbidden","message":"Not now.","details":{"reason":"outside_schedule"},"request_id":"req-9"}}"#)

        guard case .api(let error) = try await error(answer) else { return #expect(Bool(false)) }

        #expect(error.status == 403 && error.code == "forbidden" && error.requestID == "req-9")
        #expect(error.details["reason"]?.string == "outside_schedule")
        #expect(!error.isRetryable)
    }

    @Test("A Retry-After value is decoded", arguments: [429, 503])
    func later(status: Int) async throws {
        let answer = TransportResponse.json(
            status, #"{"error":{"code":"rate_limited","message":"Later.","details":{}}}"#, ["Retry-After": "42"])

        guard case .api(let error) = try await error(answer) else { return #expect(Bool(false)) }

        #expect(error.retryAfter == .seconds(42))
        #expect(error.isRetryable)
    }

    @Test(
        "A Retry-After date is relative to the server's clock and at most one day",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", Duration.seconds(30)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:07 GMT", nil),
            ("Sun, 06 Nov 2094 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", nil),
            ("soon", "Sun, 06 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", nil, nil), ("-3", nil, nil),
        ] as [(String, String?, Duration?)])
    func moment(until: String, date: String?, wait: Duration?) async throws {
        let headers = ["retry-after": until].merging(date.map { ["date": $0] } ?? [:]) { one, _ in one }
        guard case .api(let error) = try await error(.json(503, "{}", headers)) else { return #expect(Bool(false)) }

        #expect(error.retryAfter == wait)
    }

    @Test("An error without a reason has its status", arguments: ["", "<html>Bad gateway</html>", "[]", "null"])
    func noReason(body: String) async throws {
        guard case .api(let error) = try await error(.json(502, body)) else { return #expect(Bool(false)) }

        #expect(error.code == "http_502")
        #expect(error.isRetryable)
    }

    @Test("A response of another content type is not decoded as an error", arguments: ["", "{}", "[1]", #"{"devices":3}"#])
    func otherKind(body: String) async throws {
        guard case .invalidResponse = try await error(.json(200, body)) else { return #expect(Bool(false)) }
    }

    @Test("Unknown fields are ignored")
    func newerHub() async throws {
        #expect(try await error(.json(200, #"{"devices":[],"total":0,"filters_applied":{},"brand_new":{"a":1}}"#)) == nil)
    }

    @Test("A refusing device and a silent device are outcomes and not errors")
    func outcomes() async throws {
        let command = #"{"command_id":"c1","device_id":"d","entity_id":"lock.d","action":"unlock","status":"%","reason":"jammed"}"#
        let failed = TransportResponse.refused(
            500, "action_execution_failed", details: command.replacingOccurrences(of: "%", with: "failed"))
        let unknown = TransportResponse.refused(
            504, "outcome_unknown", details: #"{"command":\#(command.replacingOccurrences(of: "%", with: "unknown"))}"#)

        let one = try await CardeaClient.at(ScriptedTransport { _, _ in .success(failed) }).devices.control(DeviceCommand("d", "unlock"))
        let other = try await CardeaClient.at(ScriptedTransport { _, _ in .success(unknown) }).devices.control(DeviceCommand("d", "unlock"))

        guard case .failed(let failure?, _) = one, case .unknown(let silence?) = other else {
            return #expect(Bool(false), "\(one) \(other)")
        }
        #expect(failure.reason == "jammed" && silence.commandID == "c1")
    }

    @Test("Guest API errors keep their details")
    func guestFamily() async throws {
        let hub = ScriptedTransport { _, _ in
            .success(
                .json(
                    403, #"{"success":false,"error":"outside_schedule","message":"Not now.","next_opening":1795507200}"#,
                    ["X-Request-Id": "req-3"]))
        }

        do {
            _ = try await CardeaClient.at(hub).guestAccess.perform(GuestAction("door.open"), token: Secret("t"))
            Issue.record("refused, and taken for done")
        } catch GuestAccessError.refused(let error) {
            #expect(error.code == "outside_schedule" && error.requestID == "req-3")
            #expect(error.details == ["next_opening": 1_795_507_200])
        }
    }

    @Test("Only three error codes end a pass", arguments: ["token_expired", "token_revoked", "token_max_uses_exceeded"])
    func ends(code: String) {
        #expect(GuestAccessError.refused(APIError(status: 401, code: code, message: "")).endsPass)
        #expect(!GuestAccessError.refused(APIError(status: 401, code: "unauthorized", message: "")).endsPass)
        #expect(!GuestAccessError.refused(APIError(status: 403, code: code, message: "")).endsPass)
        #expect(!GuestAccessError.client(.noConnection(host: "h")).endsPass)
    }

    @Test("A pending approval is neither success nor failure")
    func pending() async throws {
        let hub = ScriptedTransport { _, _ in
            .success(
                .json(202, #"{"success":false,"status":"pending_approval","message":"Wait.","retry_after":2,"expires_at":1795507200}"#))
        }

        guard case .waiting(let pending) = try await CardeaClient.at(hub).guestAccess.pair(code: Secret("7KQ2M9PXRT")) else {
            return #expect(Bool(false))
        }

        #expect(pending.retryAfter == 2 && pending.expiresAt == 1_795_507_200)
    }

    @Test("A pending request is cancelled by its command id, also after a lost answer")
    func takenBack() async throws {
        let hub = ScriptedTransport { request, before in
            guard request.url.path == "/api/guest_access/action/cancel" else {
                return .success(.json(202, #"{"success":false,"status":"pending_approval","command_id":"cmd_1","expires_at":1795507200}"#))
            }
            guard before > 1 else { return .failure(.interrupted) }
            return .success(.json(200, #"{"success":true,"status":"taken_back","command_id":"cmd_1","use_returned":true}"#))
        }
        let guest = try CardeaClient.at(hub).guestAccess
        guard case .waiting(let pending) = try await guest.perform(GuestAction("door.open"), token: Secret("t")) else {
            return #expect(Bool(false))
        }

        let answer = try await guest.withdraw(try #require(pending.commandID), token: Secret("t"))

        #expect(answer.status == "taken_back" && answer.useReturned == true)
        let last = try #require(hub.requests.last)
        #expect(hub.requests.count == 3 && last.method == .post && last.headers["authorization"] == "Bearer t")
        #expect(last.body.map { String(decoding: $0, as: UTF8.self) } == #"{"command_id":"cmd_1"}"#)
    }

    @Test("Cancelling an already answered request is refused", arguments: [(404, "command_not_found"), (409, "not_waiting")])
    func tooLate(status: Int, code: String) async throws {
        let hub = ScriptedTransport { _, _ in .success(.json(status, #"{"success":false,"error":"\#(code)","message":"No."}"#)) }

        await #expect(throws: GuestAccessError.refused(APIError(status: status, code: code, message: "No."))) {
            try await CardeaClient.at(hub).guestAccess.withdraw("cmd_1", token: Secret("t"))
        }
    }

    @Test("No secret is printed")
    func secrets() throws {
        let request = TransportRequest(
            method: .post, url: try #require(URL(string: "https://house.example/api/v1/auth/login")),
            headers: ["authorization": "Bearer hush"], body: Data("hush".utf8))
        var dumped = ""
        dump(request, to: &dumped)
        dump(TransportResponse.json(200, "hush"), to: &dumped)
        dump(Session(accessToken: Secret("hush"), refreshToken: Secret("hush"), expiresAt: Date()), to: &dumped)

        #expect(!dumped.contains("hush"))
        #expect(!"\(request)\(TransportResponse.json(200, "hush"))".contains("hush"))
    }
}
