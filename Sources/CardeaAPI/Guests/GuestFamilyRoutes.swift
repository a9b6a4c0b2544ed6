import CardeaModel

extension Route {
    public static var pairGuest: Route {
        Route(
            .post, "/api/guest_access/pair", .guests, "Take a pass onto this phone", body: .json(PairBody.self),
            .ok(GuestPassAnswer.self), .accepted(GuestActionAnswer.self, "The house has to say yes first: ask again after `retry_after`"),
            fails: codeErrors + passErrors + [
                ErrorCode(410, "pass_expired"), ErrorCode(403, "pairing_rejected"), ErrorCode(403, "other_phone_asked"),
                ErrorCode(403, "verification_required"), .passkeysNeedHostName, .passkeyRefused,
            ],
            traits: [.throttled(.pairing)])
    }

    public static var restorePass: Route {
        Route(
            .post, "/api/guest_access/restore", .guests, "Give a phone that forgot its pass the pass again, for its passkey",
            body: .json(RestorePassBody.self), .ok(GuestPassAnswer.self),
            fails: passErrors + [.unauthorized, ErrorCode(403, "pairing_rejected"), .passkeysNeedHostName],
            traits: [.throttled(.unknownTokens)])
    }

    public static var scanGuestCode: Route {
        Route(
            .post, "/api/guest_access/pair/scanned", .guests, "Say that a code has been seen; it stays good", body: .json(ScannedBody.self),
            .ok(ScannedAnswer.self), fails: codeErrors, traits: [.throttled(.pairing)])
    }

    public static var validateGuestToken: Route {
        Route(
            .post, "/api/guest_access/token/validate", .guests, "Whether a pass's token is good now", body: .json(ValidateBody.self),
            .ok(GuestPassAnswer.self), fails: passErrors + [.unauthorized, ErrorCode(400, "invalid_guest_token")],
            traits: [.throttled(.unknownTokens)])
    }

    public static var showPass: Route {
        Route(.get, "/api/guest_access/pass", .guests, "The pass, whatever its standing", .ok(GuestPassAnswer.self), fails: passErrors)
    }

    public static var showPassStates: Route {
        Route(.get, "/api/guest_access/states", .guests, "How the pass's doors stand", .ok(GuestStatesAnswer.self), fails: passErrors)
    }

    public static var makeActionNonce: Route {
        Route(
            .get, "/api/guest_access/action/nonce", .guests, "What the key of a pass has to sign with its next action, once, within 30 s",
            .ok(NonceAnswer.self), fails: [ErrorCode(401, "token_revoked")])
    }

    public static var actAsGuest: Route {
        Route(
            .post, "/api/guest_access/action", .guests, "Open the door, or whatever the pass is for", body: .json(GuestActionBody.self),
            .ok(GuestActionAnswer.self, "The device says that it is done"),
            .accepted(GuestActionAnswer.self, "The house has to say yes first: ask again with the same `Idempotency-Key`"),
            fails: passErrors + ErrorCode.commandErrors + [
                ErrorCode(400, "invalid_action"), ErrorCode(400, "invalid_value"), ErrorCode(403, "scope_mismatch"),
                ErrorCode(403, "approval_rejected"), ErrorCode(409, "taken_back"),
            ] + ProofRefusal.allCases.map { ErrorCode(401, $0.rawValue) }, traits: [.idempotencyKey, .guestProof])
    }

    public static var takeBackAsGuest: Route {
        Route(
            .post, "/api/guest_access/action/cancel", .guests, "Take back what waits for the house's yes",
            body: .json(CancelActionBody.self),
            .ok(GuestActionAnswer.self, "Taken back, and the use with it; again, the same"),
            fails: passErrors + [ErrorCode(404, "command_not_found"), ErrorCode(409, "not_waiting")])
    }

    private static let codeErrors = [
        ErrorCode(400, "invalid_pairing_code"), ErrorCode(400, "pairing_code_invalid"), ErrorCode(410, "pairing_code_expired"),
    ]

    private static let passErrors =
        ["token_expired", "token_revoked", "token_max_uses_exceeded", "token_not_yet_valid"].map { ErrorCode(401, $0) }
        + ["pass_suspended", "forbidden_remote", "outside_schedule", "not_guest_accessible", "entity_not_in_scope", "action_not_allowed"]
        .map { ErrorCode(403, $0) }
}
