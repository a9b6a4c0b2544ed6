import CardeaModel

extension Route {
    // MARK: The phone

    public static var pairPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/pair", .sessions, "A phone asks to be paired, and shows six digits",
            body: .json(PairPhoneBody.self),
            .created(PairPhoneAnswer.self, "Waits for somebody to confirm it"), traits: [.throttled(.phonePairingRequests)])
    }

    public static var showPhoneStanding: Route {
        Route(
            .get, "/api/v1/mobile/auth/status", .sessions, "Whether a phone that asked has been confirmed",
            query: [Parameter("wait", .integer(0...25).about("Seconds to wait for the answer; 0 when left out"))],
            .ok(PhoneStandingAnswer.self), fails: [.rateLimited])
    }

    public static var verifyPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/verify", .sessions, "A confirmed phone takes its tokens, once", body: .json(VerifyPhoneBody.self),
            .ok(PhoneTokensAnswer.self, "Paired"), fails: [ErrorCode(401, "pairing_code_invalid"), .clockBehind],
            traits: [.throttled(.phonePairingCodes)])
    }

    public static var refreshPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/refresh", .sessions, "New tokens for a phone's refresh token", body: .json(RefreshPhoneBody.self),
            .ok(PhoneTokensAnswer.self), fails: [.unauthorized, ErrorCode(401, "token_reused"), ErrorCode(401, "person_erased")],
            traits: [.throttled(.unknownTokens)])
    }

    // MARK: People of the house

    public static var listWaitingPhones: Route {
        Route(.get, "/api/v1/mobile/auth/pending", .sessions, "Phones that wait to be confirmed", .ok(WaitingPhonesAnswer.self))
    }

    public static var confirmPhone: Route {
        Route(
            .post, "/api/v1/mobile/auth/confirm", .sessions, "Let the phone that shows these digits act for you",
            body: .json(ConfirmPhoneBody.self), .ok(ConfirmPhoneAnswer.self), fails: [.notFound, .rateLimited, .clockBehind],
            traits: [.stepUp])
    }

    public static var rejectPhone: Route {
        Route(
            .delete, "/api/v1/mobile/auth/pending/{id}", .sessions, "Turn a phone away that waits", .ok(RejectedPhoneAnswer.self))
    }

    public static var revokePhones: Route {
        Route(
            .post, "/api/v1/mobile/auth/revoke", .sessions, "Take phones of your own off, one or all; a phone takes off itself",
            body: .json(RevokePhonesBody.self), .ok(RevokedPhonesAnswer.self))
    }

    public static var showPhoneInvitation: Route {
        Route(
            .get, "/api/v1/mobile/auth/invitation", .sessions, "Where a phone finds the house, and by which key it knows it",
            .ok(PhoneInvitationAnswer.self))
    }

    public static var showPhoneQR: Route {
        Route(
            .get, "/api/v1/mobile/auth/invitation/qr.svg", .sessions, "The same as a picture", .text("image/svg+xml", "A QR code"))
    }

    public static var listPhones: Route {
        Route(.get, "/api/v1/mobile/devices", .sessions, "Your phones", .ok(PhonesAnswer.self))
    }

    public static var renamePhone: Route {
        Route(
            .patch, "/api/v1/mobile/devices/{id}", .sessions, "Name a phone of your own", body: .json(RenamePhoneBody.self),
            .ok(PhoneAnswer.self))
    }

    public static var removePhone: Route {
        Route(.delete, "/api/v1/mobile/devices/{id}", .sessions, "Take a phone of your own off", .noContent)
    }
}
