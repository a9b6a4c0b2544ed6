import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOFoundationCompat

/// `/api/v1/audit`: the log, its signatures, and proofs for outside verification.
struct AuditController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listAudit, list)
        table.person(.showAuditCheckpoint) { request, _, principal in
            let size = try Self.number(request.uri.queryParameters["from_size"], "from_size")
            return try .encoding(
                AuditResponses.checkpoint(try await hub.auditProofs.checkpoint(from: size.map(Int64.init), seenBy: principal)))
        }
        table.person(.proveAuditEntry) { _, context, principal in
            // An id that is not a number matches no entry. A caller without the right is refused first.
            let seq = Int64(try context.id()) ?? 0
            return try .encoding(
                AuditResponses.proof(try await hub.auditProofs.inclusion(of: seq, seenBy: principal, origin: context.origin)))
        }
        // Its own store: a body as long as the audit log is not stored under the key. A repeated request exports again.
        table.person(.exportAudit, keepsItself: true, export)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        func text(_ name: String) -> String? { query[name[...]].map(String.init) }
        let filter = ActivityLog.Filter(
            guestID: text("guest_id"), personID: text("person_id"), deviceID: text("device_id"), result: text("result"),
            action: text("action"), from: try Self.date(query["from"], "from"), to: try Self.date(query["to"], "to"),
            before: try Self.number(query["before"], "before"), limit: try Self.number(query["limit"], "limit") ?? 50, isWhole: true)
        let entries = try await hub.activity.entries(filter, seenBy: principal, origin: context.origin)
        let signed = try await hub.auditCheckpointer.lastCheckpoint()
        return try .encoding(
            AuditAnswer(
                entries: entries.map(ActivityResponses.entry), nextBefore: entries.count == filter.limit ? entries.last?.id : nil,
                signedSize: signed.flatMap { Int(exactly: $0.size) }, signedAt: signed.map { Date(milliseconds: $0.at) }))
    }

    private func export(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        // The answer is not stored under the key, but an invalid key is refused all the same.
        _ = try request.idempotencyKey(data)
        let body = try WireFormat.readBody(AuditExportBody.self, from: data)
        let filter = ActivityLog.Filter(
            guestID: body.guestID, personID: body.personID, deviceID: body.deviceID, result: body.result, action: body.action,
            from: body.from, to: body.to, isWhole: true)
        let isAll = filter == ActivityLog.Filter(isWhole: true)
        let export = try await hub.auditProofs.export(isAll ? nil : filter, by: principal, origin: context.origin)
        let isTable = body.format == .csv
        let name = "audit-\(export.name).\(isTable ? "csv" : "jsonl")"
        return Response(
            status: .ok,
            headers: [
                .contentType: isTable ? "text/csv; charset=utf-8" : "application/x-ndjson",
                .contentDisposition: "attachment; filename=\"\(name)\"", .cacheControl: "no-store",
            ],
            body: ResponseBody { writer in
                func put(_ data: Data) async throws { try await writer.write(ByteBuffer(data: data)) }
                if isTable { try await export.writeTable(put) } else { try await export.write(put) }
                try await writer.finish(nil)
            })
    }

    // MARK: Query parameters

    private static func number(_ text: Substring?, _ name: String) throws -> Int? {
        try AccessController.number(text.map(String.init), name)
    }

    private static func date(_ text: Substring?, _ name: String) throws -> Date? {
        try text.map { text in
            guard let date = Timestamp.date(String(text)) else {
                throw APIResponseError.validation(name, "must be a time such as 2026-11-21T14:31:07Z")
            }
            return date
        }
    }
}
