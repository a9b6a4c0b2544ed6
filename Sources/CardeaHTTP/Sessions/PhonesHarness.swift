import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaQR
import CardeaSecurity
import CardeaTLS
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/v1/mobile/auth` and `/api/v1/mobile/devices`: phones, on the wire of Seed 003.
struct PhonesHarness: Sendable {
    let hub: Hub
    let address: PublicAddress
    let identity: HubIdentity?

    func add(to table: RouteTable) {
        table.open(.pairPhone, pair)
        table.waitingPhone(.showPhoneStanding, standing)
        table.open(.verifyPhone, verify)
        table.open(.refreshPhone, refresh)
        table.person(.listWaitingPhones) { _, _, principal in
            try .encoding(WaitingPhonesAnswer(pairings: try await hub.phonePairings.pending(seenBy: principal).map(PhoneWire.waiting)))
        }
        table.person(.confirmPhone, confirm)
        table.person(.rejectPhone) { _, context, principal in
            try await hub.phonePairings.reject(try context.id(), by: principal, origin: context.origin)
            return try .encoding(RejectedPhoneAnswer(message: "The phone was turned away."))
        }
        table.person(.revokePhones, revoke)
        table.person(.showPhoneInvitation) { _, _, _ in try .encoding(PhoneInvitationAnswer(link)) }
        table.person(.showPhoneQR) { _, _, _ in
            .svg(try QRCode(link.app).svg())
        }
        table.person(.listPhones) { _, _, principal in
            try .encoding(PhonesAnswer(devices: try await hub.phones.all(of: principal).map(PhoneWire.phone)))
        }
        table.person(.renamePhone) { request, context, principal in
            let body = try await request.read(RenamePhoneBody.self)
            let phone = try await hub.phones.rename(try context.id(), to: body.deviceName, by: principal, origin: context.origin)
            return try .encoding(PhoneWire.phone(phone))
        }
        table.person(.removePhone) { _, context, principal in
            let count = try await hub.phones.revoke(.one(try context.id()), by: principal, origin: context.origin)
            guard count > 0 else { throw Phones.Problem.notFound }
            return .noContent
        }
    }

    /// The address that links carry, and the keys the hub is known by where it has its own.
    private var link: PairingLink {
        PairingLink(url: address.text, pins: identity.map { [$0.facts.pin, $0.facts.backupPin].compactMap { $0 } } ?? [])
    }

    private func pair(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(PairPhoneBody.self)
        let phone: PhoneWords
        do {
            phone = try PhoneWords(
                deviceID: body.deviceID, name: body.deviceName, model: body.deviceModel, platform: body.platform)
        } catch { throw Problem.phoneWords(error) }
        let asked = try await hub.phonePairings.ask(phone, origin: context.origin)
        return try .encoding(
            PairPhoneAnswer(
                pairingCode: asked.digits.reveal(), expiresAt: asked.expiresAt, expiresIn: Int(PhonePairings.lasts),
                deviceCode: asked.secret.reveal(), interval: PhonePairings.interval), status: .created)
    }

    private func standing(_ request: Request, _ context: HouseContext, _ secret: Secret) async throws -> Response {
        let wait = try DevicesQuery.number(request.uri.queryParameters, "wait", 0...PhonePairings.longestWait) ?? 0
        let standing = try await hub.phonePairings.standing(of: secret, wait: TimeInterval(wait), origin: context.origin)
        return try .encoding(
            PhoneStandingAnswer(confirmed: standing.isConfirmed, expired: standing.isOver, expiresAt: standing.expiresAt))
    }

    private func verify(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(VerifyPhoneBody.self)
        guard let deviceID = PhoneWords.deviceID(body.deviceID) else { throw Problem.phoneWords(.deviceID) }
        let claim = PhonePairings.Claim(
            digits: try PhoneWire.digits(body.pairingCode, "pairing_code"), deviceID: deviceID, secret: body.deviceCode.map { Secret($0) })
        return try PhoneWire.tokens(try await hub.phonePairings.redeem(claim, origin: context.origin))
    }

    private func refresh(_ request: Request, _ context: HouseContext) async throws -> Response {
        let body = try await request.read(RefreshPhoneBody.self)
        return try PhoneWire.tokens(
            try await hub.sessions.refresh(Secret(body.refreshToken), of: .phone(deviceID: body.deviceID), origin: context.origin))
    }

    private func confirm(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(ConfirmPhoneBody.self)
        let phone = try await hub.phonePairings.confirm(
            try PhoneWire.digits(body.code, "code"), by: principal, origin: context.origin)
        return try .encoding(ConfirmPhoneAnswer(deviceName: phone.name, deviceModel: phone.model, platform: phone.platform))
    }

    private func revoke(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(RevokePhonesBody.self)
        let choice: Phones.Choice =
            switch (body.refreshToken, body.deviceID, body.revokeAll ?? false) {
            case (let token?, nil, false): .refreshToken(Secret(token))
            case (nil, let id?, false): .one(id)
            case (nil, nil, true): .all
            default: throw Problem.validation("device_id", "give a device_id, a refresh_token, or revoke_all")
            }
        return try .encoding(
            RevokedPhonesAnswer(revokedCount: try await hub.phones.revoke(choice, by: principal, origin: context.origin)))
    }
}

/// Phones on the wire.
enum PhoneWire {
    static func digits(_ text: String, _ field: String) throws -> String {
        guard let digits = PairingDigits.clean(text) else { throw Problem.validation(field, "has six digits, 0 to 9") }
        return digits
    }

    static func tokens(_ tokens: SessionTokens) throws -> Response {
        guard let phoneID = tokens.phoneID else { throw Problem.unauthorized }
        return try .encoding(
            PhoneTokensAnswer(
                accessToken: tokens.access.reveal(), refreshToken: tokens.refresh.reveal(), expiresIn: tokens.expiresIn, deviceID: phoneID))
    }

    static func waiting(_ phone: PhonePairings.Waiting) -> WaitingPhoneAnswer {
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
