import Crypto
import Foundation

/// Why an authenticator's answer is not taken.
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
