import Foundation
import GRDB

extension Store {
    /// Checks that opening the house in `folder` needs no migration of its database, which would change it for good. The database is only
    /// read; no program may have it open.
    ///
    /// - Throws: `SchemaTooOldError` if migrations are missing, else the error that opening it would throw.
    public static func requireCurrent(in folder: URL) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let file = try DatabaseQueue(path: folder.appending(path: "house.sqlite").path, configuration: configuration)
        let done = try file.read { db -> Set<String> in
            guard try db.tableExists("grdb_migrations") else { return [] }
            return try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations")
        }
        try file.close()
        let known = Set(Migrations.steps.map { "\($0.number)" })
        guard done.isSubset(of: known) else { throw SchemaTooNewError() }
        guard known.isSubset(of: done) else { throw SchemaTooOldError() }
    }
}
