import Testing

@testable import cardea

@Suite("A shell is told the names that may be meant")
struct KeptNameTests {
    private let house = [
        KeptName("Front door", id: "front-door"), KeptName("Front gate", id: "front-gate"), KeptName("🛋 Lamp", id: "lamp"),
        KeptName("Twin", id: "twin-1"), KeptName("Twin", id: "twin-2"), KeptName("-odd", id: "odd"),
        KeptName("$(run)", id: "run"), KeptName("e\u{1B}vil", id: "evil"),
    ]

    @Test(
        "Names begin as typed; ids where no name does",
        arguments: [
            ("Fr", ["Front door", "Front gate"]), ("Front\\ d", ["Front door"]), ("\"Front d", ["Front door"]),
            ("'Front g", ["Front gate"]),
            ("fr", ["front-door", "front-gate"]), ("🛋", ["🛋 Lamp"]), ("x", []),
        ])
    func typed(beginning: String, words: [String]) {
        #expect(KeptName.words(house, typed: beginning) == words)
    }

    @Test("A name that several have, or that cannot be typed, gives way to the id")
    func ids() {
        #expect(
            KeptName.words(house, typed: "") == ["Front door", "Front gate", "🛋 Lamp", "twin-1", "twin-2", "odd", "run", "evil"])
    }
}
