import CardeaClient
import CardeaScreens
import CardeaSecurity
import Foundation
import Synchronization
import Testing

@Suite("Phone pairing screen", .timeLimit(.minutes(10)))
struct PairingScreenTests {
    @Test(
        "Typed or pasted input is reduced to six digits in two groups",
        arguments: [
            ("", "", ""), ("1", "1", "1"), ("123", "123", "123"), ("1234", "1234", "123 4"), ("123456", "123456", "123 456"),
            ("123 456", "123456", "123 456"), ("123-456\n", "123456", "123 456"), (" 1 2 3 4 5 6 ", "123456", "123 456"),
            ("12345678", "123456", "123 456"), ("Your code is 123 456.", "123456", "123 456"), ("１２３456", "123456", "123 456"),
            ("١٢٣٤٥٦", "", ""), ("۱۲۳456", "456", "456"), ("1²3", "123", "123"), ("½Ⅷ①", "121", "121"), ("1️⃣2", "2", "2"),
            ("1\u{301}23", "23", "23"), ("+1-2", "12", "12"), ("\u{202E}123\u{0}456", "123456", "123 456"), ("12\r\n34", "1234", "123 4"),
        ])
    func digits(typed: String, digits: String, shown: String) {
        let code = PairingCode(typed)
        #expect(code.digits == digits && code.formatted == shown)
        #expect(code.isComplete == (digits.count == 6))
        #expect(PairingCode(code.formatted) == code, "what is shown is read as itself")
    }

    @Test("Six digits are sent once, and the phone is then paired")
    @MainActor func paired() async {
        let asked = Mutex<[String]>([])
        let screen = PairingScreen { code in asked.withLock { $0.append(code.reveal()) } }
        screen.text = "123 45"
        #expect(!screen.canSubmit)
        await screen.submit()
        #expect(screen.state == .entering && asked.withLock { $0 }.isEmpty)
        screen.text = "123 456"
        #expect(screen.text == "123 456" && screen.canSubmit)
        await screen.submit()
        #expect(screen.state == .paired && screen.text.isEmpty && !screen.canSubmit)
        screen.text = "654321"
        await screen.submit()
        #expect(asked.withLock { $0 } == ["123456"])
    }

    @Test("Wrong digits are reported and cleared, and typing clears the message")
    @MainActor func wrong() async {
        let refusal = APIError(status: 401, code: "pairing_code_invalid", message: "Invalid or expired pairing code")
        let screen = PairingScreen { _ in throw ClientError.api(refusal) }
        screen.text = "111111"
        await screen.submit()
        guard case .failed(let problem) = screen.state else {
            Issue.record("it says nothing")
            return
        }
        #expect(problem.text == "This code is wrong or was already used." && !problem.canRetry)
        #expect(screen.text.isEmpty)
        screen.text = "2"
        #expect(screen.state == .entering && screen.text == "2")
    }

    @Test("If the hub is unreachable, the digits are kept for another attempt")
    @MainActor func notSent() async {
        let isReachable = Mutex(false)
        let screen = PairingScreen { _ in
            guard isReachable.withLock({ $0 }) else { throw ClientError.noConnection(host: "house.test") }
        }
        screen.text = "123456"
        await screen.submit()
        guard case .failed(let problem) = screen.state else {
            Issue.record("it says nothing")
            return
        }
        #expect(problem.canRetry && screen.text == "123 456" && screen.canSubmit)
        isReachable.withLock { $0 = true }
        await screen.submit()
        #expect(screen.state == .paired)
    }

    @Test("During a request input is ignored, and leaving the screen is no failure")
    @MainActor func leaving() async {
        let (began, begin) = AsyncStream<Void>.makeStream()
        let screen = PairingScreen { _ in
            begin.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
        screen.text = "123456"
        let asking = Task { await screen.submit() }
        for await _ in began { break }
        screen.text = "999999"
        await screen.submit()
        #expect(screen.state == .submitting && screen.text == "123 456")
        asking.cancel()
        await asking.value
        #expect(screen.state == .entering)
    }
}
