import Testing

@testable import cardea

@Suite("A shell is told the names that may be meant")
struct CompletionCandidateTests {
    private let house = [
        CompletionCandidate("Front door", id: "front-door"), CompletionCandidate("Front gate", id: "front-gate"),
        CompletionCandidate("🛋 Lamp", id: "lamp"),
        CompletionCandidate("Twin", id: "twin-1"), CompletionCandidate("Twin", id: "twin-2"), CompletionCandidate("-odd", id: "odd"),
        CompletionCandidate("$(run)", id: "run"), CompletionCandidate("e\u{1B}vil", id: "evil"),
    ]

    @Test(
        "Names begin as typed; ids where no name does",
        arguments: [
            ("Fr", ["Front door", "Front gate"]), ("Front\\ d", ["Front door"]), ("\"Front d", ["Front door"]),
            ("'Front g", ["Front gate"]),
            ("fr", ["front-door", "front-gate"]), ("🛋", ["🛋 Lamp"]), ("x", []),
        ])
    func typed(beginning: String, words: [String]) {
        #expect(CompletionCandidate.matches(house, typed: beginning) == words)
    }

    @Test("A name that several have, or that cannot be typed, gives way to the id")
    func ids() {
        #expect(
            CompletionCandidate.matches(house, typed: "") == [
                "Front door", "Front gate", "🛋 Lamp", "twin-1", "twin-2", "odd", "run", "evil",
            ])
    }
}
