import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1/integrations/mqtt`: the announcements behind the devices, and the pictures of image entities.
struct AnnouncementsController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.showMQTT, show)
        table.person(.showAnnouncement, announcement)
        table.person(.checkAnnouncement, check)
        table.person(.showEntityPicture, picture)
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (status, report) = try await hub.integrations.announcements(of: "mqtt", seenBy: principal)
        let devices = report.devices.map { device in
            AnnouncedDeviceAnswer(
                deviceID: device.deviceID, name: device.name,
                entities: device.entities.map { .init(entityID: $0.entityID, component: $0.component, topic: $0.topic) })
        }
        return try .encoding(
            MQTTIntegrationAnswer(
                IntegrationAnswer(status), announced: devices, notUnderstood: report.omissions.map { NotUnderstoodAnswer($0) },
                hasMoreNotUnderstood: report.isCut))
    }

    private func announcement(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let topic = request.uri.queryParameters["topic"].map(String.init) ?? ""
        guard (1...1024).contains(topic.utf8.count) else { throw APIResponseError.validation("topic", "must have 1 to 1024 bytes") }
        let text = try await hub.integrations.announcement(at: topic, of: "mqtt", seenBy: principal)
        return try .encoding(AnnouncementAnswer(topic: topic, announcement: text))
    }

    private func check(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody(Route.checkAnnouncement.bodyLimit)
        let body = try WireFormat.readBody(CheckAnnouncementBody.self, from: data)
        let check = try await hub.integrations.check(
            announcement: body.announcement, at: body.topic, of: "mqtt", by: principal, origin: context.origin)
        let entities = check.entities.map { checked in
            AnnouncementCheckAnswer.EntityAnswer(
                entityID: checked.entity.id, kind: checked.entity.kind.rawValue, name: checked.entity.name, device: checked.device,
                deviceClass: checked.entity.deviceClass, unit: checked.entity.unit,
                actions: Verb.allCases.filter(checked.entity.verbs.contains).map(\.rawValue), reads: checked.reads, writes: checked.writes)
        }
        return try .encoding(
            AnnouncementCheckAnswer(entities: entities, notUnderstood: check.omissions.map { NotUnderstoodAnswer($0) }))
    }

    private func picture(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let picture = try await hub.integrations.picture(of: try context.id("entity_id"), on: try context.id(), seenBy: principal)
        return Response(
            status: .ok, headers: [.contentType: picture.contentType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
    }
}

extension NotUnderstoodAnswer {
    init(_ omission: AnnouncementReport.Omission) {
        self.init(topic: omission.topic, component: omission.component, reason: omission.reason, device: omission.device)
    }
}

extension IntegrationAnswer {
    init(_ status: Integrations.Status) {
        self.init(
            integration: status.integration, status: status.health.status.rawValue, since: status.health.since,
            reason: status.health.reason, devices: status.devices,
            notices: status.health.notices.map { .init(entityID: $0.entityID, message: $0.message) }, settings: status.settings)
    }
}
