import CardeaClient
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HummingbirdTesting
import Synchronization
import Testing

/// A bad connection to the hub: requests arrive, and now and then the answer is lost on the way back, or the request on the way there.
private final class LossyTransport: Transport {
    private let base: RouterTransport
    private let dice = Mutex(XorshiftGenerator.forTest(0x5EED))
    let lostCount = Mutex(0)

    init(_ line: RouterTransport) {
        self.base = line
    }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { try await base.open(request) }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.url.path == "/api/v1/auth/refresh" else { return try await base.send(request) }
        let roll = dice.withLock { $0.next(100) }
        if roll < 10 {
            lostCount.withLock { $0 += 1 }
            throw .noConnection
        }
        let answer = try await base.send(request)
        if roll < 40 {
            lostCount.withLock { $0 += 1 }
            throw .interrupted
        }
        return answer
    }
}

@Suite("Session refresh over a lossy connection", .timeLimit(.minutes(5)))
struct SessionRefreshLossTests {
    @Test("With two in five refresh answers lost and eight parallel calls, the session survives")
    func lostAnswers() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let line = LossyTransport(RouterTransport(client))
            let hurried = ClientEnvironment(now: { Date() }, sleep: { _ in await Task.yield() }, newKey: { UUID().uuidString })
            let cardea = CardeaClient(hub: try HubAddress("http://localhost"), transport: line, environment: hurried)
            try await cardea.sessions.login(username: "owner", password: TestHouse.password)
            var (asked, answered) = (0, 0)

            let renewals = TestRepetitions.of(60, full: 300)
            for _ in 0..<renewals {
                house.clock.advance(by: 3600)
                // A person retries on a bad connection; a signed-out person retries in vain.
                for attempt in 0..<10 {
                    let went = await withTaskGroup(of: Bool.self) { group in
                        for _ in 0..<8 { group.addTask { (try? await cardea.people.me()) != nil } }
                        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                    }
                    if went == 8 || attempt == 9 {
                        asked += 8
                        answered += went
                        break
                    }
                }
            }

            #expect(line.lostCount.withLock { $0 } > renewals * 4 / 15, "seed \(TestSeed.value(0x5EED))")
            #expect(Double(answered) > 0.999 * Double(asked), "\(answered) of \(asked), seed \(TestSeed.value(0x5EED))")
            #expect(try await cardea.sessions.isSignedIn())
        }
    }
}
