import GRDB

extension Store {
    /// Why a house's database cannot be opened, read or written to, in words that say how to mend it.
    public static func words(for error: any Error) -> String { trouble(error) ?? "\(error)" }

    /// The same; nil for what is not the database's.
    public static func trouble(_ error: any Error) -> String? {
        if error is BatchBroken { return "The disk of the house is full, or takes nothing. Make room on it, and look at the system's log." }
        guard let error = error as? DatabaseError else { return nil }
        let said = error.message ?? "SQLite says nothing more"
        return switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            "The house's database is damaged (\(said)). Put the house back from a backup: cardea-hub restore."
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            """
            The house's database cannot be opened (\(said)). Its folder and its files are the hub's user's: run this as that user or as root, and \
            look at who owns them.
            """
        case .SQLITE_FULL: "The disk of the house is full. Make room on it."
        case .SQLITE_IOERR: "The disk of the house does not read or write (\(said)). Look at the disk, and at the system's log."
        case .SQLITE_BUSY, .SQLITE_LOCKED: "Another program holds the house's database. Stop it, and look again."
        // What breaks a rule of the database is a fault of the program that asked, and of no disk.
        case .SQLITE_CONSTRAINT, .SQLITE_MISUSE, .SQLITE_ERROR: nil
        default: "The house's database cannot be read (\(said)). Where this stays, put the house back from a backup: cardea-hub restore."
        }
    }
}
