import CardeaAPI
import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// How the hub's errors become status and code. This is the only place.
extension APIResponseError {
    /// In the words of the family that was asked.
    init(_ error: any Error, at path: String) {
        self =
            if path.hasPrefix("/api/guest_access") {
                .forGuestFamily(error)
            } else if path.hasPrefix("/api/v1/mobile/") {
                .forMobileFamily(error, isRefresh: path.hasPrefix("/api/v1/mobile/auth/refresh"))
            } else {
                APIResponseError(error)
            }
    }

    init(_ error: any Error) {
        self =
            switch error {
            case let problem as APIResponseError: problem
            case let problem as WireFormat.BodyError: Self.body(problem)
            case let problem as People.PersonError: Self.people(problem)
            case let problem as Sessions.SessionError: Self.sessions(problem)
            case let problem as Passkeys.CredentialError: Self.passkeys(problem)
            case let problem as RealtimeTickets.TicketError: Self.tickets(problem)
            case let problem as APITokens.APITokenError: Self.apiTokens(problem)
            case let problem as PhonePairings.PairingError: Self.pairing(problem)
            case let problem as Phones.PhoneError: Self.phones(problem)
            case let problem as Guests.GuestError: Self.guests(problem)
            case let problem as GuestAccess.GuestAccessError: Self.access(problem)
            case let problem as Devices.EditError: Self.deviceEdit(problem)
            case let problem as Commands.ApprovalError: Self.approval(problem)
            case let problem as CommandRefusal: Self.command(problem)
            case let problem as CommandBatches.BatchError: Self.batches(problem)
            case let problem as Scenes.SceneError: Self.scenes(problem)
            case let problem as Rooms.RoomError: Self.rooms(problem)
            case let problem as House.HouseError: Self.house(problem)
            case let problem as Readings.ReadingError: Self.readings(problem)
            case let problem as PeoplePreferences.PreferenceError: Self.preferences(problem)
            case let problem as PresenceSources.PresenceSourceError: Self.presence(problem)
            case let problem as AccessExplainer.ExplanationError: Self.explain(problem)
            case let problem as AccessChanges.AccessChangeError: Self.accessChanges(problem)
            case let problem as Events.EventError: Self.events(problem)
            case let problem as AuditProofs.ProofError: Self.audit(problem)
            case let problem as Integrations.IntegrationError: Self.integrations(problem)
            case let problem as Integrations.MoveError: Self.deviceMove(problem)
            case let problem as IntegrationSettingsError: .validation(problem.field, problem.message)
            case let problem as Cameras.CameraError: Self.cameras(problem)
            case let problem as Webhooks.WebhookError: Self.webhooks(problem)
            case let problem as Notices.NoticeError: Self.notices(problem)
            case let problem as PushSubscriptions.SubscriptionError: Self.push(problem)
            case let problem as Buttons.ButtonError: Self.buttons(problem)
            case let problem as Tags.TagError: Self.tags(problem)
            case let problem as Interviews.InterviewError: Self.interviews(problem)
            case let problem as PlannedDevices.PlanError: Self.plannedDevices(problem)
            case let problem as Twins.TwinError: Self.twins(problem)
            case let problem as Retention.RetentionError: Self.retention(problem)
            case let problem as Maintenance.MaintenanceError: Self.maintenance(problem)
            case let problem as Jobs.JobError: Self.jobs(problem)
            case let fault as WhatIfFieldError: Self.whatIf(fault)
            case let stale as Tags.StalePolicyError: .preconditionFailed(TagPolicyBody(stale.policy), version: stale.version)
            case let problem as MemoryError: Self.memories(problem)
            case let problem as Automations.AutomationServiceError: Self.automations(problem)
            case is IdempotencyKeyReusedError: .idempotencyKeyReused
            case let error as HTTPError: Self.http(error)
            case is SharedTransactionAbortedError: .insufficientStorage
            case is ClockBehindError: .clockWentBack
            case is HTTPParserError: APIResponseError(.badRequest, "invalid_request", "The body does not arrive as HTTP has it.")
            default: Self.other(error)
            }
    }

    static let idempotencyKeyReused = APIResponseError(
        .unprocessableContent, "idempotency_key_reused", "This Idempotency-Key was used for another request. Use a new one.")
    static let clockBehind = APIResponseError(
        .serviceUnavailable, "clock_behind", "The house's clock is wrong, so passes open nothing just now. Ring, or ask them yourself.",
        retryAfter: 60)
    static let clockWentBack = APIResponseError(
        .serviceUnavailable, "clock_behind", "The house's clock went back, so nothing is taken that runs out by it, until it is right.",
        retryAfter: 60)
    /// RFC 9449, section 8.
    static func useNonce(_ nonce: String) -> APIResponseError {
        var problem = APIResponseError(.badRequest, "use_dpop_nonce", "Sign the request again, with the nonce that comes with this answer.")
        problem.nonce = nonce
        return problem
    }
    /// RFC 4918, section 11.5.
    static let insufficientStorage = APIResponseError(
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "insufficient_storage",
        "The house cannot write or read: its disk is full, or fails. Nothing was changed.", retryAfter: 5)
    static let busy = APIResponseError(
        .serviceUnavailable, "service_unavailable", "The house is writing something long just now. Nothing was changed.", retryAfter: 5)

