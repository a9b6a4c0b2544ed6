import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaQR
import CardeaSecurity
import CardeaNetwork
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1/mobile/auth` and `/api/v1/mobile/devices`: phones, on the wire of Seed 003.
struct PhonesController: Sendable {
    let hub: Hub
    let address: CurrentPublicURL
    let identity: HubIdentity?

    func addRoutes(to table: RouteTable) {
        table.open(.pairPhone, pair)
        table.waitingPhone(.showPhoneStanding, pairingStatus)
        table.open(.verifyPhone, verify)
        table.open(.refreshPhone, refresh)
        table.person(.listWaitingPhones) { _, _, principal in
            try .encoding(
                WaitingPhonesAnswer(pairings: try await hub.phonePairings.pending(seenBy: principal).map(PhoneResponses.pendingPairing)))
        }
        table.person(.confirmPhone, confirm)
        table.person(.rejectPhone) { _, context, principal in
            try await hub.phonePairings.reject(try context.id(), by: principal, origin: context.origin)
            return try .encoding(RejectedPhoneAnswer(message: "The phone was rejected."))
        }
        table.person(.revokePhones, revoke)
        table.person(.showPhoneInvitation) { _, _, _ in try .encoding(PhoneInvitationAnswer(pairingLink)) }
        table.person(.showPhoneQR) { _, _, _ in
            .svg(try QRCode(pairingLink.app).svg())
        }
        table.person(.listPhones) { _, _, principal in
            try .encoding(PhonesAnswer(devices: try await hub.phones.all(of: principal).map(PhoneResponses.phone)))
        }
        table.person(.renamePhone) { request, context, principal in
            let body = try await request.decodeBody(RenamePhoneBody.self)
            let phone = try await hub.phones.rename(try context.id(), to: body.deviceName, by: principal, origin: context.origin)
            return try .encoding(PhoneResponses.phone(phone))
        }
        table.person(.removePhone) { _, context, principal in
            let count = try await hub.phones.revoke(.one(try context.id()), by: principal, origin: context.origin)
            guard count > 0 else { throw Phones.PhoneError.notFound }
            return .noContent
        }
    }

    /// The address that links carry, and the keys the hub is known by if it has its own.
    private var pairingLink: PairingLink {
        PairingLink(url: address.text, pins: identity.map { [$0.info.pin, $0.info.backupPin].compactMap { $0 } } ?? [])
    }

    private func pair(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(PairPhoneBody.self)
        let phone: PhoneDescription
        do {
            phone = try PhoneDescription(
                deviceID: body.deviceID, name: body.deviceName, model: body.deviceModel, platform: body.platform)
        } catch { throw APIResponseError.phoneDescription(error) }
        let asked = try await hub.phonePairings.request(phone, origin: context.origin)
        return try .encoding(
            PairPhoneAnswer(
                pairingCode: asked.digits.reveal(), expiresAt: asked.expiresAt, expiresIn: Int(PhonePairings.lifetime),
                deviceCode: asked.secret.reveal(), interval: PhonePairings.interval), status: .created)
    }

    private func pairingStatus(_ request: Request, _ context: HubRequestContext, _ secret: Secret) async throws -> Response {
        let wait = try DeviceQuery.number(request.uri.queryParameters, "wait", 0...PhonePairings.maxWait) ?? 0
        let status = try await hub.phonePairings.status(of: secret, wait: TimeInterval(wait), origin: context.origin)
        return try .encoding(
            PhonePairingStatusAnswer(confirmed: status.isConfirmed, expired: status.isOver, expiresAt: status.expiresAt))
    }

    private func verify(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(VerifyPhoneBody.self)
        guard let deviceID = PhoneDescription.deviceID(body.deviceID) else { throw APIResponseError.phoneDescription(.deviceID) }
        let claim = PhonePairings.Claim(
            digits: try PhoneResponses.digits(body.pairingCode, "pairing_code"), deviceID: deviceID,
            secret: body.deviceCode.map { Secret($0) })
        return try PhoneResponses.tokens(try await hub.phonePairings.redeem(claim, origin: context.origin))
    }

    private func refresh(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        let body = try await request.decodeBody(RefreshPhoneBody.self)
        return try PhoneResponses.tokens(
            try await hub.sessions.refresh(Secret(body.refreshToken), of: .phone(deviceID: body.deviceID), origin: context.origin))
    }

    private func confirm(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ConfirmPhoneBody.self)
        let phone = try await hub.phonePairings.confirm(
            try PhoneResponses.digits(body.code, "code"), by: principal, origin: context.origin)
        return try .encoding(ConfirmPhoneAnswer(deviceName: phone.name, deviceModel: phone.model, platform: phone.platform))
    }

    private func revoke(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RevokePhonesBody.self)
        let choice: Phones.Selection =
            switch (body.refreshToken, body.deviceID, body.revokeAll ?? false) {
            case (let token?, nil, false): .refreshToken(Secret(token))
            case (nil, let id?, false): .one(id)
            case (nil, nil, true): .all
            default: throw APIResponseError.validation("device_id", "send exactly one of device_id, refresh_token and revoke_all")
            }
        return try .encoding(
            RevokedPhonesAnswer(revokedCount: try await hub.phones.revoke(choice, by: principal, origin: context.origin)))
    }
}

/// Phones on the wire.
enum PhoneResponses {
    static func digits(_ text: String, _ field: String) throws -> String {
        guard let digits = PairingDigits.normalized(text) else { throw APIResponseError.validation(field, "must have six digits, 0 to 9") }
        return digits
    }

    static func tokens(_ tokens: SessionTokens) throws -> Response {
        guard let phoneID = tokens.phoneID else { throw APIResponseError.unauthorized }
        return try .encoding(
            PhoneTokensAnswer(
                accessToken: tokens.access.reveal(), refreshToken: tokens.refresh.reveal(), expiresIn: tokens.expiresIn, deviceID: phoneID))
    }

    static func pendingPairing(_ phone: PhonePairings.PendingPhone) -> WaitingPhoneAnswer {
        WaitingPhoneAnswer(
            pairingID: phone.id, deviceName: phone.name, deviceModel: phone.model, platform: phone.platform,
            place: phone.isLocal ? "local network" : phone.address, createdAt: phone.askedAt, expiresAt: phone.expiresAt)
    }

    static func phone(_ phone: PairedPhone) -> PhoneAnswer {
        PhoneAnswer(
            deviceID: phone.id, deviceName: phone.name, deviceModel: phone.model, platform: phone.platform, pairedAt: phone.pairedAt,
            lastUsedAt: phone.lastUsedAt, expiresAt: phone.expiresAt, place: phone.isLocal ? "local network" : phone.address)
    }
}
