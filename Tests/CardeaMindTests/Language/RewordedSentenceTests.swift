import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMind

@Suite("Reworded sentences are parsed like others and cause no action")
struct RewordedSentenceTests {
    private let house = RecordedHouse.shared

    private func answer(_ sentence: String, visibility: RequesterVisibility = RecordedHouse.owner) async throws -> Reply {
        let capabilities = MindCapabilities(
            mood: { _, _ in Reply("Fine.") }, whatIf: { _, _, _ in Reply("Ten pounds.") }, memory: { _, _ in Reply("Nothing.") })
        return try await QuestionAnswerer(
            lexicon: try Lexicon.english(), houseHistory: RecordedHouseReader(house), capabilities: capabilities
        )
        .answer(sentence, in: house.snapshot, seenBy: visibility, at: RecordedHouse.now)
    }

    @Test("Every offered sentence form is parsed")
    func forms() async throws {
        let lexicon = try Lexicon.english()
        #expect(lexicon.forms.count == 32)
        for form in lexicon.forms {
            let isLight = form.contains(" on?") || form.contains(" on {time}") || form.hasPrefix("Turn on")
            let values: [Placeholder: String] = [
                .thing: isLight ? "desk lamp" : "front door", .room: "kitchen", .who: "Ben", .time: "yesterday evening", .number: "22",
            ]
            let sentence = SentenceTemplate.render(form, values)
            let reply = try await answer(sentence)
            #expect(!reply.isUnread && !sentence.contains("{"), "\(sentence): \(reply.response)")
        }
    }

    @Test("A rewording is one sanitized line; repeated, oversized or empty text is rejected")
    func cleaned() {
        #expect(RewordedSentence("“Is the front door locked?”\nBecause …", of: "x")?.sentence == "Is the front door locked?")
        #expect(RewordedSentence("Is the\u{202E} door\u{200B} locked?\u{7}", of: "x")?.sentence == "Is the door locked?")
        for nothing in ["", "  ", "\n\n", "\"\"", String(repeating: "a ", count: 300)] {
            #expect(RewordedSentence(nothing, of: "x") == nil)
        }
        #expect(RewordedSentence("Is the Front-Door locked", of: "is the front door locked?") == nil)
    }

    @Test("A reworded question states its interpretation and has reduced confidence")
    func question() async throws {
        let rewording = try #require(RewordedSentence("Is the front door locked?", of: "door status frontside pls"))
        let plain = try await answer("Is the front door locked?")
        let reply = try #require(rewording.reply(plain, try Lexicon.english()))
        #expect(reply.response == "I take that as “Is the front door locked?”. " + plain.response)
        #expect(reply.events == plain.events && reply.devices == plain.devices && reply.confidence == 0.7 && plain.confidence == 1)
        let unread = try await answer("frobnicate the gizmo")
        let nothing = rewording.reply(unread, try Lexicon.english())
        #expect(unread.isUnread && nothing == nil)
    }

    @Test("A reworded command yields no suggestion")
    func wish() async throws {
        for wish in ["Unlock the front door.", "Turn off the desk lamp."] {
            let rewording = try #require(RewordedSentence(wish, of: "make it so"))
            let suggested = try await answer(wish)
            let reply = try #require(rewording.reply(suggested, try Lexicon.english()))
            #expect(!suggested.suggestions.isEmpty && reply.suggestions.isEmpty && reply.confidence == 0 && reply.devices.isEmpty)
            #expect(reply.choices == [wish] && reply.response.contains(wish) && reply.context == nil)
        }
    }
}
