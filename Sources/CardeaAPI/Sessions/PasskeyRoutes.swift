extension Route {
    public static var registerPasskeyOptions: Route {
        Route(
            .post, "/api/v1/auth/passkeys/register/options", .sessions, "Get the options to create a passkey",
            .ok(PasskeyCreationAnswer.self), fails: [.notFound, .passkeysNeedHostName, .conflict], traits: [.stepUp])
    }

    public static var registerPasskey: Route {
        Route(
            .post, "/api/v1/auth/passkeys/register/verify", .sessions, "Register a passkey",
            body: .json(RegisterPasskeyBody.self), .created(PasskeyAnswer.self), fails: [.passkeyRefused, .passkeysNeedHostName, .conflict])
    }

    public static var passkeyLoginOptions: Route {
        Route(
            .post, "/api/v1/auth/passkeys/login/options", .sessions, "Get the options to sign in with a passkey or to step up",
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
            .patch, "/api/v1/auth/passkeys/{id}", .sessions, "Rename a passkey", body: .json(RenamePasskeyBody.self),
            .ok(PasskeyAnswer.self))
    }

    public static var removePasskey: Route {
        Route(.delete, "/api/v1/auth/passkeys/{id}", .sessions, "Delete a passkey", .noContent, traits: [.stepUp])
    }

    public static var showRecoveryCodes: Route {
        Route(.get, "/api/v1/auth/recovery-codes", .sessions, "Get the number of unused recovery codes", .ok(RecoveryCodesAnswer.self))
    }

    public static var makeRecoveryCodes: Route {
        Route(
            .post, "/api/v1/auth/recovery-codes", .sessions, "Create ten recovery codes, shown once; the old ones become invalid",
            .created(RecoveryCodesAnswer.self), traits: [.stepUp])
    }

    public static var recover: Route {
        Route(
            .post, "/api/v1/auth/recovery", .sessions, "Sign in with a recovery code", body: .json(RecoveryBody.self), .tokens(200),
            fails: [.invalidCredentials], traits: [.throttled(.password), .dpopProof])
    }
}
