import CardeaMind
import CardeaModel
import Foundation
import GRDB

/// The signature by which a database file is told from a file of lines.
public enum SQLiteSignature {
    public static func matches(_ file: FileHandle) throws -> Bool {
        try file.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
    }
}
