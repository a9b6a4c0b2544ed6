import CardeaHub
import CardeaModel
import Foundation
import Logging

extension IntegrationEvent {
    /// - Parameters:
    ///   - camera: of the same device, through which a picture is taken, with the integration's own token.
    ///   - deviceID: the device as the house calls it.
    init(_ occurrence: HomeAssistantDetection, at: Date, camera: String?, deviceID: String?, settings: HomeAssistantSettings) {
        self.init(
            source: HomeAssistantIntegration.name, id: "\(occurrence.entityID) \(occurrence.stamp)", type: occurrence.type, at: at,
            place: occurrence.name)
        self.deviceID = deviceID
        description = occurrence.name
        guard let camera else { return }
        self.camera = IntegrationCamera(kind: .homeAssistant, name: camera)
        pictureEndpoint = (try? CameraAddress(settings.address.description, schemes: CameraSourceKind.homeAssistant.schemes)).map {
            CameraSource(kind: .homeAssistant, address: $0, name: camera, token: settings.token)
        }
    }
}

extension HomeAssistantIntegration {
    func sighting(_ occurrence: HomeAssistantDetection) -> IntegrationEvent? {
        guard !mirror.isExcluded(occurrence.entityID) else { return nil }
        let device = mirror.entities(beside: occurrence.entityID)
        return IntegrationEvent(
            occurrence, at: now(), camera: device.first { $0.hasPrefix("camera.") },
            deviceID: ([occurrence.entityID] + device).lazy.compactMap { self.mirror.houseID(of: $0) }.compactMap {
                self.announcementTracker.owners[$0]
            }
            .first, settings: settings)
    }

    /// A picture may take its time: neither what happens after it waits for it, nor anything else.
    func reportSightings() async {
        await withTaskGroup(of: Void.self) { group in
            var room = Self.maximumConcurrentSightings
            for await sighting in sightings.stream {
                if room > 0 { room -= 1 } else { await group.next() }
                group.addTask { await self.report(sighting) }
            }
        }
    }

    private static let maximumConcurrentSightings = 8

    private func report(_ sighting: IntegrationEvent) async {
        do {
            try await events?.report(sighting)
        } catch {
            logger.error("Home Assistant event could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }
}
