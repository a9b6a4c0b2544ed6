import CardeaModel
import CardeaSecurity
import Foundation

/// By what systemd seals a credential.
public enum CredentialSeal: String, CaseIterable, Sendable {
    case host, tpm2
    case both = "host+tpm2"
}
