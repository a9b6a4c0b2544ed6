import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1/webhooks`, and `/hook/{secret}`, to which doorbells and cameras report.
struct IncomingWebhooksController: Sendable {
    let hub: Hub
    /// The address in the URLs of webhooks.
    let address: CurrentPublicURL
    /// True if that address has no TLS.
    let isPlain: Bool

    /// A route of the paths that devices report to.
    typealias ReportHandler = @Sendable (Request, HubRequestContext) async throws -> Response

    func addRoutes(to table: RouteTable) {
        table.person(.listWebhooks, list)
        table.person(.makeWebhook, make)
        table.person(.revokeWebhook) { _, context, principal in
            try await hub.webhooks.revoke(try context.id(), by: principal, origin: context.origin)
            return .noContent
        }
        Self.addReportRoutes(for: hub) { table.webhook($0, $1, $2) }
    }

    /// Opens the paths that devices report to. The log and the metrics name them by these patterns, without the secret.
    static func addReportRoutes(for hub: Hub, _ open: (HTTPRequest.Method, String, @escaping ReportHandler) -> Void) {
        for method in [HTTPRequest.Method.get, .post, .put] {
            for path in ["/hook/{id}", "/hook/{id}/{kind}"] {
                open(method, path) { request, context in try await report(request, context, to: hub) }
            }
        }
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let webhooks = try await hub.webhooks.all(seenBy: principal).map { WebhookAnswer($0.webhook, refusedCount: $0.refused) }
        return try .encoding(WebhooksAnswer(webhooks: webhooks, isPlain: isPlain))
    }

    private func make(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(MakeWebhookBody.self)
        let draft = IncomingWebhooks.Draft(name: body.name, make: body.make, cameraID: body.cameraID, type: body.type)
        let (webhook, secret) = try await hub.webhooks.create(draft, by: principal, origin: context.origin)
        let url = "\(address.text)/hook/\(secret.reveal())"
        return try .encoding(WebhookAnswer(webhook, refusedCount: 0, url: url), status: .created)
    }

    /// Devices repeat a report that is not answered with 200, so ends of events and keep-alives get 200 too.
    private static func report(_ request: Request, _ context: HubRequestContext, to hub: Hub) async throws -> Response {
        // The answer to GET without its body: a HEAD request reports nothing.
        guard request.method != .head else { throw APIResponseError.notFound }
        let webhook = try await hub.webhooks.find(Secret(try context.id()), origin: context.origin)
        context.connectionSlot?.markAuthenticated()
        let body = try await request.bodyData(IncomingWebhookRequest.bodyLimit)
        let report = IncomingWebhookRequest(
            type: context.parameters.get("kind"), query: request.uri.query ?? "", contentType: request.headers[.contentType], body: body)
        _ = try await hub.webhooks.report(report, by: webhook)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"], body: ResponseBody(byteBuffer: ByteBuffer(string: "ok\n")))
    }
}
