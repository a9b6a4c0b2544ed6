import Foundation
import GRDB
import Synchronization

/// The SQL functions by which a house reads and writes sealed columns, on all connections of one store:
///
/// - `sealed(text, 'guests.name', id)` and `opened(text, 'guests.name', id)`, where `id` identifies the row. NULL and the empty text remain
///   as they are, and text in the clear is returned unchanged. A sealed value that cannot be decrypted reads as the empty text, so that one
///   damaged value does not make a whole list fail. `SealedColumns.verify` names it.
/// - `marked(text, 'people.username')`: 32 bytes, the same for the same text.
/// - `keyed(words)` and `keyed_any(words)`: for a full-text index, the marks of words, and a query for any of them.
final class SealingFunctions: Sendable {
    struct MissingKeyError: Error, CustomStringConvertible {
        var description: String { "The house's key is not there yet: what is sealed cannot be read or written." }
    }

    let label = UUID().uuidString
    private let seal = Mutex<ColumnSeal?>(nil)
    private let unreadableColumns = Mutex(UnreadableColumns())

    /// The columns in which something did not open, and whom to tell.
    private struct UnreadableColumns {
        var columns: Set<String> = []
        var handler: DamageHandler?
    }

    private struct DamageHandler: Sendable { let column: @Sendable (String) -> Void }

    private struct WeakReference: Sendable { weak let functions: SealingFunctions? }
    private static let instances = Mutex<[String: WeakReference]>([:])

    init() { Self.instances.withLock { $0[label] = WeakReference(functions: self) } }
    deinit { Self.instances.withLock { $0[label] = nil } }

    /// Those of a connection; it bears their label.
    static func of(_ db: Database) -> SealingFunctions? {
        guard let label = db.configuration.label else { return nil }
        return instances.withLock { $0[label]?.functions }
    }

    func use(_ seal: ColumnSeal) { self.seal.withLock { $0 = seal } }

    /// Tells of each column once, as `guests.name`, and at once of those that were met before.
    func onDamage(_ handler: @escaping @Sendable (String) -> Void) {
        let met = unreadableColumns.withLock { damage in
            damage.handler = DamageHandler(column: handler)
            return damage.columns
        }
        met.sorted().forEach(handler)
    }

    private func reportUnreadable(damageIn column: String) {
        let handler = unreadableColumns.withLock { $0.columns.insert(column).inserted ? $0.handler : nil }
        handler?.column(column)
    }

    func add(to db: Database) {
        db.add(function: DatabaseFunction("sealed", argumentCount: 3) { [self] in try sealed($0) })
        db.add(function: DatabaseFunction("opened", argumentCount: 3) { [self] in try opened($0) })
        db.add(
            function: DatabaseFunction("marked", argumentCount: 2) { [self] values in
                guard let text = String.fromDatabaseValue(values[0]), let column = String.fromDatabaseValue(values[1]) else { return nil }
                return try current().mark(Data("\(column)/\(text)".utf8))
            })
        db.add(function: DatabaseFunction("keyed", argumentCount: 1) { [self] in try keyed($0[0]).joined(separator: " ") })
        db.add(
            function: DatabaseFunction("keyed_any", argumentCount: 1) { [self] in try keyed($0[0]).joined(separator: " OR ")
            })
        db.add(tokenizer: KeyedTokenizer.self)
    }

    /// The mark of one word: it begins with a letter, and is a word itself.
    func keyedToken(_ word: some StringProtocol) throws -> String {
        "k"
            + (try current().mark(Data("word/\(word)".utf8)).prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined())
    }

    private func current() throws -> ColumnSeal {
        guard let seal = seal.withLock(\.self) else { throw MissingKeyError() }
        return seal
    }

    private func sealed(_ values: [DatabaseValue]) throws -> String? {
        guard let text = String.fromDatabaseValue(values[0]), !text.isEmpty else { return String.fromDatabaseValue(values[0]) }
        return SealedText.encode(try current().seal(Data(text.utf8), Self.sealingLabel(values)))
    }

    private func opened(_ values: [DatabaseValue]) throws -> String? {
        guard let text = String.fromDatabaseValue(values[0]), SealedText.isSealed(text) else { return String.fromDatabaseValue(values[0]) }
        let seal = try current()
        do { return String(decoding: try seal.open(SealedText.decode(text) ?? Data(), Self.sealingLabel(values)), as: UTF8.self) } catch {
            reportUnreadable(damageIn: String.fromDatabaseValue(values[1]) ?? "")
            return ""
        }
    }

    /// Table, row and column.
    private static func sealingLabel(_ values: [DatabaseValue]) -> String {
        let names = (String.fromDatabaseValue(values[1]) ?? "").split(separator: ".")
        let row = Int64.fromDatabaseValue(values[2]).map { "\($0)" } ?? String.fromDatabaseValue(values[2]) ?? ""
        return ([names.first ?? ""] + [Substring(row)] + names.dropFirst()).joined(separator: "/")
    }

    private func keyed(_ words: DatabaseValue) throws -> [String] {
        try (String.fromDatabaseValue(words) ?? "").split(separator: " ").map(keyedToken)
    }
}
