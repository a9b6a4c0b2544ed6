/// The kind of an error of SQLite, by its number. SQLite's own sentences are for programmers.
public enum DatabaseErrorKind: Hashable, Sendable, CaseIterable {
    case full
    /// The file may not be written to, or its disk.
    case readOnly
    /// The file cannot be opened at all.
    case cannotOpen
    case damaged
    /// The disk does not read or write.
    case ioError
    case busy
    /// A call that SQLite does not support: a fault of the program.
    case misuse
    case other

    /// - Parameter code: an extended result code of SQLite.
    public init(code: Int32) {
        self =
            switch (code & 0xff, code) {
            // The memory shared by several readers is a file beside the database, which cannot grow on a full disk (SQLITE_IOERR_SHMSIZE).
            case (13, _), (_, 4874): .full
            case (8, _): .readOnly
            case (3, _), (14, _), (23, _): .cannotOpen
            case (11, _), (26, _): .damaged
            case (10, _): .ioError
            case (5, _), (6, _): .busy
            case (1, _), (19, _), (21, _): .misuse
            default: .other
            }
    }
}
