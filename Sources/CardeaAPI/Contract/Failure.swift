/// Why something is not done: a status and the code that says it to a program.
public struct Failure: Hashable, Sendable {
    public let status: Int
    public let code: String

    public init(_ status: Int, _ code: String) {
        self.status = status
        self.code = code
    }

    public static let validation = Failure(400, "validation_error")
    public static let unsupportedAction = Failure(400, "unsupported_action")
    public static let invalidCredentials = Failure(401, "invalid_credentials")
    public static let passkeyRefused = Failure(401, "passkey_refused")
    public static let unauthorized = Failure(401, "unauthorized")
    public static let tokenExpired = Failure(401, "token_expired")
    public static let forbidden = Failure(403, "forbidden")
    public static let notFound = Failure(404, "not_found")
    public static let deviceNotFound = Failure(404, "device_not_found")
    public static let guestNotFound = Failure(404, "guest_not_found")
    public static let roomNotFound = Failure(404, "room_not_found")
    public static let sceneNotFound = Failure(404, "scene_not_found")
    public static let cameraNotFound = Failure(404, "camera_not_found")
    public static let automationNotFound = Failure(404, "automation_not_found")
    public static let buttonNotFound = Failure(404, "button_not_found")
    public static let taskNotFound = Failure(404, "task_not_found")
    public static let tagNotFound = Failure(404, "tag_not_found")
    public static let memoryNotFound = Failure(404, "memory_not_found")
    public static let loopNotFound = Failure(404, "loop_not_found")
    public static let conflict = Failure(409, "conflict")
    public static let inFlight = Failure(409, "in_flight")
    public static let needsAName = Failure(409, "passkeys_need_a_name")
    public static let gone = Failure(410, "gone")
    public static let rateLimited = Failure(429, "rate_limited")
    public static let cameraOffline = Failure(503, "camera_offline")
    public static let clockBehind = Failure(503, "clock_behind")
    public static let unavailable = Failure(503, "service_unavailable")
    public static let insufficientStorage = Failure(507, "insufficient_storage")

    /// What moving a device can come to.
    public static let ofCommands: [Failure] = [
        unsupportedAction, Failure(400, "entity_required"), Failure(400, "read_only_entity"), validation, deviceNotFound, inFlight,
        conflict,
        rateLimited, Failure(500, "action_execution_failed"), Failure(503, "device_unreachable"), Failure(503, "integration_not_ready"),
        clockBehind,
        Failure(504, "outcome_unknown"),
    ]
}

extension Route {
    /// Everything this route can fail with: what is its own, and what comes with who asks, what they send and how.
    public func failures(for caller: Caller) -> [Failure] {
        var all = Set(failures)
        all.formUnion([
            Failure(400, "host_missing"), Failure(400, "invalid_request"), Failure(403, "host_not_allowed"),
            Failure(403, "origin_not_allowed"), Failure(500, "internal_error"), .unavailable,
            .insufficientStorage,
        ])
        // A name in the path that is too long to be one.
        if !pathParameters.isEmpty { all.insert(.notFound) }
        switch caller {
        case .anyone: break
        case .person: all.formUnion([.unauthorized, .tokenExpired, .forbidden])
        case .waitingPhone: all.formUnion([.unauthorized, .rateLimited])
        case .guest: all.formUnion([.unauthorized, Failure(401, "missing_bearer_token"), .rateLimited])
        case .anybody: all.formUnion([.unauthorized, .tokenExpired, Failure(401, "token_revoked"), .forbidden, .rateLimited])
        }
        if !query.isEmpty { all.insert(.validation) }
        if body != nil {
            all.formUnion([Failure(400, "invalid_json"), Failure(400, "invalid_payload"), Failure(415, "unsupported_media_type")])
            if !isOfGuestFamily { all.insert(.validation) }
        }
        if method != .get { all.insert(Failure(413, "payload_too_large")) }
        if isNamed(by: caller) {
            all.formUnion([
                isOfGuestFamily ? Failure(400, "invalid_payload") : .validation, .inFlight, Failure(422, "idempotency_key_reused"),
            ])
        }
        for trait in traits {
            switch trait {
            case .versioned: all.formUnion([.validation, Failure(412, "precondition_failed")])
            case .stepUp: all.insert(Failure(403, "step_up_required"))
            case .throttled: all.insert(.rateLimited)
            case .bound: all.formUnion([.validation, Failure(400, "invalid_dpop_proof")])
            case .tagged, .respondsAsync, .namesCalls, .proven: break
            }
        }
        return all.sorted { ($0.status, $0.code) < ($1.status, $1.code) }
    }

    /// Whether `Idempotency-Key` is heeded.
    public func isNamed(by caller: Caller) -> Bool {
        traits.contains(.namesCalls) || (caller == .person && method != .get)
    }
}
