import CardeaModel
import CardeaStore
import Foundation

/// What the hub needs of an integration: somebody who can be asked to move a device, and who tells what devices say.
///
/// The virtual house, an MQTT broker or Home Assistant fills this port. A backend reports through the `DeviceDesk` it was given,
/// and never decides anything.
public protocol DeviceBackend: Sendable {
    /// The integration's wire name: `virtual`, `mqtt`.
    var integration: String { get }

    /// Hands one order to the device, once. Returns when it is handed over, or when it is sure that it will not be.
    ///
    /// Nothing may keep the order and deliver it later: an order that cannot go out now is refused.
    func perform(_ order: DeviceOrder) async -> DispatchResult

    /// Asks the device how it stands, where it can be asked; the answer comes as a report.
    func refresh(entityID: String) async

    /// How the connection stands, for the settings page.
    func health() async -> IntegrationHealth

    /// The last picture of an image entity; nil where there is none.
    func picture(of entityID: String) async -> EntityPicture?

    /// The announcements that were read; nil where devices are not announced.
    func announcements() async -> AnnouncementReport?

    /// The announcement at `topic` as it came, its secrets masked; nil where none is kept.
    func announcement(at topic: String) async -> String?

    /// The entities that a person may link to themselves; none where it knows of no people.
    func presenceSources() async -> [PresenceSource]
}

extension DeviceBackend {
    public func picture(of entityID: String) async -> EntityPicture? { nil }
    public func announcements() async -> AnnouncementReport? { nil }
    public func announcement(at topic: String) async -> String? { nil }
    public func presenceSources() async -> [PresenceSource] { [] }
}
