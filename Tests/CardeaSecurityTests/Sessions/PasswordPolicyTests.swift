import CardeaSecurity
import Testing

@Suite("A password that somebody chooses")
struct PasswordPolicyTests {
    private func problem(_ password: String, _ names: [String] = ["anna", "Anna Lindén", "Lime House"]) -> PasswordPolicy.PolicyError? {
        do throws(PasswordPolicy.PolicyError) { try PasswordPolicy.check(Secret(password), names: names) } catch { return error }
        return nil
    }

    @Test("Has 8 to 128 characters, however many bytes they take")
    func length() {
        #expect(problem("seven 7") == .length)
        #expect(problem("ööööö ö8") == nil)
        #expect(problem(String(repeating: "xy", count: 64)) == nil)
        #expect(problem(String(repeating: "xy", count: 65)) == .length)
        #expect(problem(String(repeating: "👨‍👩‍👧‍👦", count: 60)) == .length)
    }

    @Test(
        "Is none of those that are tried first, in whatever case",
        arguments: ["password", "12345678", "PassWord", "qwertyuiop", "TrustNo1", "sunshine"])
    func common(password: String) {
        #expect(problem(password) == .common)
    }

    @Test(
        "Is not a name with digits and marks around it",
        arguments: [
            "anna2024", "Anna-1987!", "annaanna", "AnnaLinden", "linden-99", "ANNA LINDÉN", "limehouse14", "cardea2026", "lindenxy",
        ])
    func names(password: String) {
        #expect(problem(password) == .derivedFromName)
    }

    @Test(
        "May have a name in it, and may be anything else",
        arguments: ["anna likes trains", "correct horse battery staple", "tr0ub4dor&3x", "lime and soda", "пароль из слов"])
    func allowed(password: String) {
        #expect(problem(password) == nil)
    }

    @Test("Has no character that nobody sees, and is hashed in its prepared form")
    func prepared() throws {
        #expect(problem("correct\thorse") == .invisibleCharacter && problem("correct\u{200B}horse") == .invisibleCharacter)
        let made = try PasswordPolicy.check(Secret("\u{FEFF}Straße u\u{308}ber\u{A0}Land"), names: []).reveal()
        #expect(Array(made.utf8) == Array("Stra\u{DF}e \u{FC}ber Land".utf8))
    }

    @Test("A name of one or two letters stands in nobody's way")
    func short() {
        #expect(problem("bobolink7", ["bo", "B", ""]) == nil)
    }
}
