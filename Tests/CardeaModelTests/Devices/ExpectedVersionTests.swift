import CardeaModel
import Foundation
import Testing

@Suite("Expected versions")
struct ExpectedVersionTests {
    @Test("An observed version accepts only that version")
    func versions() {
        #expect(ExpectedVersion.any.allows(7) && ExpectedVersion.oneOf([6, 7]).allows(7))
        #expect(!ExpectedVersion.oneOf([6]).allows(7) && !ExpectedVersion.oneOf([]).allows(7))
    }
}
