import CardeaModel
import Testing

@Suite("Replacement of names in texts")
struct NameMentionTests {
    @Test(
        "A name is replaced as a whole word in any case, and the rest is unchanged",
        arguments: [
            ("Ada is home", "somebody is home"), ("ADA, and ada's bike", "somebody, and somebody's bike"),
            ("Adam and Nevada", "Adam and Nevada"),
            ("Adada ada", "Adada somebody"), ("ada", "somebody"), ("", ""), ("Ada2 and Ada-2", "Ada2 and somebody-2"),
        ])
    func replacing(_ text: String, _ told: String) {
        #expect(NameMention.replacing("Ada", in: text, by: "somebody") == told)
        #expect(!NameMention.contains(told, "Ada"))
    }

    @Test("An empty name matches nothing")
    func nobody() {
        #expect(NameMention.replacing("", in: "Ada is home", by: "somebody") == "Ada is home")
        #expect(NameMention.replacing("Somebody", in: "Somebody rings", by: "somebody") == "somebody")
    }
}
