import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// Passes in the guest family's words.
enum GuestResponses {
    static func pass(_ pass: GuestAccess.PresentedPass, token: Secret? = nil) -> GuestPassAnswer {
        let guest = pass.guest
        let entities = guest.items.compactMap { item -> GuestPassAnswer.PassEntity? in
            guard let entity = entity(item, in: pass.devices) else { return nil }
            return GuestPassAnswer.PassEntity(
                entityID: item.entityID, deviceID: item.deviceID, name: item.deviceName ?? entity.name,
                entityType: entity.kind.contractType,
                allowedActions: item.actions.map { actionName($0, on: entity) })
        }
        var answer = GuestPassAnswer(
            guestToken: token?.reveal(), guestID: guest.id, name: guest.name, houseName: pass.house.name,
            timeZone: pass.house.timeZone.identifier, entities: entities, startsAt: guest.grant.startsAt, expiresAt: guest.expiresAt,
            maxUses: guest.grant.useLimit, usedCount: guest.grant.useCount, schedule: guest.grant.schedule.map(ScheduleBody.init),
            asksEachTime: guest.grant.asksEachTime, status: guest.status(at: pass.now),
            revokedAt: guest.grant.revokedAt, now: pass.now)
        answer.nextFrom = guest.grant.nextOpening(after: pass.now, in: pass.house.timeZone).map { Int($0.timeIntervalSince1970) }
        answer.deviceID = guest.key?.deviceID
        answer.presence = guest.presence
        answer.confirmation = guest.key.map { .init(thumbprint: $0.thumbprint) }
        return answer
    }

    /// The key that came with a code; nil if none did.
    static func key(_ body: PairBody) throws -> GuestPublicKey? {
        switch (body.deviceID, body.devicePublicKey) {
        case (nil, nil): return nil
        case (_, nil): throw WireFormat.BodyError.field("device_public_key", "is required together with device_id")
        case (nil, _): throw WireFormat.BodyError.field("device_id", "is required together with device_public_key")
        case (let deviceID?, let text?):
            guard let bytes = Base64URL.decode(text), let key = GuestPublicKey(deviceID: deviceID, bytes: bytes) else {
                throw WireFormat.BodyError.field(
                    "device_public_key",
                    "must be an Ed25519 key of 32 bytes or a P-256 point of 65 bytes, in base64url. device_id must have 1 to 128 visible ASCII characters"
                )
            }
            return key
        }
    }

    /// The secret by which a phone without a key is known again; nil if none came.
    static func claimSecret(_ body: PairBody) throws -> Secret? {
        guard let text = body.claimSecret else { return nil }
        guard !text.isEmpty, text.utf8.count <= 256 else { throw WireFormat.BodyError.field("claim_secret", "must have 1 to 256 bytes") }
        return Secret(text)
    }

    /// The states of the pass's doors, as far as they are still open to guests.
    static func states(_ pass: GuestAccess.PresentedPass) -> JSONValue {
        let entities = pass.guest.items.compactMap { item -> JSONValue? in
            guard let device = pass.devices.first(where: { $0.id == item.deviceID }), device.isGuestAccessible,
                let entity = entity(item, in: pass.devices), !entity.restrictions.isClosed
            else { return nil }
            var fields: [String: JSONValue] = [
                "entity_id": .string(entity.id), "domain": .string(entity.kind.rawValue), "state": .string(state(of: entity, device)),
                "friendly_name": .string(device.name), "last_changed": .string(Timestamp.text(device.stateChangedAt)),
            ]
            fields["unit"] = entity.unit.map(JSONValue.string)
            fields["device_class"] = entity.deviceClass.map(JSONValue.string)
            fields["brightness"] = entity.state.attributes["brightness"]
            fields["current_position"] = entity.state.attributes["position"]
            fields["current_tilt_position"] = entity.state.attributes["tilt"]
            fields["current_temperature"] = entity.state.attributes["current_temperature"]
            fields["temperature"] = entity.state.attributes["target_temperature"]
            return .object(fields)
        }
        return ["entities": .array(entities)]
    }

    /// The value, from any of the contract's fields that holds it; percentages are clamped as the contract requires.
    static func value(_ body: GuestActionBody, for verb: Verb) throws -> JSONValue? {
        let named: (String, JSONValue?) =
            switch verb {
            case .setBrightness, .setPercentage: ("brightness_pct", body.brightnessPct)
            case .setPosition: ("position_pct", body.positionPct)
            case .setTilt: ("tilt_pct", body.tiltPct)
            case .setTemperature: ("temperature", body.temperature)
            default: ("value", nil)
            }
        guard let given = named.1 ?? body.value, given != .null else { return nil }
        if verb == .setTemperature, case .object = given { return given }
        guard let range = verb.value.range else { return given }
        guard let number = given.number, number.isFinite else {
            throw APIResponseError(.badRequest, "invalid_value", "\(named.0) must be a number.")
        }
        return .number(verb == .setTemperature ? number : min(max(number, range.lowerBound), range.upperBound))
    }

    static func outcome(_ command: Command, isReplay: Bool) throws -> Response {
        var answer = GuestActionAnswer(success: command.status == .confirmed)
        answer.action = command.requestedActionName ?? command.verb.rawValue
        answer.entityID = command.entityID
        answer.commandID = command.id
        answer.state = command.newState?.value
        setUses(command, in: &answer)
        let (status, code) = APIResponseError.status(of: command, in: .guest)
        let problem = APIResponseError.outcome(of: command, in: .guest)
        answer.error = code
        answer.message = problem?.message
        answer.retryAfter = problem?.retryAfter
        answer.reason = command.status == .confirmed ? nil : command.reason
        switch command.status {
        case .accepted, .dispatching: answer.status = command.status.rawValue
        case .failed, .expired: answer.useReturned = command.life.useReturned
        case .confirmed, .unknown: break
        }
        var response = try Response.encoding(answer, status: status, isReplay: isReplay)
        if let retryAfter = answer.retryAfter { response.headers[.retryAfter] = "\(retryAfter)" }
        if let challenge = problem?.challenge { response.headers[.wwwAuthenticate] = challenge.headerValue }
        return response
    }

    /// The guest has changed their mind, and nothing was spent.
    static func cancelled(_ command: Command) throws -> Response {
        var answer = GuestActionAnswer(success: true)
        answer.action = command.requestedActionName
        answer.entityID = command.entityID
        answer.commandID = command.id
        answer.status = "taken_back"
        setUses(command, in: &answer)
        answer.useReturned = command.life.useReturned
        return try .encoding(answer)
    }

    private static func setUses(_ command: Command, in answer: inout GuestActionAnswer) {
        answer.usedCount = command.usedCount
        answer.remainingUses = command.useLimit.map { limit in limit == 0 ? -1 : max(0, limit - (command.usedCount ?? 0)) }
    }

    private static func entity(_ item: Guest.Item, in devices: [Device]) -> Entity? {
        devices.first { $0.id == item.deviceID }?.entities.first { $0.id == item.entityID }
    }

    /// A pass answers with the names it was given; bare verbs get their family's dotted name, which the guest's side uses.
    private static func actionName(_ action: String, on entity: Entity) -> String {
        if action.contains(".") { return action }
        return Verb(named: action).map { ActionName.dottedName($0, on: entity.kind) } ?? action
    }

    /// The entity's state: `unknown` if it is not known, `unavailable` if its device is known to be out of reach.
    static func state(of entity: Entity, _ device: Device) -> String {
        device.status == .offline ? "unavailable" : entity.state.value
    }
}
