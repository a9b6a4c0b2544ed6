import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Synchronization
import Testing

@testable import CardeaSync

@Suite("Continuous synchronisation", .timeLimit(.minutes(5)))
struct ContinuousSyncTests {
    /// A phone on which sleeping tasks do not wake when the clock is moved by hand.
    private func patientPhone(_ house: TestHouse, _ phone: TestPhone) throws -> Replica {
        let clock = house.clock
        let environment = ClientEnvironment(
            now: { clock.now }, sleep: { try await clock.sleep(until: clock.now.addingTimeInterval($0.seconds)) },
            newKey: { UUID().uuidString })
        return try Replica(file: nil, sealing: .random(), client: phone.client, environment: environment)
    }

    @Test("A sync runs every half minute while there is an observer")
    func everyHalfMinute() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let replica = try patientPhone(house, phone)
            let reports = Mutex(0)
            let listening = Task {
                for try await report in replica.continuousSync(memoryPressure: AsyncStream { $0.finish() }) {
                    #expect(report.stopped == nil)
                    reports.withLock { $0 += 1 }
                }
            }
            for count in 1...3 {
                try await waitUntil { reports.withLock(\.self) >= count }
                try await waitUntil { house.clock.isAwaited(house.clock.now.addingTimeInterval(30)) }
                house.clock.advance(by: 30)
            }
            listening.cancel()
            _ = await listening.result
            let asked = phone.transport.requests.count
            house.clock.advance(by: 300)
            #expect(phone.transport.requests.count == asked)
        }
    }

    @Test("When the hub is reachable again, queued requests are sent at once")
    func backAgain() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let replica = try patientPhone(house, phone)
            try await replica.sync()
            phone.transport.setCondition(.unreachable)
            guard case .queued = try await replica.control(DeviceCommand("hall-light", "on")) else {
                Issue.record("it was not queued")
                return
            }
            let last = Mutex<SyncReport?>(nil)
            let listening = Task {
                for try await report in replica.continuousSync(memoryPressure: AsyncStream { $0.finish() }) {
                    last.withLock { $0 = report }
                }
            }
            try await waitUntil { last.withLock { $0?.waiting } == 1 }
            #expect(phone.client.reachability.state.isUnreachable)
            phone.transport.setCondition(.clear)
            // Any answer to the program shows that the house is reachable.
            _ = try await phone.client.house.get()
            #expect(phone.client.reachability.state == .reachable)
            try await waitUntil { last.withLock { $0?.waiting } == 0 }
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on])
            listening.cancel()
        }
    }

    @Test("A required sign-in is reported to the observer")
    func signedOut() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let replica = try patientPhone(house, phone)
            try await replica.sync()
            _ = try await phone.client.sessions.logout()
            await #expect(throws: ClientError.unauthorized) {
                for try await _ in replica.continuousSync(memoryPressure: AsyncStream { $0.finish() }) {}
            }
        }
    }

    @Test("Memory pressure drops caches while there is an observer")
    func relieved() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let replica = try patientPhone(house, phone)
            let low = CacheableQuery("low", priority: .low, ttl: 3600) { client, _ in try await client.people.list() }
            _ = try await replica.answer(low)
            let (pressure, notice) = AsyncStream<MemoryPressure>.makeStream()
            let listening = Task { for try await _ in replica.continuousSync(memoryPressure: pressure) {} }
            notice.yield(.warning)
            let asked = { phone.transport.requests.count { $0 == "GET /api/v1/people" } }
            try await waitUntil {
                _ = try await replica.answer(low)
                return asked() > 1
            }
            listening.cancel()
        }
    }
}

extension Duration {
    fileprivate var seconds: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18 }
}
