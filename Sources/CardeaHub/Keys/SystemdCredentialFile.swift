import CardeaModel
import CardeaSecurity
import Foundation

/// The encrypted file of a systemd credential.
public protocol SystemdCredentialFile: Sendable {
    /// The seal of a new credential.
    var sealedBy: SystemdCredentialSeal { get }
    var path: String { get }
    /// Seals it into a file beside, and makes sure that it opens.
    func prepare(_ bytes: Data) async throws
    /// Moves the prepared file into place.
    func commit() throws
    /// Returns the decrypted content; nil if the file does not exist.
    func open() async throws -> Data?
    func remove() throws
}
