extension Route {
    public static var registerPasskeyOptions: Route {
        Route(
            .post, "/api/v1/auth/passkeys/register/options", .sessions, "What a browser needs to make a passkey",
            .ok(PasskeyCreationAnswer.self), fails: [.notFound, .passkeysNeedHostName, .conflict], traits: [.stepUp])
    }

    public static var registerPasskey: Route {
        Route(
            .post, "/api/v1/auth/passkeys/register/verify", .sessions, "Keep the passkey a browser made",
            body: .json(RegisterPasskeyBody.self), .created(PasskeyAnswer.self), fails: [.passkeyRefused, .passkeysNeedHostName, .conflict])
    }

    public static var passkeyLoginOptions: Route {
        Route(
            .post, "/api/v1/auth/passkeys/login/options", .sessions, "What a browser needs to sign in with a passkey, or to step up",
            .ok(PasskeyRequestAnswer.self), fails: [.passkeysNeedHostName])
    }

    public static var passkeyLogin: Route {
        Route(
            .post, "/api/v1/auth/passkeys/login/verify", .sessions, "Sign in with a passkey", body: .json(PasskeyLoginBody.self),
            .tokens(200), fails: [.passkeyRefused, .passkeysNeedHostName], traits: [.dpopProof])
    }

    public static var listPasskeys: Route {
        Route(.get, "/api/v1/auth/passkeys", .sessions, "Your passkeys", .ok(PasskeysAnswer.self))
    }

    public static var renamePasskey: Route {
        Route(
            .patch, "/api/v1/auth/passkeys/{id}", .sessions, "Call a passkey something else", body: .json(RenamePasskeyBody.self),
            .ok(PasskeyAnswer.self))
    }

    public static var removePasskey: Route {
        Route(.delete, "/api/v1/auth/passkeys/{id}", .sessions, "Take a passkey out", .noContent, traits: [.stepUp])
    }

    public static var showRecoveryCodes: Route {
        Route(.get, "/api/v1/auth/recovery-codes", .sessions, "How many recovery codes are left", .ok(RecoveryCodesAnswer.self))
    }

    public static var makeRecoveryCodes: Route {
        Route(
            .post, "/api/v1/auth/recovery-codes", .sessions, "Ten new recovery codes, shown this once; the old ones end",
            .created(RecoveryCodesAnswer.self), traits: [.stepUp])
    }

    public static var recover: Route {
        Route(
            .post, "/api/v1/auth/recovery", .sessions, "Sign in with a recovery code", body: .json(RecoveryBody.self), .tokens(200),
            fails: [.invalidCredentials], traits: [.throttled(.password), .dpopProof])
    }
}
