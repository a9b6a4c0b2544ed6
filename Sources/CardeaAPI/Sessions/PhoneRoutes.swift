import CardeaModel

extension Route {
    // MARK: The phone

    public static var pairPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/pair", .sessions, "Request pairing of a phone, which shows six digits",
            body: .json(PairPhoneBody.self),
            .created(PairPhoneAnswer.self, "Waiting for confirmation"), traits: [.throttled(.phonePairingRequests)])
    }

    public static var showPhoneStanding: Route {
        Route(
            .get, "/api/v1/mobile/auth/status", .sessions, "Get the status of a pairing",
            query: [Parameter("wait", .integer(0...25).about("Seconds to wait for a change; default 0"))],
            .ok(PhonePairingStatusAnswer.self), fails: [.rateLimited])
    }

    public static var verifyPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/verify", .sessions, "Redeem a confirmed pairing for tokens, once",
            body: .json(VerifyPhoneBody.self),
            .ok(PhoneTokensAnswer.self, "Paired"), fails: [ErrorCode(401, "pairing_code_invalid"), .clockBehind],
            traits: [.throttled(.phonePairingCodes)])
    }

    public static var refreshPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/refresh", .sessions, "Refresh a phone's tokens", body: .json(RefreshPhoneBody.self),
            .ok(PhoneTokensAnswer.self), fails: [.unauthorized, ErrorCode(401, "token_reused"), ErrorCode(401, "person_erased")],
            traits: [.throttled(.unknownTokens)])
    }

    // MARK: People of the house

    public static var listWaitingPhones: Route {
        Route(.get, "/api/v1/mobile/auth/pending", .sessions, "List phones that wait for confirmation", .ok(WaitingPhonesAnswer.self))
    }

    public static var confirmPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/confirm", .sessions, "Confirm the phone that shows these digits; it then acts for the caller",
            body: .json(ConfirmPhoneBody.self), .ok(ConfirmPhoneAnswer.self), fails: [.notFound, .rateLimited, .clockBehind],
            traits: [.stepUp])
    }

    public static var rejectPhone: Route {
        Route(
            .delete, "/api/v1/mobile/auth/pending/{id}", .sessions, "Reject a waiting phone", .ok(RejectedPhoneAnswer.self))
    }

    public static var revokePhones: Route {
        Route(
            .post, "/api/v1/mobile/auth/revoke", .sessions, "Remove one or all of the caller's phones; a phone removes itself",
            body: .json(RevokePhonesBody.self), .ok(RevokedPhonesAnswer.self))
    }

    public static var showPhoneInvitation: Route {
        Route(
            .get, "/api/v1/mobile/auth/invitation", .sessions, "Get the pairing link: the hub's addresses and its key",
            .ok(PhoneInvitationAnswer.self))
    }

    public static var showPhoneQR: Route {
        Route(
            .get, "/api/v1/mobile/auth/invitation/qr.svg", .sessions, "Get the pairing link as a QR code",
            .text("image/svg+xml", "A QR code"))
    }

    public static var listPhones: Route {
        Route(.get, "/api/v1/mobile/devices", .sessions, "Your phones", .ok(PhonesAnswer.self))
    }

    public static var renamePhone: Route {
        Route(
            .patch, "/api/v1/mobile/devices/{id}", .sessions, "Rename one of the caller's phones", body: .json(RenamePhoneBody.self),
            .ok(PhoneAnswer.self))
    }

    public static var removePhone: Route {
        Route(.delete, "/api/v1/mobile/devices/{id}", .sessions, "Remove one of the caller's phones", .noContent)
    }
}
