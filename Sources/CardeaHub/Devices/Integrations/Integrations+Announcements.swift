import CardeaModel
import CardeaStore
import Foundation

/// The announcements behind the devices of an integration, for people who may change settings.
extension Integrations {
    /// The status of an integration, and the announcements it has read.
    public func announcements(of integration: String, seenBy principal: Principal) async throws -> (Status, AnnouncementReport) {
        let backend = try await requireAnnouncementSource(into: integration, principal)
        return (try await status(of: integration), await backend?.announcements() ?? AnnouncementReport())
    }

    /// The announcement at `topic` as it came, its secrets masked.
    ///
    /// - Throws: `IntegrationError.unknown` if the integration has no announcement on that topic.
    public func announcement(at topic: String, of integration: String, seenBy principal: Principal) async throws -> String {
        let backend = try await requireAnnouncementSource(into: integration, principal)
        guard let text = await backend?.announcement(at: topic) else { throw IntegrationError.unknown }
        return text
    }

    /// The entities that an announcement would give. The integration need not be connected, and nothing is stored.
    ///
    /// - Parameter topic: the topic of the announcement; nil if the announcement itself says what it is.
    public func check(
        announcement: String, at topic: String?, of integration: String, by principal: Principal, origin: RequestOrigin
    ) async throws -> AnnouncementCheck {
        try await store.audited("integration.\(integration)", by: principal, origin: origin, at: environment.now()) {
            try await store.read { _ = try People.require(.modifySettings, of: principal, in: $0) }
        }
        guard let check = try factory(integration)?.check(announcement: announcement, at: topic) else { throw IntegrationError.unknown }
        return check
    }

    /// The last picture of an image entity, for people who may see the pictures of cameras.
    public func picture(of entityID: String, on deviceID: String, seenBy principal: Principal) async throws -> EntityPicture {
        try await store.read { _ = try People.require(.controlDevices, of: principal, in: $0) }
        guard let device = devices.device(deviceID) else { throw CommandRefusal.deviceNotFound }
        guard device.entities.contains(where: { $0.id == entityID && $0.isEnabled }),
            let picture = await commands.backend(device.integration)?.picture(of: entityID)
        else { throw IntegrationError.unknown }
        return picture
    }

    private func requireAnnouncementSource(into integration: String, _ principal: Principal) async throws -> (any DeviceBackend)? {
        try await store.read { _ = try People.require(.modifySettings, of: principal, in: $0) }
        guard factory(integration) != nil else { throw IntegrationError.unknown }
        return commands.backend(integration)
    }
}
