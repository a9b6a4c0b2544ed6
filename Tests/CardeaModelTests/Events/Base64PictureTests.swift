import CardeaModel
import Foundation
import Testing

@Suite("Base64 pictures")
struct Base64PictureTests {
    private static let picture = Data((0..<571).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) })
    private static let plain = picture.base64EncodedString()

    @Test(
        "Base64 is decoded in every common form",
        arguments: [
            plain, plain.replacing("=", with: ""), plain.replacing("+", with: "-").replacing("/", with: "_"),
            picture.base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed]),
            picture.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]) + "\n",
            "data:image/jpeg;base64," + plain, "\n  DATA:image/jpeg;name=a.jpg;BASE64,\r\n" + plain, "data:;base64," + plain,
        ])
    func taken(text: String) {
        #expect(Base64Picture.bytes(in: text) == Self.picture)
    }

    @Test(
        "Other text is no picture",
        arguments: [
            "***", "data:image/jpeg," + plain, "data:" + plain, "=" + plain, plain + "==", plain + plain, "A", "https://camera/a.jpg", "é",
        ])
    func refused(text: String) {
        #expect(Base64Picture.bytes(in: text) == nil)
    }

    @Test("Each reason for a missing picture has its own code and sentence")
    func reasons() {
        let sentences = PictureError.allCases.map(\.detail)
        #expect(Set(sentences).count == sentences.count && sentences.allSatisfy { $0.hasSuffix(".") })
        #expect(PictureError.allCases.allSatisfy { $0.rawValue.allSatisfy { $0.isLowercase || $0 == "_" || $0.isWholeNumber } })
    }
}
