extension Route {
    public static var claimState: Route {
        Route(.get, "/api/v1/claim", .sessions, "Get whether the house has an owner", .ok(ClaimState.self))
    }

    public static var claim: Route {
        Route(
            .post, "/api/v1/claim", .sessions, "Claim the house as its first owner, once", body: .json(ClaimBody.self), .tokens(201),
            fails: [.unauthorized, ErrorCode(409, "already_claimed")], traits: [.dpopProof])
    }

    public static var login: Route {
        Route(
            .post, "/api/v1/auth/login", .sessions, "Sign in with a password", body: .json(LoginBody.self), .tokens(200),
            fails: [.invalidCredentials], traits: [.throttled(.password), .dpopProof])
    }

    public static var refresh: Route {
        Route(
            .post, "/api/v1/auth/refresh", .sessions, "Refresh tokens by a refresh token from the body or the cookie",
            body: .optionalJSON(RefreshBody.self), .tokens(200),
            fails: [
                .unauthorized, ErrorCode(400, "use_dpop_nonce"), ErrorCode(401, "dpop_proof_required"), ErrorCode(401, "token_reused"),
                ErrorCode(401, "person_erased"),
            ], traits: [.dpopProof])
    }

    public static var logout: Route {
        Route(
            .post, "/api/v1/auth/logout", .sessions, "End a session, by its refresh token, its cookie or its access token",
            body: .optionalJSON(RefreshBody.self), .noContent, fails: [.unauthorized, .tokenExpired], traits: [.dpopProof])
    }

    // MARK: Open sessions

    public static var listSessions: Route {
        Route(.get, "/api/v1/auth/sessions", .sessions, "List the caller's sessions", .ok(OpenSessionsAnswer.self))
    }

    public static var endSession: Route {
        Route(.delete, "/api/v1/auth/sessions/{id}", .sessions, "End one of the caller's sessions", .noContent)
    }

    public static var endSessions: Route {
        Route(
            .post, "/api/v1/auth/sessions/revoke-all", .sessions, "End all of the caller's sessions, or all but this one",
            body: .optionalJSON(RevokeSessionsBody.self), .ok(RevokedAnswer.self), traits: [.stepUp])
    }

    public static var listSessionsOfPerson: Route {
        Route(.get, "/api/v1/people/{id}/sessions", .sessions, "List a person's sessions", .ok(OpenSessionsAnswer.self))
    }

    public static var endSessionsOfPerson: Route {
        Route(
            .delete, "/api/v1/people/{id}/sessions", .sessions, "End all sessions of a person", .ok(RevokedAnswer.self), traits: [.stepUp])
    }

    public static var endSessionOfPerson: Route {
        Route(.delete, "/api/v1/people/{id}/sessions/{session_id}", .sessions, "End one session of a person", .noContent)
    }

    public static var stepUp: Route {
        Route(
            .post, "/api/v1/auth/step-up", .sessions, "Authenticate again (step-up), valid for five minutes", body: .json(StepUpBody.self),
            .ok(StepUpAnswer.self), fails: [.invalidCredentials, .passkeyRefused, .passkeysNeedHostName, .rateLimited])
    }

    // MARK: Tokens for programs

    public static var listAPITokens: Route {
        Route(.get, "/api/v1/auth/api-tokens", .sessions, "List the caller's API tokens", .ok(APITokensAnswer.self))
    }

    public static var makeAPIToken: Route {
        Route(
            .post, "/api/v1/auth/api-tokens", .sessions, "Create an API token; it is shown once", body: .json(MakeAPITokenBody.self),
            .created(APITokenAnswer.self), traits: [.stepUp])
    }

    public static var revokeAPIToken: Route {
        Route(.delete, "/api/v1/auth/api-tokens/{id}", .sessions, "Revoke an API token", .noContent)
    }

    // MARK: The hub's own key

    public static var showCertificate: Route {
        Route(
            .get, "/api/v1/house/certificate", .sessions, "Get the hub's key fingerprints, to compare with the browser's",
            .ok(CertificateAnswer.self), fails: [.notFound])
    }
}
