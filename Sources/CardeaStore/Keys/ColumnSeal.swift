import Foundation
import GRDB
import Synchronization

/// Seals personal data in its columns, and makes the marks by which it is found without being opened.
public struct ColumnSeal: Sendable {
    let seal: @Sendable (_ plain: Data, _ place: String) throws -> Data
    let open: @Sendable (_ sealed: Data, _ place: String) throws -> Data
    let mark: @Sendable (Data) -> Data

    /// - Parameters:
    ///   - seal: seals for one place alone: table, row and column, as in `guests/guest_9f…/name`.
    ///   - mark: makes a mark from which the marked text cannot be guessed without the key.
    public init(
        seal: @escaping @Sendable (_ plain: Data, _ place: String) throws -> Data,
        open: @escaping @Sendable (_ sealed: Data, _ place: String) throws -> Data, mark: @escaping @Sendable (Data) -> Data
    ) {
        (self.seal, self.open, self.mark) = (seal, open, mark)
    }
}

/// A full-text index that knows words by their marks alone: `tokenize = 'keyed porter unicode61'`.
final class KeyedTokenizer: FTS5WrapperTokenizer {
    static let name = "keyed"

    let wrappedTokenizer: any FTS5Tokenizer
    private let functions: SealingFunctions

    init(db: Database, arguments: [String]) throws {
        guard let functions = SealingFunctions.of(db) else { throw SealingFunctions.MissingKeyError() }
        self.functions = functions
        wrappedTokenizer = try db.makeTokenizer(FTS5TokenizerDescriptor(components: arguments))
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization, tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        try tokenCallback(functions.keyedToken(token), flags)
    }
}
