import CardeaHub
import CardeaModel
import Foundation
import Logging

extension SourceSighting {
    /// - Parameters:
    ///   - camera: of the same device, through which a picture is taken, with the integration's own token.
    ///   - deviceID: the device as the house calls it.
    init(_ occurrence: Occurrence, at: Date, camera: String?, deviceID: String?, settings: HomeAssistantSettings) {
        self.init(
            source: HomeAssistantIntegration.name, id: "\(occurrence.entityID) \(occurrence.stamp)", type: occurrence.type, at: at,
            place: occurrence.name)
        self.deviceID = deviceID
        description = occurrence.name
        guard let camera else { return }
        self.camera = SourceCamera(kind: .homeAssistant, name: camera)
        view = (try? CameraAddress(settings.address.description, schemes: CameraKind.homeAssistant.schemes)).map {
            CameraSource(kind: .homeAssistant, address: $0, name: camera, token: settings.token)
        }
    }
}

extension HomeAssistantIntegration {
    func sighting(_ occurrence: Occurrence) -> SourceSighting? {
        guard !household.isLeftOut(occurrence.entityID) else { return nil }
        let device = household.entities(beside: occurrence.entityID)
        return SourceSighting(
            occurrence, at: now(), camera: device.first { $0.hasPrefix("camera.") },
            deviceID: ([occurrence.entityID] + device).lazy.compactMap { self.household.houseID(of: $0) }.compactMap {
                self.roster.owners[$0]
            }
            .first, settings: settings)
    }

    /// A picture may take its time: neither what happens after it waits for it, nor anything else.
    func tellSightings() async {
        await withTaskGroup(of: Void.self) { group in
            var room = Self.sightingsAtATime
            for await sighting in sightings.stream {
                if room > 0 { room -= 1 } else { await group.next() }
                group.addTask { await self.tell(sighting) }
            }
        }
    }

    private static let sightingsAtATime = 8

    private func tell(_ sighting: SourceSighting) async {
        do {
            try await events?.saw(sighting)
        } catch {
            logger.error("what Home Assistant told of could not be kept", metadata: ["error": "\(type(of: error))"])
        }
    }
}
