import Crypto
import Foundation

/// The reason why an authenticator's answer is refused.
public enum PasskeyError: Error, Hashable, Sendable, CaseIterable {
    case malformed
    case wrongType, wrongChallenge, wrongOrigin, crossOrigin, wrongRelyingParty
    case userNotPresent, userNotVerified
    case invalidKey, unsupportedAlgorithm, unsupportedAttestation
    case wrongSignature
    /// A passkey now states the opposite of before: that it can be backed up, or that it cannot.
    case changedEligibility
    /// The count did not rise: somewhere there are two of it.
    case cloned
}
