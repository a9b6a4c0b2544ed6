import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// `/api/v1/realtime` and `/api/v1/changes`: new events and past events of the journal.
struct RealtimeController: Sendable {
    let hub: Hub
    let broadcaster: RealtimeBroadcaster
    let encoder: RealtimeEventEncoder

    func addRoutes(to table: RouteTable) {
        table.open(.realtime, upgrade)
        table.personOrGuest(.issueTicket) { request, _, principal in
            guard let token = try request.bearerToken() else { throw APIResponseError.unauthorized }
            let ticket = try hub.realtimeTickets.issue(to: Credential(principal, by: token))
            return try .encoding(TicketAnswer(ticket: ticket.reveal(), expiresIn: Int(RealtimeTickets.lifetime)), status: .created)
        }
        table.personOrGuest(.streamEvents, events)
        table.personOrGuest(.listChanges, changes)
    }

    // MARK: WebSocket

    /// A client that sends no header authenticates by a ticket in its first message.
    private func upgrade(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let upgrade = try WebSocketUpgrade(request, instead: "Without a WebSocket, use /api/v1/realtime/events.")
        let credential = try await request.bearerToken().asyncMap { token in
            Credential(try await hub.principal(of: token, isLook: true, origin: context.origin), by: token)
        }
        let (socket, answer) = try await upgrade.accept(in: context, isKnown: credential != nil)
        broadcaster.openWebSocket(socket, credential: credential, origin: context.origin)
        return answer
    }

    // MARK: Plain HTTP

    private func events(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let filter: RealtimeBroadcaster.Filter
        do {
            filter = try RealtimeBroadcaster.filter(
                kinds: Self.list(query["kinds"]), devices: Self.list(query["devices"]), rooms: Self.list(query["rooms"]))
        } catch let problem as RealtimeBroadcaster.FilterError {
            throw APIResponseError.validation("kinds", problem.message)
        }
        let cursor: Int64? =
            if let last = request.headers[.lastEventID] {
                try Self.number(last[...], "Last-Event-ID")
            } else {
                try query["after"].map { try Self.number($0, "after") }
            }
        let isLocal = context.origin.isLocal
        guard let token = try request.bearerToken() else { throw APIResponseError.unauthorized }
        let credential = Credential(principal, by: token)
        _ = try await hub.visibilityFilter.requireVisibility(principal, isLocal: isLocal)
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close", .proxyBuffering: "no"],
            body: ResponseBody { writer in
                try await broadcaster.streamEvents(
                    to: credential, isLocal: isLocal, after: cursor, filter: filter, on: context.channel, into: &writer)
                try await writer.finish(nil)
            })
    }

    /// `?after=SEQ&limit=N`: the same events, a page at a time. Without `after`, the journal's present position: a client that continues
    /// from there, after reading everything else, misses nothing.
    private func changes(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let cursor = try query["after"].map { try Self.number($0, "after") }
        let limit = try query["limit"].map { try Self.number($0, "limit") } ?? 100
        guard (1...500).contains(limit) else { throw APIResponseError.validation("limit", "must be a whole number from 1 to 500") }
        let viewer = try await hub.visibilityFilter.requireVisibility(principal, isLocal: context.origin.isLocal)
        guard let after = cursor else {
            return .json(ByteBuffer(string: #"{"changes":[],"next":\#(try await hub.journal.last(seenBy: viewer)),"more":false}"#))
        }
        do {
            let (events, next, more) = try await hub.journal.changes(after: after, limit: Int(limit), seenBy: viewer)
            let payloads = try events.map { try encoder.payload($0, isWhole: viewer.seesWholeDevices) }
            var body = ByteBuffer(string: #"{"changes":["#)
            for (index, payload) in payloads.enumerated() {
                if index > 0 { body.writeStaticString(",") }
                body.writeImmutableBuffer(payload)
            }
            body.writeString(#"],"next":\#(next),"more":\#(more)}"#)
            return .json(body)
        } catch JournalTail.CursorError.tooOld(let first, let last) {
            throw APIResponseError(
                .gone, "cursor_too_old",
                "Changes after \(after) are no longer stored. Reload the devices, then continue with after=\(last).",
                details: ["first": .number(Double(first)), "last": .number(Double(last))])
        }
    }

    private static func list(_ text: Substring?) -> [String]? {
        text.map { $0.split(separator: ",").map(String.init) }
    }

    private static func number(_ text: Substring, _ name: String) throws -> Int64 {
        guard let number = Int64(text), number >= 0 else { throw APIResponseError.validation(name, "must be a whole number from 0") }
        return number
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
