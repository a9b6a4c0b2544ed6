import CardeaHub
import CardeaModel
import CardeaTestSupport
import CardeaVirtualHouse
import Foundation
import Logging
import Testing

@Suite("Virtual house", .timeLimit(.minutes(10)))
struct VirtualHouseTests {
    /// A sink whose store is full, until room is made.
    private final class FullStoreDeviceSink: DeviceSink {
        struct StoreFullError: Error {}

        let log = AwaitableValue<(isFull: Bool, turnedAway: Int, states: [String: String])>((true, 0, [:]))

        func announce(rooms: [Room]) async throws {}
        func announce(_ device: Device) async throws {}
        func withdraw(deviceID: String, integration: String) async throws {}
        func reportAvailability(_ status: DeviceStatus, deviceIDs: [String]) async throws {}
        func wayInHold(of entityID: String) -> WayInRestrictions { WayInRestrictions() }
        func mayMoveWayIn(topic: String) async throws -> Bool { false }
        func report(_ reports: [EntityReport]) async throws {
            if log.now.isFull {
                log.change { $0.turnedAway += reports.count }
                throw StoreFullError()
            }
            log.change { for report in reports { $0.states[report.entityID] = report.state.value } }
        }
    }

    @Test("A full store does not end the virtual house, and its pending states are reported once there is room")
    func fullDisk() async throws {
        let sink = FullStoreDeviceSink()
        let pace = VirtualHouse.Timing(bolt: 0, garage: 0, weather: 0.02)
        let house = VirtualHouse(sink: sink, pace: pace, logger: Logger(label: "house") { _ in SwiftLogNoOpLogHandler() })
        let life = Task { try await house.run() }

        let handover = await house.perform(
            BackendCommand(
                commandID: "command-1", deviceID: "front-door", entityID: "lock.front_door", verb: .unlock, value: nil, transition: nil,
                acceptedAt: Date(), notAfter: Date().addingTimeInterval(60)))
        #expect(handover == .dispatched)
        try await sink.log.waitUntil("nobody took what it said") { $0.turnedAway > 0 }
        sink.log.change { $0.isFull = false }

        try await sink.log.waitUntil("it is told after all") { $0.states["lock.front_door"] == "unlocked" }
        life.cancel()
        try await life.value
    }
}
