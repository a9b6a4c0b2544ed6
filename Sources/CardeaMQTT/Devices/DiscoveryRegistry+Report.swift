import CardeaHub
import CardeaModel

/// The announcements, as they are shown on the integration's page.
extension DiscoveryRegistry {
    /// The entities that announcements gave, and the parts that were left out with their reasons.
    var report: AnnouncementReport {
        var report = AnnouncementReport(isCut: announcements.isCut)
        for (deviceID, device) in devices.sorted(by: { $0.key < $1.key }) {
            let entities = device.entityIDs.compactMap { trackedEntities[$0] }.map { fixture in
                AnnouncementReport.AnnouncedEntity(
                    entityID: fixture.id, component: fixture.entity.component, topic: byKey[fixture.entity.key]?.topic ?? "")
            }
            report.devices.append(.init(deviceID: deviceID, name: device.announced.name, entities: entities))
        }
        for (topic, announcement) in announcements.all {
            for omission in omissions(of: announcement, at: topic) {
                guard report.omissions.count < Announcement.omissionLimit else {
                    report.isCut = true
                    return report
                }
                report.omissions.append(omission)
            }
        }
        return report
    }

    private func omissions(of announcement: AnnouncementStore.Entry, at topic: String) -> [AnnouncementReport.Omission] {
        func omission(_ component: String, _ reason: String, _ device: String?) -> AnnouncementReport.Omission {
            .init(topic: topic, component: component, reason: reason, device: device)
        }
        if let problem = announcement.problem {
            return [omission(announcement.component, "The announcement \(problem.message).", announcement.device)]
        }
        // Its components are shown at their new topics.
        if announcement.isMigrating { return [] }
        let parts = announcement.omissions.map { omission($0.component, $0.reason, announcement.device) }
        return parts
            + announcement.entities.compactMap { entity in
                reason(entity, at: topic).map { omission(entity.component, $0, entity.device.name) }
            }
    }

    /// The reason why an entity is not shown, or only in part.
    private func reason(_ entity: AnnouncedEntity, at topic: String) -> String? {
        switch byKey[entity.key]?.topic {
        case topic: entity.notice
        case nil: "More than \(Self.entityLimit) entities are announced, so this one is not shown."
        default: "Another announcement has the same unique id, so this one is not shown."
        }
    }
}
