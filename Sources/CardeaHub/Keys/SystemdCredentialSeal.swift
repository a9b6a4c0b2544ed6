import CardeaModel
import CardeaSecurity
import Foundation

/// The seals of a systemd credential.
public enum SystemdCredentialSeal: String, CaseIterable, Sendable {
    case host, tpm2
    case both = "host+tpm2"
}
