import CardeaMind
import CardeaModel
import Foundation
import GRDB

/// By what a file is known to be a database and no lines.
public enum SQLiteSignature {
    public static func matches(_ file: FileHandle) throws -> Bool {
        try file.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
    }
}
