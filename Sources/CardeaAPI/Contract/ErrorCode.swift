/// The reason why a request is not carried out: a status, and a code for programs.
public struct ErrorCode: Hashable, Sendable {
    public let status: Int
    public let code: String

    public init(_ status: Int, _ code: String) {
        self.status = status
        self.code = code
    }

    public static let validation = ErrorCode(400, "validation_error")
    public static let unsupportedAction = ErrorCode(400, "unsupported_action")
    public static let invalidCredentials = ErrorCode(401, "invalid_credentials")
    public static let passkeyRefused = ErrorCode(401, "passkey_refused")
    public static let unauthorized = ErrorCode(401, "unauthorized")
    public static let tokenExpired = ErrorCode(401, "token_expired")
    public static let forbidden = ErrorCode(403, "forbidden")
    public static let notFound = ErrorCode(404, "not_found")
    public static let deviceNotFound = ErrorCode(404, "device_not_found")
    public static let guestNotFound = ErrorCode(404, "guest_not_found")
    public static let roomNotFound = ErrorCode(404, "room_not_found")
    public static let sceneNotFound = ErrorCode(404, "scene_not_found")
    public static let cameraNotFound = ErrorCode(404, "camera_not_found")
    public static let automationNotFound = ErrorCode(404, "automation_not_found")
    public static let buttonNotFound = ErrorCode(404, "button_not_found")
    public static let taskNotFound = ErrorCode(404, "task_not_found")
    public static let tagNotFound = ErrorCode(404, "tag_not_found")
    public static let memoryNotFound = ErrorCode(404, "memory_not_found")
    public static let loopNotFound = ErrorCode(404, "loop_not_found")
    public static let conflict = ErrorCode(409, "conflict")
    public static let inFlight = ErrorCode(409, "in_flight")
    public static let passkeysNeedHostName = ErrorCode(409, "passkeys_need_a_name")
    public static let gone = ErrorCode(410, "gone")
    public static let rateLimited = ErrorCode(429, "rate_limited")
    public static let cameraOffline = ErrorCode(503, "camera_offline")
    public static let clockBehind = ErrorCode(503, "clock_behind")
    public static let serviceUnavailable = ErrorCode(503, "service_unavailable")
    public static let insufficientStorage = ErrorCode(507, "insufficient_storage")

    /// Errors of a command to a device.
    public static let commandErrors: [ErrorCode] = [
        unsupportedAction, ErrorCode(400, "entity_required"), ErrorCode(400, "read_only_entity"), validation, deviceNotFound, inFlight,
        conflict,
        rateLimited, ErrorCode(500, "action_execution_failed"), ErrorCode(503, "device_unreachable"),
        ErrorCode(503, "integration_not_ready"),
        clockBehind,
        ErrorCode(504, "outcome_unknown"),
    ]
}

extension Route {
    /// All errors of this route: its own, and those that follow from the caller and from the form of the request.
    public func errors(for caller: Caller) -> [ErrorCode] {
        var all = Set(ownErrors)
        all.formUnion([
            ErrorCode(400, "host_missing"), ErrorCode(400, "invalid_request"), ErrorCode(403, "host_not_allowed"),
            ErrorCode(403, "origin_not_allowed"), ErrorCode(500, "internal_error"), .serviceUnavailable,
            .insufficientStorage,
        ])
        // A path parameter may be too long for an id.
        if !pathParameters.isEmpty { all.insert(.notFound) }
        switch caller {
        case .unauthenticated: break
        case .person: all.formUnion([.unauthorized, .tokenExpired, .forbidden])
        case .waitingPhone: all.formUnion([.unauthorized, .rateLimited])
        case .guest: all.formUnion([.unauthorized, ErrorCode(401, "missing_bearer_token"), .rateLimited])
        case .personOrGuest: all.formUnion([.unauthorized, .tokenExpired, ErrorCode(401, "token_revoked"), .forbidden, .rateLimited])
        }
        if !query.isEmpty { all.insert(.validation) }
        if body != nil {
            all.formUnion([ErrorCode(400, "invalid_json"), ErrorCode(400, "invalid_payload"), ErrorCode(415, "unsupported_media_type")])
            if !isOfGuestFamily { all.insert(.validation) }
        }
        if method != .get { all.insert(ErrorCode(413, "payload_too_large")) }
        if acceptsIdempotencyKey(by: caller) {
            all.formUnion([
                isOfGuestFamily ? ErrorCode(400, "invalid_payload") : .validation, .inFlight, ErrorCode(422, "idempotency_key_reused"),
            ])
        }
        for trait in traits {
            switch trait {
            case .ifMatch: all.formUnion([.validation, ErrorCode(412, "precondition_failed")])
            case .stepUp: all.insert(ErrorCode(403, "step_up_required"))
            case .throttled: all.insert(.rateLimited)
            case .dpopProof: all.formUnion([.validation, ErrorCode(400, "invalid_dpop_proof")])
            case .entityTag, .respondsAsync, .idempotencyKey, .guestProof: break
            }
        }
        return all.sorted { ($0.status, $0.code) < ($1.status, $1.code) }
    }

    /// Returns whether the route honours `Idempotency-Key` for this caller.
    public func acceptsIdempotencyKey(by caller: Caller) -> Bool {
        traits.contains(.idempotencyKey) || (caller == .person && method != .get)
    }
}
