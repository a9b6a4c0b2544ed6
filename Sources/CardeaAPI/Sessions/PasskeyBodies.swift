import Foundation

// Options and answers of passkeys keep the JSON of WebAuthn Level 3, camelCase included, so that a page passes them unchanged to
// `PublicKeyCredential.parseCreationOptionsFromJSON` and from `toJSON`. Bytes are base64url.

/// `PublicKeyCredentialCreationOptionsJSON`
public struct PasskeyCreationOptions: Encodable, Sendable {
    public let rp: RelyingParty
    public let user: User
    public let challenge: String
    public let pubKeyCredParams: [Algorithm]
    /// Milliseconds.
    public let timeout: Int
    public let excludeCredentials: [PasskeyDescriptor]
    public let authenticatorSelection: Selection
    public let attestation: String

    public struct RelyingParty: Encodable, Sendable {
        public let id: String
        public let name: String
    }

    public struct User: Encodable, Sendable {
        public let id: String
        public let name: String
        public let displayName: String
    }

    public struct Algorithm: Encodable, Sendable {
        public let type: String
        public let alg: Int
    }

    public struct Selection: Encodable, Sendable {
        public let residentKey: String
        public let requireResidentKey: Bool
        public let userVerification: String
    }

    public init(
        rpID: String, houseName: String, handle: String, username: String, displayName: String, challenge: String, algorithms: [Int],
        known: [PasskeyDescriptor]
    ) {
        rp = RelyingParty(id: rpID, name: houseName)
        user = User(id: handle, name: username, displayName: displayName)
        self.challenge = challenge
        pubKeyCredParams = algorithms.map { Algorithm(type: "public-key", alg: $0) }
        timeout = 300_000
        excludeCredentials = known
        authenticatorSelection = Selection(residentKey: "required", requireResidentKey: true, userVerification: "required")
        attestation = "none"
    }
}

public struct PasskeyDescriptor: Encodable, Sendable {
    public let type: String
    public let id: String
    public let transports: [String]

    public init(id: String, transports: [String]) {
        type = "public-key"
        self.id = id
        self.transports = transports
    }
}

/// `PublicKeyCredentialRequestOptionsJSON`
public struct PasskeyRequestOptions: Encodable, Sendable {
    public let challenge: String
    public let rpId: String
    /// Milliseconds.
    public let timeout: Int
    public let userVerification: String
    /// Empty: the device offers all of its passkeys.
    public let allowCredentials: [PasskeyDescriptor]

    public init(challenge: String, rpID: String) {
        self.challenge = challenge
        rpId = rpID
        timeout = 300_000
        userVerification = "required"
        allowCredentials = []
    }
}

/// The options, wrapped as a page hands them on.
public struct PasskeyOptionsAnswer<Options: Encodable & Sendable>: Encodable, Sendable {
    public let publicKey: Options

    enum CodingKeys: String, CodingKey { case publicKey = "public_key" }

    public init(publicKey: Options) { self.publicKey = publicKey }
}

/// `RegistrationResponseJSON`. Members that browsers add are ignored.
public struct PasskeyAttestationBody: Codable, Sendable {
    public let response: Response

    public struct Response: Codable, Sendable {
        public let clientDataJSON: String
        public let attestationObject: String
        public let transports: [String]?

        enum CodingKeys: String, CodingKey {
            case transports
            case clientDataJSON = "client_data_json"
            case attestationObject = "attestation_object"
        }
    }
}

/// `AuthenticationResponseJSON`
public struct PasskeyAssertionBody: Codable, Sendable {
    public let id: String
    public let response: Response

    public struct Response: Codable, Sendable {
        public let clientDataJSON: String
        public let authenticatorData: String
        public let signature: String
        public let userHandle: String?

        enum CodingKeys: String, CodingKey {
            case signature
            case clientDataJSON = "client_data_json"
            case authenticatorData = "authenticator_data"
            case userHandle = "user_handle"
        }
    }
}

/// `POST /api/v1/auth/passkeys/register/verify`
public struct RegisterPasskeyBody: WireFormat.Body, Sendable {
    public let credential: PasskeyAttestationBody
    public let name: String?

    public enum CodingKeys: String, CodingKey, CaseIterable { case credential, name }
}

/// `POST /api/v1/auth/passkeys/login/verify`
public struct PasskeyLoginBody: WireFormat.Body, Sendable {
    public let credential: PasskeyAssertionBody
    public let cookie: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable { case credential, cookie }
}

/// `PATCH /api/v1/auth/passkeys/{id}`
public struct RenamePasskeyBody: WireFormat.Body, Sendable {
    public let name: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case name }
}

public struct PasskeyAnswer: Codable, Sendable {
    public let passkeyID: String
    public let name: String
    /// The name of the house it works under.
    public let rpID: String
    /// True if its authenticator has copies of it, as phones do.
    public let backedUp: Bool
    public let createdAt: Date
    public let lastUsedAt: Date?
    public let endedAt: Date?
    public let endReason: String?

    enum CodingKeys: String, CodingKey {
        case name
        case passkeyID = "passkey_id"
        case rpID = "rp_id"
        case backedUp = "backed_up"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case endedAt = "ended_at"
        case endReason = "end_reason"
    }

    public init(
        passkeyID: String, name: String, rpID: String, backedUp: Bool, createdAt: Date, lastUsedAt: Date?, endedAt: Date?,
        endReason: String?
    ) {
        self.passkeyID = passkeyID
        self.name = name
        self.rpID = rpID
        self.backedUp = backedUp
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.endedAt = endedAt
        self.endReason = endReason
    }
}

public struct PasskeysAnswer: Codable, Sendable {
    public let passkeys: [PasskeyAnswer]
    public let total: Int

    public init(passkeys: [PasskeyAnswer]) {
        self.passkeys = passkeys
        total = passkeys.count
    }
}

/// `GET /api/v1/auth/recovery-codes`
public struct RecoveryCodesAnswer: Codable, Sendable {
    public let left: Int
    public let madeAt: Date?
    /// Only in the answer to making them.
    public let codes: [String]?

    enum CodingKeys: String, CodingKey {
        case left, codes
        case madeAt = "made_at"
    }

    public init(left: Int, madeAt: Date?, codes: [String]? = nil) {
        self.left = left
        self.madeAt = madeAt
        self.codes = codes
    }
}

/// `POST /api/v1/auth/recovery`
public struct RecoveryBody: WireFormat.Body, Encodable, Sendable {
    public var code: String
    public var cookie: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable { case code, cookie }

    public init(code: String) { self.code = code }
}
