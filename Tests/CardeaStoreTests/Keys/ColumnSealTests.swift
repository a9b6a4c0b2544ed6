import Foundation
import GRDB
import Testing

@testable import CardeaStore

@Suite("What tells of people is sealed in its column")
struct ColumnSealTests {
    @Test("A sealed text is known by how it begins; one in the clear is never taken for one, though it be base64")
    func texts() {
        let sealed = Data([1, 2, 3])
        #expect(SealedText.decode(SealedText.encode(sealed)) == sealed)
        for text in ["Olga", "AQID", " \u{1}AQID", ""] { #expect(SealedText.decode(text) == nil, "\(text)") }
        #expect(SealedText.decode("\u{1}no base64") == nil)
    }

    @Test("A connection that is no house's indexes no words, not even in the clear", arguments: [nil, "another program"])
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
