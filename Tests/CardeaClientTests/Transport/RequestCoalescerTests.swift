import CardeaAPI
import CardeaTestSupport
import Foundation
import Synchronization
import Testing

@testable import CardeaClient

@Suite("Coalescing of equal concurrent requests", .timeLimit(.minutes(10)))
struct RequestCoalescerTests {
    /// A hub that answers on request.
    private final class SlowHub: Transport {
        private struct State {
            var asked: [String] = []
            var waiting: [(method: TransportRequest.Method, continuation: CheckedContinuation<Void, Never>)] = []
        }

        private let state = Mutex(State())
        var asked: [String] { state.withLock { $0.asked } }

        func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            await withCheckedContinuation { continuation in
                state.withLock {
                    $0.asked.append("\(request)")
                    $0.waiting.append((request.method, continuation))
                }
            }
            return request.method == .get ? .noPeople : .json(204, "")
        }

        /// Answers all waiting requests, or those with one method.
        func answer(_ method: TransportRequest.Method? = nil) {
            let answered = state.withLock { state in
                let answered = state.waiting.filter { method == nil || $0.method == method }
                state.waiting.removeAll { method == nil || $0.method == method }
                return answered
            }
            for one in answered { one.continuation.resume() }
        }

        func until(asked count: Int) async throws {
            try await CardeaTestSupport.waitUntil { asked.count >= count }
        }
    }

    private func client(_ hub: SlowHub) throws -> CardeaClient {
        CardeaClient(
            hub: try HubAddress("https://house.example"), transport: hub, sessions: MemorySessionStore(.number(1)), resilience: .none,
            environment: .hurried())
    }

    /// On a busy machine some of ten arrive long after the first.
    private func until(waiting count: Int, for client: CardeaClient) async throws {
        try await CardeaTestSupport.waitUntil { client.caller.pipeline.reads.waiting >= count }
    }

    @Test("Ten equal requests share one response, and a different one is sent separately")
    func shared() async throws {
        let hub = SlowHub()
        let client = try client(hub)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { try await client.people.list().people.count } }
            group.addTask { (try? await client.people.me()) == nil ? 0 : 1 }
            try await hub.until(asked: 2)
            try await until(waiting: 11, for: client)
            hub.answer()
            for try await count in group { #expect(count == 0) }
        }
        #expect(hub.asked.sorted() == ["GET /api/v1/people", "GET /api/v1/people/me"])
    }

    @Test("A request after a write does not share an earlier response")
    func afterWriting() async throws {
        let hub = SlowHub()
        let client = try client(hub)
        async let before = client.people.list()
        try await hub.until(asked: 1)
        async let written: Void = client.scenes.remove("evening")
        try await hub.until(asked: 2)
        hub.answer(.delete)
        try await written

        async let after = client.people.list()
        try await hub.until(asked: 3)
        hub.answer()
        _ = try await (before, after)
        #expect(hub.asked == ["GET /api/v1/people", "DELETE /api/v1/scenes/evening", "GET /api/v1/people"])
    }

    @Test("A cancelled caller returns at once, and the others get the response")
    func cancelled() async throws {
        let hub = SlowHub()
        let client = try client(hub)
        let leaves = Task { try await client.people.list() }
        let stays = Task { try await client.people.list() }
        try await hub.until(asked: 1)
        try await until(waiting: 2, for: client)
        leaves.cancel()
        await #expect(throws: ClientError.cancelled) { try await leaves.value }
        hub.answer()
        #expect(try await stays.value.people.isEmpty)
        #expect(hub.asked.count == 1)
    }
}
