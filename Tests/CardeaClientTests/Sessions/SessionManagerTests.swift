import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Testing

@Suite("Session renewal")
struct SessionManagerTests {
    /// A hub that accepts only `access-2`, and exchanges `refresh-1` for it.
    static func renewing(_ refresh: TransportResponse = .tokens(2)) -> ScriptedTransport {
        ScriptedTransport { request, _ in
            if request.url.path == "/api/v1/auth/refresh" {
                try? await Task.sleep(for: .milliseconds(20))
                return .success(refresh)
            }
            let isGood = request.headers["authorization"] == "Bearer access-2"
            return .success(isGood ? .noPeople : .refused(401, "token_expired"))
        }
    }

    @Test("Fifty calls with an expired token renew it once")
    func singleFlight() async throws {
        let hub = Self.renewing()
        let store = MemorySessionStore(.number(1))
        let client = try CardeaClient.at(hub, store)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { _ = try await client.people.list() } }
            try await group.waitForAll()
        }

        #expect(hub.requests(to: "/api/v1/auth/refresh").count == 1)
        #expect(await store.load()?.refreshToken.reveal() == "refresh-2")
    }

    @Test("A call is retried once with the new token, and a second refusal signs out")
    func oneRetry() async throws {
        let hub = ScriptedTransport { request, _ in
            .success(request.url.path == "/api/v1/auth/refresh" ? .tokens(2) : .refused(401, "unauthorized"))
        }
        let store = MemorySessionStore(.number(1))

        await #expect(throws: ClientError.unauthorized) { try await CardeaClient.at(hub, store).people.list() }

        #expect(hub.requests(to: "/api/v1/people").count == 2)
        #expect(hub.requests(to: "/api/v1/auth/refresh").count == 1)
        #expect(await store.load() == nil)
    }

    @Test("A refused renewal deletes the tokens", arguments: ["unauthorized", "token_reused"])
    func refusedRenewal(code: String) async throws {
        let hub = Self.renewing(.refused(401, code))
        let store = MemorySessionStore(.number(1))

        await #expect(throws: ClientError.unauthorized) { try await CardeaClient.at(hub, store).people.list() }

        #expect(await store.load() == nil)
    }

    @Test("An unanswered renewal keeps the tokens")
    func unreachableRenewal() async throws {
        let hub = ScriptedTransport { request, _ in
            request.url.path == "/api/v1/auth/refresh" ? .failure(.noConnection) : .success(.refused(401, "token_expired"))
        }
        let store = MemorySessionStore(.number(1))

        await #expect(throws: ClientError.noConnection(host: "house.example")) { try await CardeaClient.at(hub, store).people.list() }

        #expect(await store.load()?.refreshToken.reveal() == "refresh-1")
    }

    @Test("A token close to expiry is renewed before use")
    func renewedEarly() async throws {
        let hub = Self.renewing()
        let store = MemorySessionStore(.number(1, expiresIn: 30))

        _ = try await CardeaClient.at(hub, store).people.list()

        #expect(hub.requests.map(\.url.path) == ["/api/v1/auth/refresh", "/api/v1/people"])
    }

    @Test("A failed renewal is tolerated while the old token is valid")
    func earlyRenewalMayFail() async throws {
        let hub = ScriptedTransport { request, _ in
            request.url.path == "/api/v1/auth/refresh" ? .failure(.timeout) : .success(.noPeople)
        }

        _ = try await CardeaClient.at(hub, MemorySessionStore(.number(1, expiresIn: 30))).people.list()

        #expect(hub.requests.last?.headers["authorization"] == "Bearer access-1")
    }

    @Test("A renewal with a lost answer is requested again")
    func lostRenewal() async throws {
        let lost = Counter()
        let hub = ScriptedTransport { request, _ in
            guard request.url.path == "/api/v1/auth/refresh" else {
                return .success(request.headers["authorization"] == "Bearer access-2" ? .noPeople : .refused(401, "token_expired"))
            }
            return lost.next() == 1 ? .failure(.interrupted) : .success(.tokens(2))
        }

        _ = try await CardeaClient.at(hub).people.list()

        #expect(hub.requests(to: "/api/v1/auth/refresh").count == 2)
    }

    @Test("A session renewed by another process is reused")
    func renewedElsewhere() async throws {
        let hub = Self.renewing()
        let store = ConcurrentlyRenewedStore()

        _ = try await CardeaClient.at(hub, store).people.list()

        #expect(hub.requests(to: "/api/v1/auth/refresh").isEmpty)
    }

    @Test("A wrong current password does not affect the session")
    func wrongPassword() async throws {
        let hub = ScriptedTransport { _, _ in .success(.refused(401, "invalid_credentials")) }
        let store = MemorySessionStore(.number(1))

        await #expect(throws: ClientError.self) {
            try await CardeaClient.at(hub, store).people.changePassword(from: Secret("old one"), to: Secret("new one"))
        }

        #expect(hub.requests.count == 1)
        #expect(await store.load() != nil)
    }

    @Test("Signing out deletes the tokens even if the hub is unreachable")
    func logoutOffline() async throws {
        let hub = ScriptedTransport { _, _ in .failure(.noConnection) }
        let store = MemorySessionStore(.number(1))

        await #expect(throws: ClientError.noConnection(host: "house.example")) { try await CardeaClient.at(hub, store).sessions.logout() }

        #expect(await store.load() == nil)
    }

    @Test("Signing in sends name and password once and stores the returned session")
    func login() async throws {
        let hub = ScriptedTransport { _, _ in .success(.tokens(7)) }
        let store = MemorySessionStore()

        try await CardeaClient.at(hub, store).sessions.login(username: "resident", password: Secret("correct horse"))

        let body = try #require(hub.requests.first?.body)
        #expect(String(decoding: body, as: UTF8.self) == #"{"password":"correct horse","username":"resident"}"#)
        #expect(hub.requests.first?.headers["idempotency-key"] == nil)
        #expect(await store.load()?.accessToken.reveal() == "access-7")
    }

    @Test("Without a session nothing is sent")
    func signedOut() async throws {
        let hub = ScriptedTransport { _, _ in .success(.noPeople) }

        await #expect(throws: ClientError.unauthorized) { try await CardeaClient.at(hub, MemorySessionStore()).people.list() }

        #expect(hub.requests.isEmpty)
    }
}

/// Reads the old session, and holds the new one by the time it is locked.
private struct ConcurrentlyRenewedStore: SessionStore {
    func load() async throws -> Session? { .number(1) }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        var session: Session? = .number(2)
        return try await change(&session)
    }

    // On a failing connection the retry budget was once used up, and then one lost renewal signed everyone out for the moment.
    @Test("A renewal is retried without retry budget and within its token's grace period")
    func vital() async throws {
        let hub = ScriptedTransport { request, before in
            if request.url.path == "/api/v1/auth/refresh" { return .success(before < 2 ? .json(503, "<html>") : .tokens(2)) }
            return .success(.noPeople)
        }
        let spent = ResilienceSettings(budget: RetryBudget(full: 1), breaker: nil)

        _ = try await CardeaClient.at(hub, MemorySessionStore(.number(1, expiresIn: -1)), resilience: spent).people.list()

        let renewals = hub.requests(to: "/api/v1/auth/refresh")
        #expect(renewals.count == 3)
        let longest = RetryPolicy.standard.longestDelay(after: 0) + RetryPolicy.standard.longestDelay(after: 1)
        #expect(renewals.dropLast().map(\.timeout).reduce(longest, +) < .seconds(30))
    }
}
