import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Verification of a copy of the house, before it counts as a backup.
extension BackupRegistry {
    /// A copy of the house that could not be restored, whatever the state of its audit log: no hub could serve it.
    public struct UnrestorableError: Error, CustomStringConvertible {
        let reason: String

        public var description: String { "The house in its present state could not be restored, so earlier backups are kept. \(reason)" }
    }

    /// Checks a copy of the house in a file of its own: first its audit log, then its sealed columns. Returns the damage; nil if there is
    /// none.
    ///
    /// - Parameter key: the key that opens the house and is stored in the backup.
    /// - Throws: `UnrestorableError` if a backup of it could not be restored.
    public func damage(inCopy url: URL, openedBy key: KeyEncryptionKey) async throws -> String? {
        try await Store.inspect(atFile: url) { [sealing] db in
            if let reason = try HouseKeys.servingProblem(db, by: key, sealing: sealing) { throw UnrestorableError(reason: reason) }
            do {
                if let problem = try AuditVerification.problem(db, sealing: sealing) { return problem }
                try SealedColumns.verify(with: sealing, in: db)
                return nil
            } catch let problem as HouseKeyError { return problem.description }
        }
    }
}
