import CardeaModel
import GRDB

extension Store {
    /// The reason why a house's database cannot be opened, read or written to, with the remedy.
    public static func message(for error: any Error) -> String { databaseMessage(error) ?? "\(error)" }

    /// The same; nil for an error of another source.
    public static func databaseMessage(_ error: any Error) -> String? {
        if error is SharedTransactionAbortedError {
            return "The hub's disk is full or cannot be written to. Free space on it, and check the system's log."
        }
        guard let error = error as? DatabaseError else { return nil }
        // The number leads an SQLite expert to the cause.
        let number = "database error \(error.extendedResultCode.rawValue)"
        return switch DatabaseErrorKind(code: error.extendedResultCode.rawValue) {
        case .full: "The hub's disk is full. Free space on it."
        case .readOnly:
            """
            The house's database cannot be written to (\(number)): its disk is read-only, or its files are another user's. Look at who owns them \
            and at the system's log.
            """
        case .cannotOpen:
            """
            The house's database cannot be opened (\(number)). Its folder and its files are the hub's user's: run this as that user or as root, and \
            look at who owns them.
            """
        case .damaged: "The house's database is damaged (\(number)). Restore the house from a backup: cardea-hub restore."
        case .ioError: "The hub's disk cannot be read or written (\(number)). Check the disk and the system's log."
        case .busy: "Another program has locked the house's database. Stop it, then try again."
        case .misuse: "The hub used the house's database incorrectly (\(number)). This is a bug in the hub: report it."
        case .other:
            "The house's database cannot be read (\(number)). If this persists, restore the house from a backup: cardea-hub restore."
        }
    }
}
