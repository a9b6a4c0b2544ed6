/// The reason of an audit entry: one of these words and no other.
///
/// An entry's reason is sealed under the house's key and outlives an erasure, so it must not contain text that a person wrote or a device
/// reported. Such text stays in the place where it was requested.
public enum AuditReason: String, Hashable, Sendable, CaseIterable {
    // From the gate.
    case noGrant = "no_grant"
    case roleLacksRight = "role_lacks_right"
    case securityDevice = "security_device"
    case notGuestAccessible = "not_guest_accessible"
    case deviceNotInScope = "device_not_in_scope"
    case actionNotAllowed = "action_not_allowed"
    case notYetValid = "not_yet_valid"
    case expired
    case outsideSchedule = "outside_schedule"
    case usedUp = "used_up"
    case suspended, revoked
    case forbiddenRemote = "forbidden_remote"
    case awaitingApproval = "awaiting_approval"
    case rejected

    // From the key of a pass.
    case proofRequired = "action_proof_required"
    case proofInvalid = "action_proof_invalid"
    case proofReplay = "action_proof_replay"
    case nonceExpired = "action_nonce_expired"
    case proofClockSkew = "action_proof_clock_skew"
    case presenceRequired = "presence_required"
    case presenceInvalid = "presence_invalid"

    // Requests that are invalid, or not possible now.
    case deviceNotFound = "device_not_found"
    case entityRequired = "entity_required"
    case entityNotInScope = "entity_not_in_scope"
    case scopeMismatch = "scope_mismatch"
    case unsupportedAction = "unsupported_action"
    case readOnlyEntity = "read_only_entity"
    case invalidValue = "invalid_value"
    case deviceUnreachable = "device_unreachable"
    case integrationNotReady = "integration_not_ready"
    case busy
    case clockBehind = "clock_behind"
    case doorChanged = "door_changed"

    // Ends of a command.
    case jammed, overtaken, unanswered, restarted, unreachable, timeout
    case noTurn = "no_turn"
    case noAnswer = "no_answer"
    case noReport = "no_report"
    case takenBack = "taken_back"
    case tooLate = "too_late"
    /// The device, or the system that answers for it, refused with its own text.
    case turnedDown = "turned_down"
    /// It reported with its own text that the outcome is unknown.
    case uncertain

    // Requests from another system for a lock that were no commands.
    case keptByBroker = "kept_by_broker"
    case unreadable

    // From a tag.
    case tagsOff = "tags_off"
    case buttonOff = "button_off"
    case malformed, forged, stale, replayed, cooldown, outdated, unsupported
    case unknownTag = "unknown_tag"
    case notWritten = "not_written"
    case alreadyUsed = "already_used"
    case notReadIn = "not_read_in"
    case readIn = "read_in"
    case notByTag = "not_by_tag"
    case needsProof = "needs_proof"
    case confirmationRequired = "confirmation_required"
    case tooManyTries = "too_many_tries"

    // Sign-in methods, and reasons for their refusal.
    case password, passkey, claim, invitation, phone
    case recoveryCode = "recovery_code"
    case invalidToken = "invalid_token"
    case invalidCredentials = "invalid_credentials"
    case unauthorized
    case sessionOver = "session_over"
    case tokenReused = "token_reused"
    case tokenReplaced = "token_replaced"
    case stepUpRequired = "step_up_required"
    case beyondPhones = "beyond_phones"
    case pairingCodeInvalid = "pairing_code_invalid"
    case pairingCodeExpired = "pairing_code_expired"
    case otherPhoneAsked = "other_phone_asked"
    case verificationRequired = "verification_required"
    case wrongCode = "wrong_code"
    case confirmerGone = "confirmer_gone"
    case unknownChallenge = "unknown_challenge"
    case unknownPasskey = "unknown_passkey"
    case passkeyEnded = "passkey_ended"
    case alreadyRegistered = "already_registered"
    case tooMany = "too_many"
    case wrongType = "wrong_type"
    case wrongChallenge = "wrong_challenge"
    case wrongOrigin = "wrong_origin"
    case crossOrigin = "cross_origin"
    case wrongRelyingParty = "wrong_relying_party"
    case userNotPresent = "user_not_present"
    case userNotVerified = "user_not_verified"
    case invalidKey = "invalid_key"
    case unsupportedAlgorithm = "unsupported_algorithm"
    case unsupportedAttestation = "unsupported_attestation"
    case wrongSignature = "wrong_signature"
    case changedEligibility = "changed_eligibility"
    case cloned

    // From the house itself.
    case behind, ahead, failed, audit
    case auditSigner = "audit_signer"
    /// The destruction of a key or segment happened before the audit log recorded such things.
    case beforeRecord = "before_record"
    /// The storage of the house's key.
    case credential, file
    case secretService = "secret-service"
    /// An older hub wrote a reason that is not in this list.
    case unlisted
}

extension Refusal {
    public var auditReason: AuditReason {
        switch self {
        case .noGrant: .noGrant
        case .roleLacksRight: .roleLacksRight
        case .securityDevice: .securityDevice
        case .notGuestAccessible: .notGuestAccessible
        case .deviceNotInScope: .deviceNotInScope
        case .actionNotAllowed: .actionNotAllowed
        case .notYetValid: .notYetValid
        case .expired: .expired
        case .outsideSchedule: .outsideSchedule
        case .usedUp: .usedUp
        case .suspended: .suspended
        case .revoked: .revoked
        case .forbiddenRemote: .forbiddenRemote
        case .awaitingApproval: .awaitingApproval
        case .rejected: .rejected
        }
    }
}

extension ProofRefusal {
    public var auditReason: AuditReason {
        switch self {
        case .required: .proofRequired
        case .invalid: .proofInvalid
        case .replay: .proofReplay
        case .nonceExpired: .nonceExpired
        case .clockSkew: .proofClockSkew
        case .presenceRequired: .presenceRequired
        case .presenceInvalid: .presenceInvalid
        }
    }
}

extension TagRefusal {
    public var auditReason: AuditReason {
        switch self {
        case .off: .tagsOff
        case .buttonOff: .buttonOff
        case .malformed: .malformed
        case .unknown: .unknownTag
        case .unwritten: .notWritten
        case .forged: .forged
        case .stale: .stale
        case .used: .alreadyUsed
        case .replayed: .replayed
        case .unsynced: .notReadIn
        case .synced: .readIn
        case .cooldown: .cooldown
        case .outdated: .outdated
        case .notByTag: .notByTag
        case .needsProof: .needsProof
        case .unsupported: .unsupported
        case .unconfirmed: .confirmationRequired
        case .tooMany: .tooManyTries
        }
    }
}

extension SignInMethod {
    public var auditReason: AuditReason {
        switch self {
        case .password: .password
        case .passkey: .passkey
        case .claim: .claim
        case .invitation: .invitation
        case .recoveryCode: .recoveryCode
        case .phone: .phone
        }
    }
}
