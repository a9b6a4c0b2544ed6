import CardeaModel
import Foundation
import GRDB
import _FoundationICU

/// Names that can be taken for one another, such as "Anna" and one with a Cyrillic "а" (Unicode Technical Standard 39, section 4).
enum ConfusableNames {
    static let message = "is a resident's name or looks like one. Choose another"

    /// Returns whether a resident has this name or user name, or one that looks like it.
    static func isResident(_ name: String, _ db: Database) throws -> Bool {
        let wanted = skeletons(of: name)
        return try PeopleRecords.all(db).contains { person in
            [person.name, person.username].compactMap(\.self).contains { !skeletons(of: $0).isDisjoint(with: wanted) }
        }
    }

    /// The look of a name, as written and in lower case; capitals and spaces make no difference.
    static func skeletons(of name: String) -> Set<String> {
        let plain = name.filter { !$0.isWhitespace }
        return [skeleton(plain).lowercased(), skeleton(plain.lowercased())]
    }

    /// The skeleton of a text, which two texts have in common that look alike; the text itself if ICU makes none.
    static func skeleton(_ text: String) -> String {
        var status = U_ZERO_ERROR
        guard let checker = swift_uspoof_open(&status), status.rawValue <= U_ZERO_ERROR.rawValue else { return text }
        defer { swift_uspoof_close(checker) }
        // A character becomes 18 at most (U+FDFA).
        var skeleton = [CChar](repeating: 0, count: 18 * 4 * text.utf8.count + 1)
        guard let given = Int32(exactly: text.utf8.count), let room = Int32(exactly: skeleton.count) else { return text }
        _ = text.withCString { swift_uspoof_getSkeletonUTF8(checker, 0, $0, given, &skeleton, room, &status) }
        guard status.rawValue <= U_ZERO_ERROR.rawValue else { return text }
        return skeleton.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? text
    }
}
