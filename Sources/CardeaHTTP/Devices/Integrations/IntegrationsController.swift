import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/integrations`: the house's connections.
struct IntegrationsController: Sendable {
    let hub: Hub
    let virtual: (any VirtualDeviceFaults)?

    func addRoutes(to table: RouteTable) {
        table.person(.listIntegrations, list)
        table.person(.listNearby, nearby)
        addConnectionRoutes("mqtt", MQTTSettingsBody.self, .connectMQTT, .disconnectMQTT, .testMQTT, in: table)
        addConnectionRoutes("endpoint", EndpointSettingsBody.self, .connectEndpoint, .disconnectEndpoint, .testEndpoint, in: table)
        addConnectionRoutes(
            "home-assistant", HomeAssistantSettingsBody.self, .connectHomeAssistant, .disconnectHomeAssistant, .testHomeAssistant, in: table
        )
        if virtual != nil { table.person(.breakVirtualDevice, fault) }
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let statuses = try await hub.integrations.all(seenBy: principal)
        return try .encoding(IntegrationsAnswer(integrations: statuses.map { IntegrationAnswer($0) }))
    }

    private func nearby(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let nearby = try await hub.integrations.nearby(seenBy: principal)
        let found = nearby.suggestions.map { suggestion in
            let service = suggestion.service
            var answer = NearbyServiceAnswer(
                kind: service.kind.rawValue, name: service.name, host: service.host, port: service.port, advice: suggestion.advice.rawValue)
            answer.address = service.address
            answer.url = service.urls.first?.description
            answer.model = service.model
            answer.category = service.category
            answer.version = service.version
            answer.isPaired = service.isPaired
            return answer
        }
        return try .encoding(NearbyAnswer(status: nearby.snapshot.status.rawValue, found: found, more: nearby.snapshot.isCut))
    }

    private func addConnectionRoutes<Body: WireFormat.Body & Encodable & Sendable>(
        _ integration: String, _: Body.Type, _ connect: Route, _ disconnect: Route, _ test: Route, in table: RouteTable
    ) {
        table.person(connect) { [hub] request, context, principal in
            let body = try WireFormat.readBody(Body.self, from: try await request.jsonBody())
            let status = try await hub.integrations.connect(
                integration, settings: try WireFormat.encode(body), by: principal, origin: context.origin)
            return try .encoding(IntegrationAnswer(status))
        }
        table.person(disconnect) { [hub] _, context, principal in
            try await hub.integrations.disconnect(integration, by: principal, origin: context.origin)
            return .noContent
        }
        table.person(test) { [hub] _, context, principal in
            try .encoding(IntegrationAnswer(try await hub.integrations.test(integration, by: principal, origin: context.origin)))
        }
    }

    private func fault(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(VirtualFaultBody.self)
        try await hub.people.requireSettingsRight(for: "device.fault", by: principal, origin: context.origin)
        guard let known = try await virtual?.set(fault: body.fault, on: body.deviceID) else {
            throw APIResponseError.validation("fault", "must be none, jam, silent or unreachable")
        }
        guard known else { throw CommandRefusal.deviceNotFound }
        return .noContent
    }
}
