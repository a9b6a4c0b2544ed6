import CardeaModel

extension Route {
    public static var pairGuest: Route {
        Route(
            .post, "/api/guest_access/pair", .guests, "Take a pass onto this phone", body: .json(PairBody.self),
            .ok(GuestPassAnswer.self), .accepted(GuestActionAnswer.self, "The house has to say yes first: ask again after `retry_after`"),
            fails: ofCodes + ofPasses + [
                Failure(410, "pass_expired"), Failure(403, "pairing_rejected"), Failure(403, "other_phone_asked"),
                Failure(403, "verification_required"), .needsAName, .passkeyRefused,
            ],
            traits: [.throttled(.pairing)])
    }

    public static var restorePass: Route {
        Route(
            .post, "/api/guest_access/restore", .guests, "Give a phone that forgot its pass the pass again, for its passkey",
            body: .json(RestorePassBody.self), .ok(GuestPassAnswer.self),
            fails: ofPasses + [.unauthorized, Failure(403, "pairing_rejected"), .needsAName],
            traits: [.throttled(.strangers)])
    }

    public static var scanGuestCode: Route {
        Route(
            .post, "/api/guest_access/pair/scanned", .guests, "Say that a code has been seen; it stays good", body: .json(ScannedBody.self),
            .ok(ScannedAnswer.self), fails: ofCodes, traits: [.throttled(.pairing)])
    }

    public static var validateGuestToken: Route {
        Route(
            .post, "/api/guest_access/token/validate", .guests, "Whether a pass's token is good now", body: .json(ValidateBody.self),
            .ok(GuestPassAnswer.self), fails: ofPasses + [.unauthorized, Failure(400, "invalid_guest_token")],
            traits: [.throttled(.strangers)])
    }

    public static var showPass: Route {
        Route(.get, "/api/guest_access/pass", .guests, "The pass, whatever its standing", .ok(GuestPassAnswer.self), fails: ofPasses)
    }

    public static var showPassStates: Route {
        Route(.get, "/api/guest_access/states", .guests, "How the pass's doors stand", .ok(GuestStatesAnswer.self), fails: ofPasses)
    }

    public static var makeActionNonce: Route {
        Route(
            .get, "/api/guest_access/action/nonce", .guests, "What the key of a pass has to sign with its next action, once, within 30 s",
            .ok(NonceAnswer.self), fails: [Failure(401, "token_revoked")])
    }

    public static var actAsGuest: Route {
        Route(
            .post, "/api/guest_access/action", .guests, "Open the door, or whatever the pass is for", body: .json(GuestActionBody.self),
            .ok(GuestActionAnswer.self, "The device says that it is done"),
            .accepted(GuestActionAnswer.self, "The house has to say yes first: ask again with the same `Idempotency-Key`"),
            fails: ofPasses + Failure.ofCommands + [
                Failure(400, "invalid_action"), Failure(400, "invalid_value"), Failure(403, "scope_mismatch"),
                Failure(403, "approval_rejected"), Failure(409, "taken_back"),
            ] + ProofRefusal.allCases.map { Failure(401, $0.rawValue) }, traits: [.namesCalls, .proven])
    }

    public static var takeBackAsGuest: Route {
        Route(
            .post, "/api/guest_access/action/cancel", .guests, "Take back what waits for the house's yes",
            body: .json(CancelActionBody.self),
            .ok(GuestActionAnswer.self, "Taken back, and the use with it; again, the same"),
            fails: ofPasses + [Failure(404, "command_not_found"), Failure(409, "not_waiting")])
    }

    private static let ofCodes = [
        Failure(400, "invalid_pairing_code"), Failure(400, "pairing_code_invalid"), Failure(410, "pairing_code_expired"),
    ]

    private static let ofPasses =
        ["token_expired", "token_revoked", "token_max_uses_exceeded", "token_not_yet_valid"].map { Failure(401, $0) }
        + ["pass_suspended", "forbidden_remote", "outside_schedule", "not_guest_accessible", "entity_not_in_scope", "action_not_allowed"]
        .map { Failure(403, $0) }
}
