import CardeaModel
import Testing

@Suite("Whom a text speaks of")
struct NameMentionTests {
    @Test(
        "Another word stands wherever a name stood as a word of its own, in whichever case, and nothing else is changed",
        arguments: [
            ("Ada is home", "somebody is home"), ("ADA, and ada's bike", "somebody, and somebody's bike"),
            ("Adam and Nevada", "Adam and Nevada"),
            ("Adada ada", "Adada somebody"), ("ada", "somebody"), ("", ""), ("Ada2 and Ada-2", "Ada2 and somebody-2"),
        ])
    func replacing(_ text: String, _ told: String) {
        #expect(NameMention.replacing("Ada", in: text, by: "somebody") == told)
        #expect(!NameMention.contains(told, "Ada"))
    }

    @Test("Nobody's name is in no text")
    func nobody() {
        #expect(NameMention.replacing("", in: "Ada is home", by: "somebody") == "Ada is home")
        #expect(NameMention.replacing("Somebody", in: "Somebody rings", by: "somebody") == "somebody")
    }
}
