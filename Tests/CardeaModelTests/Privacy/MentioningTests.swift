import CardeaModel
import Testing

@Suite("Whom a text speaks of")
struct MentioningTests {
    @Test(
        "Another word stands wherever a name stood as a word of its own, in whichever case, and nothing else is changed",
        arguments: [
            ("Ada is home", "somebody is home"), ("ADA, and ada's bike", "somebody, and somebody's bike"),
            ("Adam and Nevada", "Adam and Nevada"),
            ("Adada ada", "Adada somebody"), ("ada", "somebody"), ("", ""), ("Ada2 and Ada-2", "Ada2 and somebody-2"),
        ])
    func replacing(_ text: String, _ told: String) {
        #expect(Mentioning.replacing("Ada", in: text, by: "somebody") == told)
        #expect(!Mentioning.mentions(told, "Ada"))
    }

    @Test("Nobody's name is in no text")
    func nobody() {
        #expect(Mentioning.replacing("", in: "Ada is home", by: "somebody") == "Ada is home")
        #expect(Mentioning.replacing("Somebody", in: "Somebody rings", by: "somebody") == "somebody")
    }
}
