import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@Suite("Request queue per device", .timeLimit(.minutes(5)))
struct DeviceRequestSerializerTests {
    private let on = DeviceCommand("hall-light", "on")
    private let off = DeviceCommand("hall-light", "off")

    /// A phone whose first command was sent and stays without an answer.
    private func withHeld(_ body: @escaping @Sendable (TestPhone, Task<Replica.ControlResult, any Error>) async throws -> Void) async throws
    {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            phone.transport.setCondition(.delaysFirst, only: [.put])
            let first = Task { try await phone.replica.control(on) }
            try await waitUntil { phone.transport.requests.contains { $0.hasPrefix("PUT") } }
            try await body(phone, first)
        }
    }

    /// Long enough for an unqueued command to be done.
    private func passing(_ phone: TestPhone) async throws {
        guard case .completed(.confirmed) = try await phone.replica.control(DeviceCommand("front-door", "unlock")) else {
            Issue.record("a door stood in line")
            return
        }
        for _ in 0..<200 { await Task.yield() }
    }

    // The second one once got through while the first was being queued, and the light ended with the first.
    @Test("Two concurrent commands for one light arrive in order, also if the first fails")
    func order() async throws {
        try await withHeld { phone, first in
            let second = Task { try await phone.replica.control(off) }
            try await passing(phone)
            #expect(phone.house.doorBackend.backendCommands.map(\.verb) == [.unlock])
            phone.transport.setCondition(.clear)

            guard case .queued = try await first.value, case .completed(.confirmed) = try await second.value else {
                Issue.record("the first was to wait, the second to be done")
                return
            }
            #expect(phone.house.doorBackend.backendCommands.map(\.verb) == [.unlock, .on, .off])
            #expect(try await phone.replica.outboxEntries().isEmpty)
        }
    }

    @Test("A cancelled waiting request returns at once and does not block others")
    func givingUp() async throws {
        try await withHeld { phone, first in
            let second = Task { try await phone.replica.control(off) }
            let third = Task { try await phone.replica.control(DeviceCommand("hall-light", "on")) }
            try await passing(phone)
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
            phone.transport.setCondition(.clear)

            _ = try await first.value
            guard case .completed(.confirmed) = try await third.value else {
                Issue.record("the third was not heard")
                return
            }
            #expect(!phone.house.doorBackend.backendCommands.map(\.verb).contains(.off))
        }
    }
}
