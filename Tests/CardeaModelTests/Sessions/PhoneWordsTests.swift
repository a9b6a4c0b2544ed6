import CardeaModel
import Foundation
import Testing

@Suite("What a phone says of itself")
struct PhoneWordsTests {
    @Test("A phone's own name is a UUID in small letters, and its words are bounded")
    func words() throws {
        let id = "6F1D2C1E-6D0B-4F7C-9C1A-1E2D3C4B5A69"
        let phone = try PhoneWords(deviceID: id, name: "  Ada's phone ", model: "")
        #expect(phone.deviceID == id.lowercased() && phone.name == "Ada's phone" && phone.model == nil)
        for other in ["", "phone", "{\(id)}", id + "0", String(repeating: "a", count: 36)] {
            #expect(throws: PhoneWords.Problem.deviceID) { try PhoneWords(deviceID: other, name: "Phone", model: nil) }
        }
        #expect(throws: PhoneWords.Problem.name(.empty)) { try PhoneWords(deviceID: id, name: " ", model: nil) }
        #expect(throws: PhoneWords.Problem.name(.tooLong)) {
            try PhoneWords(deviceID: id, name: String(repeating: "x", count: 101), model: nil)
        }
        #expect(throws: PhoneWords.Problem.model(.tooLong)) {
            try PhoneWords(deviceID: id, name: "Phone", model: String(repeating: "x", count: 51))
        }
        #expect(throws: PhoneWords.Problem.model(.invalidCharacters)) { try PhoneWords(deviceID: id, name: "Phone", model: "a\u{202E}b") }
    }
}
