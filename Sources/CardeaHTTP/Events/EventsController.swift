import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/api/v1/mobile/events`, `/api/v1/events` and `/api/v1/incidents`: who was at the door.
struct EventsController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listEvents, list)
        table.person(.listRecentEvents, recent)
        table.person(.showEvent) { _, context, principal in
            try .encoding(EventAnswer(try await hub.events.one(try context.id(), seenBy: principal)))
        }
        table.person(.showEventThumbnail) { request, context, principal in
            let id = try context.id()
            return try await PictureResponses.answer(request, tag: "\(id).thumbnail") {
                try await hub.events.picture(.thumbnail, of: id, seenBy: principal)
            }
        }
        table.person(.recordEvent, keepsItself: true, record)
        table.person(.removeEvent) { _, context, principal in
            try await hub.events.remove(try context.id(), by: principal, origin: context.origin)
            return .noContent
        }
        table.person(.exportEventPicture) { request, context, principal in
            let id = try context.id()
            var answer = try await PictureResponses.answer(request, tag: "\(id).whole") {
                try await hub.events.picture(.whole, of: id, seenBy: principal)
            }
            answer.headers[.contentDisposition] = "attachment; filename=\"\(id).jpg\""
            return answer
        }
        table.person(.listIncidents, incidents)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let filter = Events.Filter(
            place: try Self.text(query, "camera_id", atMost: 100),
            type: try Self.text(query, "smart_detection_type", atMost: 64)?.lowercased(),
            incidentID: try Self.text(query, "incident_id", atMost: 64), from: try Self.date(query, "start_time"),
            to: try Self.date(query, "end_time"), words: try Self.searchTerms(query))
        let limit = try Self.number(query, "limit", 1...100) ?? 20
        let offset = try Self.number(query, "offset", 0...Int.max) ?? 0
        let below = try Self.cursor(query)
        let page = try await hub.events.page(filter, offset: offset, below: below, limit: limit, seenBy: principal)
        // At the largest offset there is no next page.
        let (nextOffset, isBeyond) = offset.addingReportingOverflow(page.events.count)
        return try .encoding(
            EventsAnswer(
                events: page.events.map(EventSummary.init), totalCount: page.total, hasMore: page.hasMore,
                nextOffset: page.hasMore && below == nil && !isBeyond ? nextOffset : nil,
                nextCursor: page.next.map { String($0, radix: 36) }))
    }

    private func recent(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let limit = try Self.number(request.uri.queryParameters, "limit", 1...10) ?? 5
        let page = try await hub.events.page(Events.Filter(), limit: limit, seenBy: principal)
        return try .encoding(RecentEventsAnswer(events: page.events.map(EventSummary.init)))
    }

    private func record(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody(Route.recordEvent.bodyLimit)
        let body = try WireFormat.readBody(RecordEventBody.self, from: data)
        var draft = Events.Draft(
            source: body.source, cameraID: body.cameraID, type: body.type, description: body.description, confidence: body.confidence,
            occurredAt: body.occurredAt)
        if let image = body.imageBase64 { draft.setPicture(pictureText: image) }
        let (event, isReplay) = try await hub.events.record(
            draft, by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try .encoding(EventAnswer(event), status: .created, isReplay: isReplay)
    }

    private func incidents(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let found = try await hub.events.incidents(
            before: try Self.date(query, "before"), limit: try Self.number(query, "limit", 1...100) ?? 20, seenBy: principal)
        return try .encoding(
            IncidentsAnswer(
                incidents: found.map { .init($0.incident, types: $0.types, eventCount: $0.count, lastEventID: $0.lastEventID) }))
    }

    // MARK: Query parameters

    private typealias Query = FlatDictionary<Substring, Substring>

    private static func number(_ query: Query, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        try query[name[...]].map { text in
            guard let number = Int(text), range.contains(number) else {
                let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
                throw APIResponseError.validation(name, "must be a whole number from \(range.lowerBound)\(end)")
            }
            return number
        }
    }

    private static func text(_ query: Query, _ name: String, atMost limit: Int) throws -> String? {
        try query[name[...]].map { text in
            guard (1...limit).contains(text.unicodeScalars.count) else {
                throw APIResponseError.validation(name, "must have 1 to \(limit) characters")
            }
            return String(text)
        }
    }

    private static func date(_ query: Query, _ name: String) throws -> Date? {
        try query[name[...]].map { text in
            guard let date = Timestamp.date(String(text)) else {
                throw APIResponseError.validation(name, "must be a time such as 2026-11-21T14:31:07Z")
            }
            return date
        }
    }

    private static func searchTerms(_ query: Query) throws -> Events.SearchTerms? {
        try query["q"].map { text in
            guard let words = Events.SearchTerms(String(text)) else {
                throw APIResponseError.validation("q", "must have 1 to \(Events.SearchTerms.maxWords) words")
            }
            return words
        }
    }

    private static func cursor(_ query: Query) throws -> Int64? {
        try query["cursor"].map { text in
            guard text.utf8.count <= 32, let key = Int64(text, radix: 36), key >= 0 else {
                throw APIResponseError.validation("cursor", "must be the next_cursor of an earlier page")
            }
            return key
        }
    }
}
