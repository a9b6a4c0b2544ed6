import Foundation
import GRDB
import Testing

@testable import CardeaStore

@Suite("Sealed columns")
struct ColumnSealTests {
    @Test("A sealed text is recognised by its prefix, and plain Base64 text is not mistaken for one")
    func texts() {
        let sealed = Data([1, 2, 3])
        #expect(SealedText.decode(SealedText.encode(sealed)) == sealed)
        for text in ["Olga", "AQID", " \u{1}AQID", ""] { #expect(SealedText.decode(text) == nil, "\(text)") }
        #expect(SealedText.decode("\u{1}no base64") == nil)
    }

    @Test("A connection without the house's label cannot index words", arguments: [nil, "another program"])
    func stranger(_ label: String?) throws {
        var configuration = Configuration()
        configuration.label = label
        let database = try DatabaseQueue(configuration: configuration)
        #expect(throws: DatabaseError.self) {
            try database.write { db in
                db.add(tokenizer: KeyedTokenizer.self)
                try db.execute(
                    sql: """
                        CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'keyed porter unicode61');
                        INSERT INTO words (text) VALUES ('Olga');
                        """)
            }
        }
    }
}
