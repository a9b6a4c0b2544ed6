import CardeaModel
import GRDB

extension Store {
    /// The reason why a house's database cannot be opened, read or written to, with the remedy.
    public static func message(for error: any Error) -> String { databaseMessage(error) ?? "\(error)" }

    /// The same; nil for an error of another source.
    public static func databaseMessage(_ error: any Error) -> String? {
        if error is SharedTransactionAbortedError {
            return "The disk of the house is full, or takes nothing. Make room on it, and look at the system's log."
        }
        guard let error = error as? DatabaseError else { return nil }
        // The number leads an SQLite expert to the cause.
        let number = "database error \(error.extendedResultCode.rawValue)"
        return switch DatabaseErrorKind(code: error.extendedResultCode.rawValue) {
        case .full: "The disk of the house is full. Make room on it."
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
        case .damaged: "The house's database is damaged (\(number)). Put the house back from a backup: cardea-hub restore."
        case .ioError: "The disk of the house does not read or write (\(number)). Look at the disk, and at the system's log."
        case .busy: "Another program holds the house's database. Stop it, and look again."
        case .misuse: "The house's database does not do what the program asks of it (\(number)). That is a fault of the program: report it."
        case .other:
            "The house's database cannot be read (\(number)). Where this stays, put the house back from a backup: cardea-hub restore."
        }
    }
}
