import CardeaSecurity
import Testing

@Suite("Password policy")
struct PasswordPolicyTests {
    private func problem(_ password: String, _ names: [String] = ["anna", "Anna Lindén", "Lime House"]) -> PasswordPolicy.PolicyError? {
        do throws(PasswordPolicy.PolicyError) { try PasswordPolicy.check(Secret(password), names: names) } catch { return error }
        return nil
    }

    @Test("A password has 8 to 128 characters, regardless of its bytes")
    func length() {
        #expect(problem("seven 7") == .length)
        #expect(problem("ööööö ö8") == nil)
        #expect(problem(String(repeating: "xy", count: 64)) == nil)
        #expect(problem(String(repeating: "xy", count: 65)) == .length)
        #expect(problem(String(repeating: "👨‍👩‍👧‍👦", count: 60)) == .length)
    }

    @Test(
        "A common password is refused in any case",
        arguments: ["password", "12345678", "PassWord", "qwertyuiop", "TrustNo1", "sunshine"])
    func common(password: String) {
        #expect(problem(password) == .common)
    }

    @Test(
        "A name with digits and punctuation around it is refused",
        arguments: [
            "anna2024", "Anna-1987!", "annaanna", "AnnaLinden", "linden-99", "ANNA LINDÉN", "limehouse14", "cardea2026", "lindenxy",
        ])
    func names(password: String) {
        #expect(problem(password) == .derivedFromName)
    }

    @Test(
        "A password that only contains a name is accepted, and so is any other",
        arguments: ["anna likes trains", "correct horse battery staple", "tr0ub4dor&3x", "lime and soda", "пароль из слов"])
    func allowed(password: String) {
        #expect(problem(password) == nil)
    }

    @Test("A password with an invisible character is refused, and its prepared form is hashed")
    func prepared() throws {
        #expect(problem("correct\thorse") == .invisibleCharacter && problem("correct\u{200B}horse") == .invisibleCharacter)
        let made = try PasswordPolicy.check(Secret("\u{FEFF}Straße u\u{308}ber\u{A0}Land"), names: []).reveal()
        #expect(Array(made.utf8) == Array("Stra\u{DF}e \u{FC}ber Land".utf8))
    }

    @Test("A name of one or two letters restricts no password")
    func short() {
        #expect(problem("bobolink7", ["bo", "B", ""]) == nil)
    }
}
