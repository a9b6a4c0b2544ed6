import CardeaModel
import CardeaSecurity
import Foundation

/// The places that can hold the key which opens the house's own.
public enum KeyLocation: String, CaseIterable, Sendable {
    /// The credential that systemd passes to its service at each start.
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
