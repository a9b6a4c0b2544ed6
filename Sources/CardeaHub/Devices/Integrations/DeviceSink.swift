import CardeaModel
import CardeaStore
import Foundation

/// Where integrations hand in what they find and hear. `Devices` is the one who stands behind it.
public protocol DeviceSink: Sendable {
    /// The integration knows these rooms. One that the house has already, by its id, is called as it is called now, unless people here
    /// made it or named it; all else of it stays.
    func announce(rooms: [Room]) async throws
    /// A device is there, with these entities: new, or described anew. States in it are ignored; a report tells them.
    /// What a person changed (name, room, flags) stays.
    func announce(_ device: Device) async throws
    /// The device is no longer announced.
    func withdraw(deviceID: String, integration: String) async throws
    /// Entities said something. Together they are one commit.
    func report(_ reports: [EntityReport]) async throws
    /// Devices went on or off line.
    func reportAvailability(_ status: DeviceStatus, deviceIDs: [String]) async throws
    /// The house's memory of an entity that is or was a way in; an empty one of any other.
    func wayInHold(of entityID: String) -> WayInRestrictions
    /// A message on this topic might move a way in.
    func mayMoveWayIn(topic: String) async throws -> Bool
}

extension DeviceSink {
    /// The same for whoever has a thread of their own, and waits on it until what was said is kept: nobody need be woken for it.
    public func report(onOwnThread reports: [EntityReport], isolation: isolated (any Actor)? = #isolation) async throws {
        try await Store.writingOnCurrentThread { try await report(reports) }
    }
}
