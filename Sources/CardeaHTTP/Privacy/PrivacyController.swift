import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/api/v1/privacy`, `/api/v1/retention`, `/api/v1/backups` and `/api/v1/jobs`: the data kept about a person and for how long, and the
/// jobs that the person starts with it.
struct PrivacyController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.showPrivacy, storedData)
        table.person(.showRetention) { _, _, principal in
            try .encoding(PrivacyResponses.retention(try await hub.retention.rules(seenBy: principal)))
        }
        table.person(.changeRetention, changeRetention)
        table.person(.showBackups) { _, _, principal in
            try .encoding(PrivacyResponses.backups(try await hub.backups.status(of: hub.house.current, seenBy: principal)))
        }
        table.person(.exportPerson) { request, context, principal in
            _ = try await request.bodyData()
            return try .encoding(
                answer(try await hub.jobs.export(try context.id(), by: principal, origin: context.origin)),
                status: .accepted)
        }
        table.person(.exportGuest) { request, context, principal in
            _ = try await request.bodyData()
            return try .encoding(
                answer(try await hub.jobs.export(guest: try context.id(), by: principal, origin: context.origin)),
                status: .accepted)
        }
        table.person(.erasePerson) { request, context, principal in
            _ = try await request.bodyData()
            return try .encoding(
                answer(try await hub.jobs.erase(try context.id(), by: principal, origin: context.origin)),
                status: .accepted)
        }
        table.person(.eraseGuest) { request, context, principal in
            _ = try await request.bodyData()
            return try .encoding(
                answer(try await hub.jobs.erase(guest: try context.id(), by: principal, origin: context.origin)),
                status: .accepted)
        }
        table.person(.listJobs) { _, _, principal in
            let (now, copies) = (hub.environment.now(), hub.backups.retainedCopies)
            return try .encoding(
                JobsAnswer(jobs: try await hub.jobs.all(seenBy: principal).map { PrivacyResponses.job($0, copies: copies, at: now) }))
        }
        table.person(.showJob) { _, context, principal in
            try .encoding(answer(try await hub.jobs.one(try context.id(), seenBy: principal)))
        }
        table.person(.stopJob) { _, context, principal in
            try .encoding(answer(try await hub.jobs.stop(try context.id(), by: principal, origin: context.origin)))
        }
        table.person(.fetchArchive, archive)
        table.person(.keepReplica) { request, context, principal in
            let people = try await request.decodeBody(ReplicaBody.self).confirmed
            guard people.count <= ReplicaBody.maxConfirmations else {
                throw APIResponseError.validation("confirmed", "must have at most \(ReplicaBody.maxConfirmations) entries")
            }
            return try .encoding(
                ErasedAnswer(erased: try await hub.replicas.confirm(without: people, by: principal, origin: context.origin)))
        }
    }

    private func answer(_ job: Job) -> JobAnswer {
        PrivacyResponses.job(job, copies: hub.backups.retainedCopies, at: hub.environment.now())
    }

    private func storedData(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let parts = try await hub.personalDataOverview.parts(of: principal)
        return try .encoding(
            PrivacyAnswer(
                holdings: parts.map { part in
                    let (what, why) = part.purpose.text
                    return .init(purpose: part.purpose.rawValue, what: what, why: why, kept: part.retentionTexts, count: part.count)
                }))
    }

    private func changeRetention(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RetentionBody.self)
        return try .encoding(
            PrivacyResponses.retention(try await hub.retention.setDays(body.days, by: principal, origin: context.origin)))
    }

    private func archive(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let id = try context.id()
        let reading = try await hub.jobs.archive(id, by: principal, origin: context.origin)
        let headers: HTTPFields = [
            .contentType: "application/zip", .cacheControl: "no-store", .contentDisposition: "attachment; filename=\"cardea-\(id).zip\"",
        ]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody(contentLength: Int(clamping: reading.bytes)) { writer in
                for try await piece in reading { try await writer.write(ByteBuffer(data: piece)) }
                try await writer.finish(nil)
            })
    }
}
