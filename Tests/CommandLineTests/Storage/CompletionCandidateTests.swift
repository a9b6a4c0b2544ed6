import Testing

@testable import cardea

@Suite("Shell completion candidates")
struct CompletionCandidateTests {
    private let house = [
        CompletionCandidate("Front door", id: "front-door"), CompletionCandidate("Front gate", id: "front-gate"),
        CompletionCandidate("🛋 Lamp", id: "lamp"),
        CompletionCandidate("Twin", id: "twin-1"), CompletionCandidate("Twin", id: "twin-2"), CompletionCandidate("-odd", id: "odd"),
        CompletionCandidate("$(run)", id: "run"), CompletionCandidate("e\u{1B}vil", id: "evil"),
    ]

    @Test(
        "Candidates are names with the typed prefix, or ids if no name matches",
        arguments: [
            ("Fr", ["Front door", "Front gate"]), ("Front\\ d", ["Front door"]), ("\"Front d", ["Front door"]),
            ("'Front g", ["Front gate"]),
            ("fr", ["front-door", "front-gate"]), ("🛋", ["🛋 Lamp"]), ("x", []),
        ])
    func typed(beginning: String, words: [String]) {
        #expect(CompletionCandidate.matches(house, typed: beginning) == words)
    }

    @Test("An ambiguous or untypable name is replaced by the id")
    func ids() {
        #expect(
            CompletionCandidate.matches(house, typed: "") == [
                "Front door", "Front gate", "🛋 Lamp", "twin-1", "twin-2", "odd", "run", "evil",
            ])
    }
}
