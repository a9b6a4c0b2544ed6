import CardeaModel
import CardeaSecurity
import Foundation

/// Where the key may lie that opens the house's own.
public enum KeyLocation: String, CaseIterable, Sendable {
    /// What systemd hands to its service at each start.
    case credential
    /// `hub.key`, beside the database.
    case file
    /// A desktop's keyring.
    case secretService = "secret-service"

    var auditReason: AuditReason {
        switch self {
        case .credential: .credential
        case .file: .file
        case .secretService: .secretService
        }
    }
}
