import CardeaAPI
import CardeaClient
import CardeaScreens
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

@Suite("Guest pairing screen", .timeLimit(.minutes(10)))
struct GuestPairingScreenTests {
    @MainActor private func problem(of screen: GuestPairingScreen) throws -> UserFacingError {
        guard case .failed(let problem) = screen.state else { throw UserFacingError(title: "It did not fail", text: "\(screen.state)") }
        return problem
    }

    @Test("A pass is added by link or by code in any typed form", arguments: [true, false])
    func taken(byLink: Bool) async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line)
            #expect(!phone.pairing.canSubmit)
            let code = try #require(phone.guest.pairingCode).lowercased()
            phone.pairing.input = byLink ? try #require(phone.guest.link) : " \(code.prefix(5))-\(code.dropFirst(5))\n"
            await phone.pairing.submit()
            guard case .paired(let pass, let hub) = phone.pairing.state else {
                Issue.record("\(phone.pairing.state)")
                return
            }
            #expect(pass.houseName == "Lime House" && hub.host == "localhost")
            #expect(await phone.keychain.token?.hasPrefix(.guestPass) == true)
            #expect(phone.pairing.input.isEmpty && !phone.pairing.canSubmit)
        }
    }

    @Test("If approval is required, the same code is polled until it is given")
    func approved() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line, requiresApproval: true)
            phone.pairing.input = try #require(phone.guest.link)
            await phone.pairing.submit()
            for _ in 0..<2 {
                guard case .waiting(let pending) = phone.pairing.state else {
                    Issue.record("\(phone.pairing.state)")
                    return
                }
                #expect(pending.retryAfter == 2)
                phone.tunnel.setCondition(.unreachable)
                await phone.pairing.checkApproval()
                phone.tunnel.setCondition(.clear)
            }
            #expect(await phone.keychain.token == nil)
            try await phone.decide(.approve)
            await phone.pairing.checkApproval()
            guard case .paired = phone.pairing.state else {
                Issue.record("\(phone.pairing.state)")
                return
            }
            #expect(await phone.keychain.token != nil)
        }
    }

    @Test("An invalid link or code is reported and not sent")
    func unreadable() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line)
            for (typed, words) in [
                ("ABC", "A code has 10 letters and digits."), ("https://house.example/claim#cardea_cl_x", "A link to a pass ends in /g#"),
                ("https://house.example/g", "A link to a pass ends in /g#"),
                ("https://house.example/g#cardea_gl_x.", "Ask for it again, or type the code."),
                ("http://192.168.1.20/g#x", "plain http would expose your tokens"),
            ] {
                phone.pairing.input = typed
                await phone.pairing.submit()
                #expect(try problem(of: phone.pairing).text.contains(words), "\(typed)")
            }
            let lost = GuestPairingScreen(hub: nil, tokens: phone.keychain) { _ in phone.client }
            lost.input = "ABCDE23456"
            await lost.submit()
            #expect(try problem(of: lost).title == "Which house?")
            #expect(phone.tunnel.requests.isEmpty)
            lost.input = "ABCDE23457"
            guard case .entering = lost.state else {
                Issue.record("the words stay")
                return
            }
        }
    }

    @Test("A used code is refused with a message, and offline the code is kept for another attempt")
    func refused() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line)
            phone.pairing.input = "ABCDE23456"
            phone.tunnel.setCondition(.unreachable)
            await phone.pairing.submit()
            #expect(try problem(of: phone.pairing).canRetry && phone.pairing.input == "ABCDE23456")
            phone.tunnel.setCondition(.clear)
            await phone.pairing.submit()
            #expect(try problem(of: phone.pairing).text == "This code is wrong or was already used.")
            #expect(await phone.keychain.token == nil)
        }
    }

    @Test("A phone that lost its pass requests it with the used link and receives it after approval")
    func askedForAgain() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line)
            let link = try #require(phone.guest.link)
            phone.pairing.input = link
            await phone.pairing.submit()
            #expect(!phone.pairing.canRequestUsed)
            try await phone.keychain.delete()

            let again = GuestPairingScreen(hub: nil, tokens: phone.keychain) { _ in phone.client }
            again.input = "ABCDE23456"
            await again.submit()
            #expect(!again.canRequestUsed, "characters that were read aloud are good once")
            again.input = link
            await again.submit()
            #expect(try problem(of: again).text == "This code is wrong or was already used." && again.canRequestUsed)
            await again.requestUsed()
            guard case .waiting(let pending) = again.state else {
                Issue.record("\(again.state)")
                return
            }
            #expect(pending.number?.count == 4 && !again.canRequestUsed)
            try await phone.decide(.approve)
            await again.checkApproval()
            guard case .paired = again.state else {
                Issue.record("\(again.state)")
                return
            }
            #expect(await phone.keychain.token?.hasPrefix(.guestPass) == true)
        }
    }

    // The code was once used up by then, and the pass was lost.
    @Test("A pass that cannot be stored is not shown, and a retry stores it without the code")
    func unkept() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line)
            await phone.keychain.breakDown()
            phone.pairing.input = try #require(phone.guest.link)
            await phone.pairing.submit()
            #expect(try problem(of: phone.pairing).canRetry && phone.pairing.input.isEmpty)
            let asked = phone.tunnel.requests.count

            await phone.keychain.mend()
            #expect(phone.pairing.canSubmit)
            await phone.pairing.submit()

            guard case .paired = phone.pairing.state else {
                Issue.record("\(phone.pairing.state)")
                return
            }
            let key = await phone.keys?.key
            #expect(await phone.keychain.token != nil && key != nil)
            #expect(phone.tunnel.requests.count == asked && !phone.pairing.canSubmit)
        }
    }
}