    private static func body(_ problem: WireFormat.BodyError) -> APIResponseError {
        switch problem {
        case .notJSON: APIResponseError(.badRequest, "invalid_json", "The body is not JSON.")
        case .notAnObject: APIResponseError(.badRequest, "invalid_payload", "The body must be a JSON object.")
        case .unknownField(let name):
            APIResponseError(.badRequest, "validation_error", "There is no field \(name).", details: ["field": .string(name)])
        case .field(let name, let what): .validation(name, what)
        }
    }

    static func forbidden(_ refusal: Refusal, sentence: String? = nil) -> APIResponseError {
        var details = refusal.details
        details["reason"] = .string(refusal.name)
        return APIResponseError(.forbidden, "forbidden", sentence ?? refusal.sentence, details: details)
    }

    private static func people(_ problem: People.PersonError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("name", problem.sentence)
        case .username(let message): .validation("username", message)
        case .usernameTaken:
            APIResponseError(.conflict, "conflict", "This user name is taken. Choose another.", details: ["field": "username"])
        case .password(let message): .validation("password", message)
        case .unknownRole: .validation("role", "is owner, admin, member (also written resident) or guest")
        case .lastOwner: APIResponseError(.conflict, "last_owner", "A house needs an owner. Make someone else owner first.")
        case .forbidden(let refusal): .forbidden(refusal)
        case .forbiddenToProgram:
            .forbidden(
                .noGrant, sentence: "A program's token sets nothing up, since nobody can confirm by it who they are. Ask as a person.")
        case .alreadyClaimed:
            APIResponseError(.conflict, "already_claimed", "This house already has an owner. Sign in, or ask them to invite you.")
        case .invalidToken:
            APIResponseError(
                .unauthorized, "unauthorized", "This link is not right, was used, or is too old. Ask for a new one.",
                challenge: .invalidToken)
        case .alreadyJoined: APIResponseError(.conflict, "conflict", "They have joined already.")
        case .wrongPassword: APIResponseError(.unauthorized, "invalid_credentials", "The current password is not right.", challenge: .bare)
        case .stale(let person): .preconditionFailed(PersonAnswer(person), version: person.version)
        }
    }

    private static func sessions(_ problem: Sessions.SessionError) -> APIResponseError {
        switch problem {
        case .invalidCredentials:
            APIResponseError(.unauthorized, "invalid_credentials", "Name or password is not right.", challenge: .bare)
        case .throttled(let wait): .rateLimited(wait)
        case .busy:
            APIResponseError(
                .serviceUnavailable, "service_unavailable", "Too many people are signing in at once. Again in 1 s.", retryAfter: 1)
        case .unauthorized: APIResponseError(.unauthorized, "unauthorized", "You are signed out. Sign in again.", challenge: .invalidToken)
        case .expired:
            APIResponseError(.unauthorized, "token_expired", "The access token has expired. Refresh it.", challenge: .invalidToken)
        case .reused:
            APIResponseError(
                .unauthorized, "token_reused", "This refresh token was used before. The session has ended; sign in again.",
                challenge: .invalidToken)
        case .staleProof(let nonce): .useNonce(nonce)
        case .erased:
            APIResponseError(
                .unauthorized, "person_erased", "You were erased from this house. What is kept of it here is to go.",
                challenge: .invalidToken)
        case .stepUpRequired: .stepUpRequired
        case .stepUpToOpen(let evidence): .stepUp(toOpenOn: evidence)
        case .noSuchSession: .notFound
        }
    }

    private static func tickets(_ problem: RealtimeTickets.TicketError) -> APIResponseError {
        switch problem {
        case .tooMany(let wait): .rateLimited(wait)
        }
    }

    private static func guests(_ problem: Guests.GuestError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "guest_not_found", "There is no such pass.")
        case .name(let problem): .validation("name", problem.sentence)
        case .invalid(let field, let message): .validation(field, message)
        case .forbidden(let refusal): .forbidden(refusal)
        case .conflict(let why):
            APIResponseError(.conflict, "conflict", "This does not fit how the pass stands: \(why).", details: ["reason": .string(why)])
        case .gone: APIResponseError(.gone, "gone", "The link has been used, or the pass is over. Make a new link.")
        case .severalPhones(let numbers):
            APIResponseError(
                .conflict, "several_phones",
                "Several phones ask for this pass: \(numbers.joined(separator: ", ")). Say which number your guest reads to you.",
                details: ["numbers": .array(numbers.map(JSONValue.string))])
        }
    }

    private static func deviceEdit(_ problem: Devices.EditError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "device_not_found", "There is no such device.")
        case .name(let problem): .name(problem, field: "name")
        case .description(let problem): .name(problem, field: "user_description", limit: 500)
        case .stale(let device, let room): .preconditionFailed(DeviceAnswer(device, room: room), version: device.version)
        case .noSuchRoom: .validation("room_id", "is not a room of this house")
        case .noSuchEntity: .validation("entity_id", "is no part of this device")
        case .neverWayIn:
            .validation(
                "entity_id", "is neither a button, switch or valve that can be moved nor anything that the house takes for a way in")
        case .forbidden(let refusal): .forbidden(refusal)
        }
    }

    private static func deviceMove(_ problem: Integrations.MoveError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "device_not_found", "There is no such device.")
        case .noSuchOther: .validation("with", "is no device of this house")
        case .noSuchEntity: .validation("entity_id", "is no part of this device")
        case .same(let field): .validation(field, "is the same one")
        case .nothingToReplace: .validation("replaces", "is no door that a pass, a button or a scene names")
        case .otherIntegration(let one, let other):
            APIResponseError(
                .conflict, "conflict",
                "One device comes from \(one), the other from \(other); only devices of one integration are merged. Put the new door in the old one's place instead."
            )
        case .refused(let refusal): APIResponseError(.conflict, "conflict", refusal.message)
        case .bothGone: APIResponseError(.conflict, "conflict", "Neither device is there. Connect one of them first.")
        case .stillConnected(let name): APIResponseError(.conflict, "conflict", "\(name) is connected. Disconnect it, or remove it, first.")
        case .otherKind(let kind, let instead):
            APIResponseError(.conflict, "conflict", "The old one is a \(kind.rawValue), the new one a \(instead.rawValue).")
        case .unsupported(let actions):
            APIResponseError(
                .conflict, "conflict",
                "The new one does not do \(actions.joined(separator: ", ")). Take that out of passes and buttons first.",
                details: ["actions": .array(actions.map(JSONValue.string))])
        }
    }

    private static func approval(_ problem: Commands.ApprovalError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .notAwaitingApproval: APIResponseError(.conflict, "conflict", "Nothing waits for an answer any more.")
        case .forbidden(let refusal): .forbidden(refusal)
        case .notAnApprover:
            .forbidden(.roleLacksRight, sentence: "The owner lets others answer guests who ask to be let in. Ask an owner.")
        }
    }

    static func command(_ refusal: CommandRefusal) -> APIResponseError {
        switch refusal {
        case .gate(let refusal): .forbidden(refusal)
        case .proof(let refusal): .proof(refusal)
        case .deviceNotFound: APIResponseError(.notFound, "device_not_found", "There is no such device.")
        case .entityRequired(let ids):
            APIResponseError(
                .badRequest, "entity_required", "Several parts of this device fit; name one in entity_id.",
                details: ["entities": .array(ids.map(JSONValue.string))])
        case .entityNotInScope: APIResponseError(.forbidden, "entity_not_in_scope", "The pass does not know this door.")
        case .scopeMismatch: APIResponseError(.forbidden, "scope_mismatch", "The action does not fit this door.")
        case .unsupported(let verb):
            APIResponseError(
                .badRequest, "unsupported_action", "This device does not do \(verb.rawValue).", details: ["action": .string(verb.rawValue)])
        case .unknownAction(let name):
            APIResponseError(
                .badRequest, "unsupported_action",
                "The house does not know the action \(name.prefix(64)). Actions are absolute: on, off.",
                details: ["action": .string(String(name.prefix(64)))])
        case .readOnly: APIResponseError(.badRequest, "read_only_entity", "This can only be looked at.")
        case .invalidValue(let verb): .validation("value", verb.valueSentence)
        case .invalidWhite(let whites):
            .validation("value", "set_color takes a temperature from \(Int(whites.lowerBound)) to \(Int(whites.upperBound)) here")
        case .unreachable:
            APIResponseError(.serviceUnavailable, "device_unreachable", "The device does not answer. Nothing was sent.", retryAfter: 5)
        case .integrationNotReady:
            APIResponseError(
                .serviceUnavailable, "integration_not_ready", "The device's connection is not up yet. Nothing was sent.", retryAfter: 2)
        case .notConnected:
            APIResponseError(
                .serviceUnavailable, "integration_not_ready",
                "This device is planned: nothing is connected to it yet. Nothing was sent.",
                details: ["integration": .string(Device.planned)], retryAfter: 3600)
        case .inFlight(let id):
            APIResponseError(.conflict, "in_flight", "This is still being done.", details: ["command_id": .string(id)], retryAfter: 1)
        case .callNameReused: .idempotencyKeyReused
        case .busy(let wait): .rateLimited(Double(wait))
        case .clockBehind: .clockBehind
        case .doorChanged:
            APIResponseError(
                .conflict, "conflict",
                "This door is announced otherwise than before, so what was set up for it rests. On its page, somebody who may change settings says whether it is the same door.",
                details: ["reason": .string(AuditReason.doorChanged.rawValue)])
        }
    }

    private static func accessChanges(_ problem: AccessChanges.AccessChangeError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .gone: APIResponseError(.conflict, "conflict", "Switched off, it is gone. It has to be made anew.")
        case .disabledByHouse:
            APIResponseError(
                .conflict, "conflict", "The house switched it off because somebody left. Look at it on its own page, and save it there.")
        }
    }

    private static func explain(_ problem: AccessExplainer.ExplanationError) -> APIResponseError {
        switch problem {
        case .grantNotFound: .validation("guest_id", "is neither a pass nor a person of this house")
        case .deviceNotFound: APIResponseError(.notFound, "device_not_found", "There is no such device.")
        case .unsupported(let verb):
            APIResponseError(.badRequest, "unsupported_action", "This device does not do \(verb.rawValue).")
        }
    }

    private static func integrations(_ problem: Integrations.IntegrationError) -> APIResponseError {
        switch problem {
        case .unknown: .notFound
        case .forbidden(let refusal): .forbidden(refusal)
        }
    }

    private static func http(_ error: HTTPError) -> APIResponseError {
        switch error.status {
        case .notFound: .notFound
        case .contentTooLarge: APIResponseError(.contentTooLarge, "payload_too_large", "The body is larger than 64 KiB.")
        case .badRequest: APIResponseError(.badRequest, "invalid_json", "The request cannot be read.")
        default: APIResponseError(error.status, "http_\(error.status.code)", error.status.reasonPhrase)
        }
    }

    private static func other(_ error: any Error) -> APIResponseError {
        switch (error as? DatabaseError)?.resultCode {
        // SQLite takes what a disk does not read for a damaged file.
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CORRUPT: .insufficientStorage
        case .SQLITE_BUSY: .busy
        default:
            APIResponseError(
                .internalServerError, "internal_error",
                "Something went wrong here. Nothing more is known; the request id finds it in the log.")
        }
    }
}

