import CardeaModel
import CardeaStore
import Foundation

/// The port that an integration implements: it dispatches commands to devices, and reports their states.
///
/// The virtual house, an MQTT broker or Home Assistant fills this port. A backend reports through the `DeviceSink` that it was given,
/// and decides nothing.
public protocol DeviceBackend: Sendable {
    /// The integration's wire name: `virtual`, `mqtt`.
    var integration: String { get }

    /// Dispatches one order to the device, once. Returns when it is sent, or when it is certain that it is not.
    ///
    /// An order that cannot be sent now is refused: nothing may keep it and deliver it later.
    func perform(_ backendCommand: BackendCommand) async -> DispatchResult

    /// Requests the device's state, if that is possible. The answer is a report.
    func refresh(entityID: String) async

    /// The state of the connection, for the settings page.
    func health() async -> IntegrationHealth

    /// The last picture of an image entity; nil if there is none.
    func picture(of entityID: String) async -> EntityPicture?

    /// The announcements that were read; nil if devices are not announced.
    func announcements() async -> AnnouncementReport?

    /// The announcement at `topic` as it came, its secrets masked; nil if none is kept.
    func announcement(at topic: String) async -> String?

    /// The entities that a person may link to themselves; none if it knows of no people.
    func presenceSources() async -> [PresenceSource]
}

extension DeviceBackend {
    public func picture(of entityID: String) async -> EntityPicture? { nil }
    public func announcements() async -> AnnouncementReport? { nil }
    public func announcement(at topic: String) async -> String? { nil }
    public func presenceSources() async -> [PresenceSource] { [] }
}
