import CardeaModel

extension Route {
    public static var pairGuest: Route {
        Route(
            .post, "/api/guest_access/pair", .guests, "Pair a pass with this phone", body: .json(PairBody.self),
            .ok(GuestPassAnswer.self), .accepted(GuestActionAnswer.self, "Approval is pending; repeat after `retry_after` seconds"),
            fails: codeErrors + passErrors + [
                ErrorCode(410, "pass_expired"), ErrorCode(403, "pairing_rejected"), ErrorCode(403, "other_phone_asked"),
                ErrorCode(403, "verification_required"), .passkeysNeedHostName, .passkeyRefused,
            ],
            traits: [.throttled(.pairing)])
    }

    public static var restorePass: Route {
        Route(
            .post, "/api/guest_access/restore", .guests, "Restore a pass on a phone that lost it, by passkey",
            body: .json(RestorePassBody.self), .ok(GuestPassAnswer.self),
            fails: passErrors + [.unauthorized, ErrorCode(403, "pairing_rejected"), .passkeysNeedHostName],
            traits: [.throttled(.unknownTokens)])
    }

    public static var scanGuestCode: Route {
        Route(
            .post, "/api/guest_access/pair/scanned", .guests, "Acknowledge a code; it stays valid", body: .json(ScannedBody.self),
            .ok(ScannedAnswer.self), fails: codeErrors, traits: [.throttled(.pairing)])
    }

    public static var validateGuestToken: Route {
        Route(
            .post, "/api/guest_access/token/validate", .guests, "Check whether a pass token is valid now", body: .json(ValidateBody.self),
            .ok(GuestPassAnswer.self), fails: passErrors + [.unauthorized, ErrorCode(400, "invalid_guest_token")],
            traits: [.throttled(.unknownTokens)])
    }

    public static var showPass: Route {
        Route(.get, "/api/guest_access/pass", .guests, "The pass, in any state", .ok(GuestPassAnswer.self), fails: passErrors)
    }

    public static var showPassStates: Route {
        Route(
            .get, "/api/guest_access/states", .guests, "Get the states of the pass's doors", .ok(GuestStatesAnswer.self), fails: passErrors)
    }

    public static var makeActionNonce: Route {
        Route(
            .get, "/api/guest_access/action/nonce", .guests,
            "Get the nonce that the pass's key must sign with its next action; valid once, for 30 s",
            .ok(NonceAnswer.self), fails: [ErrorCode(401, "token_revoked")])
    }

    public static var actAsGuest: Route {
        Route(
            .post, "/api/guest_access/action", .guests, "Perform an action of the pass, such as opening a door",
            body: .json(GuestActionBody.self),
            .ok(GuestActionAnswer.self, "The device confirmed the command"),
            .accepted(GuestActionAnswer.self, "Approval is pending; repeat with the same `Idempotency-Key`"),
            fails: passErrors + ErrorCode.commandErrors + [
                ErrorCode(400, "invalid_action"), ErrorCode(400, "invalid_value"), ErrorCode(403, "scope_mismatch"),
                ErrorCode(403, "approval_rejected"), ErrorCode(409, "taken_back"),
            ] + ProofRefusal.allCases.map { ErrorCode(401, $0.rawValue) }, traits: [.idempotencyKey, .guestProof])
    }

    public static var takeBackAsGuest: Route {
        Route(
            .post, "/api/guest_access/action/cancel", .guests, "Cancel a command that waits for approval",
            body: .json(CancelActionBody.self),
            .ok(GuestActionAnswer.self, "Cancelled, and the use is returned; a repetition answers the same"),
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