extension Refusal {
    /// What, why and what next, for whoever was refused.
    var sentence: String {
        switch self {
        case .noGrant: "You hold no right to this."
        case .roleLacksRight: "Your role does not include this. Ask an owner."
        case .securityDevice: "This is a security device; an owner or admin opens it."
        case .notGuestAccessible: "This device is not open to guests any more."
        case .deviceNotInScope: "The pass does not include this device."
        case .actionNotAllowed: "The pass does not include this action."
        case .notYetValid: "This pass has not started yet."
        case .expired: "This pass has ended. Ask the house for a new one."
        case .outsideSchedule: "Outside the hours of this pass."
        case .usedUp(let limit): "This pass is used up: \(limit) of \(limit). Ask the house for more."
        case .suspended: "This pass is paused by the house. It may work again later."
        case .revoked: "This pass was taken back. Ask the house if you still need it."
        case .forbiddenRemote: "This pass works only on the house's own network. Join its Wi-Fi and try again."
        case .awaitingApproval: "The house has to say yes first."
        case .rejected: "The house said no."
        }
    }

    var details: [String: JSONValue] {
        switch self {
        case .notYetValid(let date): ["starts_at": .string(Timestamp.text(date))]
        case .expired(let date): ["expired_at": .string(Timestamp.text(date))]
        case .outsideSchedule(let next): next.map { ["next_opening": .string(Timestamp.text($0))] } ?? [:]
        case .usedUp(let limit): ["max_uses": .number(Double(limit))]
        case .revoked(let date): ["revoked_at": .string(Timestamp.text(date))]
        default: [:]
        }
    }
}

extension Name.NameError {
    var sentence: String {
        switch self {
        case .empty: "may not be empty"
        case .tooLong: "has at most 100 characters"
        case .invalidCharacters: "has characters that cannot be shown"
        }
    }
}

extension Verb {
    fileprivate var valueSentence: String {
        switch value {
        case .none: "\(rawValue) takes no value"
        case .number(let range): "\(rawValue) takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .temperature: "set_temperature takes °C from -30 to 100, or {low, high} of a range"
        case .color: "set_color takes {hue 0-360, saturation 0-100}, {temperature 1000-12000} or {white 0-100}"
        case .word(let words): "\(rawValue) takes one of \(words.sorted().joined(separator: ", "))"
        case .text: "\(rawValue) takes a name of 1 to 64 characters, as the device says it"
        case .flag: "\(rawValue) takes true or false"
        }
    }
}
