import CardeaModel
import CardeaStore
import Foundation

/// Receives discovered devices and state reports from integrations. `Devices` implements it.
public protocol DeviceSink: Sendable {
    /// Announces the rooms of an integration. A room that the house already has, by its ID, gets its current name, unless people made or
    /// named it; everything else about it stays.
    func announce(rooms: [Room]) async throws
    /// Announces a device with its entities, new or with a changed description. States in it are ignored; reports carry them. A person's
    /// changes (name, room, flags) stay.
    func announce(_ device: Device) async throws
    /// The device is no longer announced.
    func withdraw(deviceID: String, integration: String) async throws
    /// Reports states of entities, in one commit.
    func report(_ reports: [EntityReport]) async throws
    /// Reports that devices went online or offline.
    func reportAvailability(_ status: DeviceStatus, deviceIDs: [String]) async throws
    /// The stored restrictions of an entity that is or was a way in; empty for any other.
    func wayInHold(of entityID: String) -> WayInRestrictions
    /// A message on this topic might move a way in.
    func mayMoveWayIn(topic: String) async throws -> Bool
}

extension DeviceSink {
    /// The same for integrations with a thread of their own: it blocks the thread until the reports are stored.
    public func report(onOwnThread reports: [EntityReport], isolation: isolated (any Actor)? = #isolation) async throws {
        try await Store.writingOnCurrentThread { try await report(reports) }
    }
}
