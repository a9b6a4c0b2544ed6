import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaQR
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1/guests`: passes from the owner's side.
struct GuestsController: Sendable {
    let hub: Hub
    let address: CurrentPublicURL

    func addRoutes(to table: RouteTable) {
        table.person(.inviteGuest, keepsItself: true, invite)
        table.person(.listGuests, list)
        table.person(.revokeGuests, revokeAll)
        table.person(.showGuest, show)
        table.person(.newGuestCode, newCode)
        table.person(.showGuestQR, qr)
        for decision in Guests.Decision.allCases {
            table.person(.decideGuest(decision.rawValue)) { request, context, principal in
                let number = try await number(in: request, of: decision)
                let guest = try await hub.guests.decide(decision, try context.id(), number: number, by: principal, origin: context.origin)
                return try .encoding(answer(guest))
            }
        }
        table.person(.listAsks, listAsks)
    }

    private func invite(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(InviteGuestBody.self, from: data)
        let draft = Guests.Draft(
            name: body.name, items: body.grants.map { .init(deviceID: $0.deviceID, entityID: $0.entityID, actions: $0.actions) },
            startsAt: body.startsAt, expiresAt: body.expiresAt, schedule: body.schedule?.schedule, useLimit: body.maxUses,
            requiresApproval: body.requiresApproval ?? false, asksEachTime: body.asksEachTime ?? false, localOnly: body.localOnly ?? false,
            presence: body.presence ?? .hold)
        let (codes, isReplay) = try await hub.guests.invite(
            draft, by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        let guest = try await hub.guests.guest(codes.guestID, seenBy: principal)
        var answer = answer(guest)
        answer.pairingCode = codes.spokenCode.reveal()
        answer.pairingExpiresAt = codes.spokenExpiresAt
        answer.link = link(codes.linkCode)
        return try .encoding(answer, status: .created, isReplay: isReplay)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(GuestsAnswer(guests: try await hub.guests.all(seenBy: principal).map(answer)))
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (guest, history) = try await hub.guests.one(try context.id(), seenBy: principal, origin: context.origin)
        var answer = answer(guest)
        answer.history = history.map(ActivityResponses.entry)
        return try .encoding(answer)
    }

    private func newCode(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bodyData()
        let codes = try await hub.guests.newCode(for: try context.id(), by: principal, origin: context.origin)
        return try .encoding(
            GuestCodeAnswer(
                pairingCode: codes.spokenCode.reveal(), pairingExpiresAt: codes.spokenExpiresAt, link: link(codes.linkCode)))
    }

    private func qr(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        .svg(try QRCode(link(try await hub.guests.linkCode(of: try context.id(), by: principal))).svg())
    }

    private func revokeAll(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await request.bodyData()
        return try .encoding(RevokedAnswer(revoked: try await hub.guests.revokeAll(by: principal, origin: context.origin)))
    }

    /// The number of the phone that is meant; nil if none is given.
    private func number(in request: Request, of decision: Guests.Decision) async throws -> String? {
        guard decision == .approve || decision == .reject else {
            _ = try await request.bodyData()
            return nil
        }
        let data = try await request.jsonBody()
        return data.isEmpty ? nil : try WireFormat.readBody(AnswerPhoneBody.self, from: data).number
    }

    private func listAsks(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let asks = try await hub.guests.pendingApprovals(seenBy: principal).map { ask in
            AskAnswer(
                askID: ask.command?.id ?? ask.pairingRequest?.id ?? ask.guestID, kind: ask.command == nil ? "pairing" : "command",
                guestID: ask.guestID,
                guestName: ask.guestName, deviceID: ask.command?.deviceID, deviceName: ask.deviceName,
                action: ask.command.map { $0.requestedActionName ?? $0.verb.rawValue }, commandID: ask.command?.id, askedAt: ask.askedAt,
                expiresAt: ask.expiresAt, number: ask.pairingRequest?.number,
                isSecondPhone: ask.pairingRequest.map { _ in ask.isSecondPhone },
                replacesPhone: ask.pairingRequest.map { _ in ask.replacesPhone })
        }
        return try .encoding(AsksAnswer(asks: asks))
    }

    private func answer(_ guest: Guest) -> GuestAnswer {
        let now = hub.environment.now()
        var answer = GuestAnswer(
            guestID: guest.id, name: guest.name, status: guest.status(at: now),
            grants: guest.items.map {
                GrantBody(deviceID: $0.deviceID, entityID: $0.entityID, deviceName: $0.deviceName, actions: $0.actions)
            },
            startsAt: guest.grant.startsAt, expiresAt: guest.expiresAt, schedule: guest.grant.schedule.map(ScheduleBody.init),
            maxUses: guest.grant.useLimit, usedCount: guest.grant.useCount, requiresApproval: guest.requiresApproval,
            asksEachTime: guest.grant.asksEachTime, localOnly: guest.grant.localOnly, createdAt: guest.createdAt,
            createdBy: guest.createdByName, pairedAt: guest.pairedAt, boundToDevice: guest.key != nil, scannedAt: guest.scannedAt,
            lastUsedAt: guest.lastUsedAt,
            suspendedAt: guest.grant.suspendedAt, revokedAt: guest.grant.revokedAt,
            nextFrom: guest.grant.nextOpening(after: now, in: hub.house.current.timeZone), version: guest.version)
        answer.presence = guest.presence
        return answer
    }

    /// The code sits in the fragment, which no server and no preview is ever sent.
    private func link(_ code: Secret) -> String { "\(address.text)/g#\(code.reveal())" }
}
