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

/// The status and code of each of the hub's errors. This is the only place.
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
            case let problem as Commands.ApprovalError: .approval(problem, in: .hub)
            case let refusal as CommandRefusal: .refusal(refusal, in: .hub)
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
            case let problem as IncomingWebhooks.WebhookError: Self.webhooks(problem)
            case let problem as Notices.NoticeError: Self.notices(problem)
            case let problem as PushSubscriptions.SubscriptionError: Self.push(problem)
            case let problem as Buttons.ButtonError: Self.buttons(problem)
            case let problem as Tags.TagError: Self.tags(problem)
            case let problem as Interviews.InterviewError: Self.interviews(problem)
            case let problem as PlannedDevices.PlanError: Self.plannedDevices(problem)
            case let problem as Twins.TwinError: Self.twins(problem)
            case let problem as Retention.RetentionError: Self.retention(problem)
            case let problem as MaintenanceTasks.MaintenanceError: Self.maintenance(problem)
            case let problem as Jobs.JobError: Self.jobs(problem)
            case let fault as WhatIfFieldError: Self.whatIf(fault)
            case let stale as Tags.StalePolicyError: .preconditionFailed(TagPolicyBody(stale.policy), version: stale.version)
            case let problem as MemoryError: Self.memories(problem)
            case let problem as Automations.AutomationServiceError: Self.automations(problem)
            case is IdempotencyKeyReusedError: .idempotencyKeyReused
            case let error as HTTPError: Self.http(error)
            case is SharedTransactionAbortedError: .insufficientStorage
            case is ClockBehindError: .clockWentBack
            case is HTTPParserError:
                APIResponseError(.badRequest, "invalid_request", "The body is not valid HTTP. Check Content-Length and the chunks.")
            default: Self.other(error)
            }
    }

    static let idempotencyKeyReused = APIResponseError(
        .unprocessableContent, "idempotency_key_reused", "This Idempotency-Key was used for another request. Use a new key.")
    static let clockWentBack = APIResponseError(
        .serviceUnavailable, "clock_behind",
        "The house's clock went back, so requests with an expiry are refused until it is right. Set the hub's clock.",
        retryAfter: 60)
    /// RFC 9449, section 8.
    static func useNonce(_ nonce: String) -> APIResponseError {
        var problem = APIResponseError(
            .badRequest, "use_dpop_nonce",
            "The DPoP proof needs a nonce. Sign the request again with the nonce in the DPoP-Nonce header of this answer.")
        problem.nonce = nonce
        return problem
    }
    /// RFC 4918, section 11.5.
    static let insufficientStorage = APIResponseError(
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "insufficient_storage",
        "The hub cannot use its disk: it is full or failing. Nothing was changed. Free space, or check the disk.", retryAfter: 5)
    static let busy = APIResponseError(
        .serviceUnavailable, "service_unavailable", "The hub is busy writing. Nothing was changed. Try again in a few seconds.",
        retryAfter: 5)

    private static func body(_ problem: WireFormat.BodyError) -> APIResponseError {
        switch problem {
        case .notJSON: APIResponseError(.badRequest, "invalid_json", "The body is not valid JSON. Send a JSON object.")
        case .notAnObject: APIResponseError(.badRequest, "invalid_payload", "The body must be a JSON object.")
        case .unknownField(let name):
            APIResponseError(
                .badRequest, "validation_error", "Unknown field: \(name). Remove it, or check its spelling.",
                details: ["field": .string(name)])
        case .field(let name, let what): .validation(name, what)
        }
    }

    private static func people(_ problem: People.PersonError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .validation("name", problem.sentence)
        case .username(let message): .validation("username", message)
        case .usernameTaken:
            APIResponseError(.conflict, "conflict", "This username is already in use. Choose another.", details: ["field": "username"])
        case .password(let message): .validation("password", message)
        case .unknownRole: .validation("role", "must be owner, admin, member (or resident) or guest")
        case .lastOwner: APIResponseError(.conflict, "last_owner", "A house needs at least one owner. Make someone else owner first.")
        case .forbidden(let refusal): .forbidden(refusal)
        case .forbiddenToProgram:
            .forbidden(
                .noGrant, sentence: "An API token cannot change this, because it needs a person's confirmation. Sign in as a person.")
        case .alreadyClaimed:
            APIResponseError(.conflict, "already_claimed", "This house already has an owner. Sign in, or ask the owner to invite you.")
        case .invalidToken:
            APIResponseError(
                .unauthorized, "unauthorized", "This link is not valid, was used already, or has expired. Ask for a new link.",
                challenge: .invalidToken)
        case .alreadyJoined: APIResponseError(.conflict, "conflict", "This person has already joined. No new invitation is needed.")
        case .wrongPassword:
            APIResponseError(.unauthorized, "invalid_credentials", "The current password is wrong. Try again.", challenge: .bare)
        case .stale(let person): .preconditionFailed(PersonAnswer(person), version: person.version)
        }
    }

    private static func sessions(_ problem: Sessions.SessionError) -> APIResponseError {
        switch problem {
        case .invalidCredentials:
            APIResponseError(
                .unauthorized, "invalid_credentials", "The user name, the password or the recovery code is wrong. Try again.",
                challenge: .bare)
        case .throttled(let wait): .rateLimited(wait)
        case .busy:
            APIResponseError(
                .serviceUnavailable, "service_unavailable", "Too many people are signing in at once. Try again in 1 s.", retryAfter: 1)
        case .unauthorized:
            APIResponseError(
                .unauthorized, "unauthorized", "The token is not valid, or the session has ended. Sign in again.", challenge: .invalidToken)
        case .expired:
            APIResponseError(.unauthorized, "token_expired", "The access token has expired. Refresh it.", challenge: .invalidToken)
        case .reused:
            APIResponseError(
                .unauthorized, "token_reused", "This refresh token was used before. The session has ended; sign in again.",
                challenge: .invalidToken)
        case .staleProof(let nonce): .useNonce(nonce)
        case .erased:
            APIResponseError(
                .unauthorized, "person_erased", "You were erased from this house. Delete the copy of the house on this device.",
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
        case .notFound: APIResponseError(.notFound, "guest_not_found", "There is no pass with this id. Reload the list of passes.")
        case .name(let problem): .validation("name", problem.sentence)
        case .invalid(let field, let message): .validation(field, message)
        case .forbidden(let refusal): .forbidden(refusal)
        case .conflict(let why):
            APIResponseError(.conflict, "conflict", "Not possible: \(conflict(ofPass: why))", details: ["reason": .string(why)])
        case .gone: APIResponseError(.gone, "gone", "The link was used already, or the pass has ended. Make a new link or a new pass.")
        case .severalPhones(let numbers):
            APIResponseError(
                .conflict, "several_phones",
                "number is required: several phones ask for this pass (\(numbers.joined(separator: ", "))). Send the number that your guest reads to you.",
                details: ["numbers": .array(numbers.map(JSONValue.string))])
        }
    }

    /// - Parameter reason: the reason of `Guests.GuestError.conflict`.
    private static func conflict(ofPass reason: String) -> String {
        switch reason {
        case "revoked": "the pass is revoked. Make a new pass."
        case "expired": "the pass has ended. Make a new pass."
        case "rejected": "the pass was declined. Make a new pass."
        default: "no phone waits for approval. Reload the pass."
        }
    }

    private static func deviceEdit(_ problem: Devices.EditError) -> APIResponseError {
        switch problem {
        case .notFound: refusal(.deviceNotFound, in: .hub)
        case .name(let problem): .name(problem, field: "name")
        case .description(let problem): .name(problem, field: "user_description", limit: 500)
        case .stale(let device, let room): .preconditionFailed(DeviceAnswer(device, room: room), version: device.version)
        case .noSuchRoom: .validation("room_id", "must be the id of a room of this house")
        case .noSuchEntity: .validation("entity_id", "must be an entity of this device")
        case .neverWayIn:
            .validation(
                "entity_id", "must be a button, switch or valve that can be operated, or an entity that counts as a way in")
        case .forbidden(let refusal): .forbidden(refusal)
        }
    }

    private static func deviceMove(_ problem: Integrations.MoveError) -> APIResponseError {
        switch problem {
        case .notFound: refusal(.deviceNotFound, in: .hub)
        case .noSuchOther: .validation("with", "must be the id of a device of this house")
        case .noSuchEntity: .validation("entity_id", "must be an entity of this device")
        case .same(let field): .validation(field, "must be a different one")
        case .nothingToReplace: .validation("replaces", "must be a door that a pass, a button or a scene uses")
        case .otherIntegration(let one, let other):
            APIResponseError(
                .conflict, "conflict",
                "One device is from \(one), the other from \(other). Only devices of one integration can be merged. Replace the old door by the new one instead."
            )
        case .refused(let refusal): APIResponseError(.conflict, "conflict", refusal.message)
        case .bothGone: APIResponseError(.conflict, "conflict", "Neither device is connected. Connect one of them first.")
        case .stillConnected(let name):
            APIResponseError(.conflict, "conflict", "\(name) is still connected. Disconnect or remove it first.")
        case .otherKind(let kind, let instead):
            APIResponseError(
                .conflict, "conflict", "The old door is a \(kind.rawValue), the new one a \(instead.rawValue). Choose the same kind.")
        case .unsupported(let actions):
            APIResponseError(
                .conflict, "conflict",
                "The new device does not support \(actions.joined(separator: ", ")). Remove these actions from passes and buttons first.",
                details: ["actions": .array(actions.map(JSONValue.string))])
        }
    }

    private static func accessChanges(_ problem: AccessChanges.AccessChangeError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .gone: APIResponseError(.conflict, "conflict", "It was deleted when it was switched off. Create it again.")
        case .disabledByHouse:
            APIResponseError(
                .conflict, "conflict", "It was switched off because a person left the house. Open its page, check it and save it.")
        }
    }

    private static func explain(_ problem: AccessExplainer.ExplanationError) -> APIResponseError {
        switch problem {
        case .grantNotFound: .validation("guest_id", "must be the id of a pass or of a person of this house")
        case .deviceNotFound: refusal(.deviceNotFound, in: .hub)
        case .unsupported(let verb): APIResponseError(.badRequest, "unsupported_action", RefusalSentences.unsupported(verb))
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
        case .contentTooLarge:
            APIResponseError(.contentTooLarge, "payload_too_large", "The body is too large: at most 64 KiB are accepted.")
        case .badRequest: APIResponseError(.badRequest, "invalid_json", "The request cannot be read. Check its headers and its body.")
        default: APIResponseError(error.status, "http_\(error.status.code)", error.status.reasonPhrase)
        }
    }

    private static func other(_ error: any Error) -> APIResponseError {
        switch (error as? DatabaseError)?.resultCode {
        // SQLite reports a disk read error as a damaged file.
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CORRUPT: .insufficientStorage
        case .SQLITE_BUSY: .busy
        default:
            APIResponseError(
                .internalServerError, "internal_error",
                "Internal error. Search the hub's log for the id in the X-Request-Id header of this answer.")
        }
    }
}

extension Name.NameError {
    var sentence: String {
        switch self {
        case .empty: "must not be empty"
        case .tooLong: "must have at most 100 characters"
        case .invalidCharacters: "must have visible characters only. Remove control characters"
        }
    }
}
