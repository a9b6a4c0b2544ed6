import CardeaModel
import Foundation
import Testing

@Suite("Phone descriptions")
struct PhoneDescriptionTests {
    @Test("A phone's id is a lowercase UUID, and its name and model are bounded")
    func words() throws {
        let id = "6F1D2C1E-6D0B-4F7C-9C1A-1E2D3C4B5A69"
        let phone = try PhoneDescription(deviceID: id, name: "  Ada's phone ", model: "")
        #expect(phone.deviceID == id.lowercased() && phone.name == "Ada's phone" && phone.model == nil)
        for other in ["", "phone", "{\(id)}", id + "0", String(repeating: "a", count: 36)] {
            #expect(throws: PhoneDescription.DescriptionError.deviceID) { try PhoneDescription(deviceID: other, name: "Phone", model: nil) }
        }
        #expect(throws: PhoneDescription.DescriptionError.name(.empty)) { try PhoneDescription(deviceID: id, name: " ", model: nil) }
        #expect(throws: PhoneDescription.DescriptionError.name(.tooLong)) {
            try PhoneDescription(deviceID: id, name: String(repeating: "x", count: 101), model: nil)
        }
        #expect(throws: PhoneDescription.DescriptionError.model(.tooLong)) {
            try PhoneDescription(deviceID: id, name: "Phone", model: String(repeating: "x", count: 51))
        }
        #expect(throws: PhoneDescription.DescriptionError.model(.invalidCharacters)) {
            try PhoneDescription(deviceID: id, name: "Phone", model: "a\u{202E}b")
        }
    }
}
