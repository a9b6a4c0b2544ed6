import CardeaModel
import CardeaSecurity
import Foundation

/// The encrypted file of a systemd credential.
public protocol CredentialFile: Sendable {
    /// By what a new one is sealed.
    var sealedBy: CredentialSeal { get }
    var path: String { get }
    /// Seals it into a file beside, and makes sure that it opens.
    func prepare(_ bytes: Data) async throws
    /// Puts what was prepared in place.
    func commit() throws
    /// What it holds; nil where there is none.
    func open() async throws -> Data?
    func remove() throws
}
