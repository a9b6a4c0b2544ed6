import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaScreens
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

@Suite("Guest pass screen", .timeLimit(.minutes(10)))
struct GuestPassScreenTests {
    @Test("After confirmation the pass opens the door, and success is shown when the lock reports it")
    func opened() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line, uses: 3)
            let screen = phone.screen
            #expect(screen.state == .ready && screen.pass?.remainingUses == 3)
            await screen.execute("door.open")
            #expect(phone.thumb.asked == ["Confirm guest access action"])
            #expect(screen.state == .success && screen.message == "It is open. Pull the door.")
            #expect(screen.pass?.remainingUses == 2 && screen.pass?.usedCount == 1)
            #expect(house.doorBackend.backendCommands.map(\.entityID) == ["lock.front_door"])
            screen.dismissMessage()
            #expect(screen.state == .ready && screen.message == nil)
        }
    }

    @Test("Without a pass only pairing is offered")
    func none() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line)
            #expect(phone.screen.state == .loading)
            await phone.screen.load()
            #expect(phone.screen.state == .expired && phone.screen.message?.contains("Ask the house for a link") == true)
            await phone.screen.execute("door.open")
            #expect(phone.screen.state == .expired && phone.thumb.asked.isEmpty && phone.tunnel.requests.isEmpty)
            phone.pairing.input = phone.guest.link ?? ""
            await phone.pairing.submit()
            await phone.screen.load()
            #expect(phone.screen.state == .ready, "paired again, it is there again")
        }
    }

    @Test("Without confirmation nothing is sent")
    func notConfirmed() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            phone.thumb.refuse()
            let asked = phone.tunnel.requests.count
            await phone.screen.execute("door.open")
            #expect(phone.screen.state == .ready && phone.tunnel.requests.count == asked && house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("The phone's key requires confirmation, and a program without confirmation cannot sign or open")
    func patched() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            #expect(phone.screen.pass?.confirmation != nil)
            let token = try #require(await phone.keychain.token)

            let error = await #expect(throws: GuestAccessError.self) {
                try await phone.client.guestAccess.perform(GuestAction("door.open"), token: token)
            }
            #expect(error?.proofRefusal == .required && house.doorBackend.backendCommands.isEmpty)

            await phone.keys?.breakDown()
            await phone.screen.execute("door.open")
            #expect(
                phone.screen.message == "Nothing is kept under the name guest-key. Save it first."
                    && house.doorBackend.backendCommands.isEmpty)
            #expect(phone.thumb.asked.count == 1)
        }
    }

    @Test("A phone without key storage gets an unbound pass and still asks for confirmation")
    func keyless() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line, hasKey: false)
            #expect(phone.screen.pass?.confirmation == nil)
            await phone.screen.execute("door.open")
            #expect(phone.screen.state == .success && phone.thumb.asked.count == 1)
        }
    }

    @Test("A second tap during a command has no effect")
    func secondTap() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            house.doorBackend.set(.blocks, at: "lock.front_door")
            async let first: Void = phone.screen.execute("door.open")
            try await waitUntil { @Sendable in house.doorBackend.backendCommands.count == 1 }
            #expect(phone.screen.state == .executing)
            await phone.screen.execute("door.open")
            await phone.screen.load()
            #expect(phone.screen.state == .executing && phone.thumb.asked.count == 1)
            house.doorBackend.set(.silent, at: "lock.front_door")
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            await first
            #expect(phone.screen.state == .success && house.doorBackend.backendCommands.count == 1)
        }
    }

    enum PassEnd: CaseIterable {
        case usedUp, revoked, expired

        func happen(to phone: GuestPhone, _ house: TestHouse) async throws {
            switch self {
            case .usedUp:
                _ = try await phone.client.guestAccess.perform(
                    GuestAction("door.open"), token: #require(phone.keychain.token), key: phone.keys?.key)
            case .revoked: try await phone.decide(.revoke)
            case .expired: house.clock.advance(by: 5 * 3600)
            }
        }
    }

    @Test("A pass reported as ended is removed, after a tap and after a refresh", arguments: PassEnd.allCases, [true, false])
    func over(ending: PassEnd, byTap: Bool) async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line, uses: 1)
            try await ending.happen(to: phone, house)
            if byTap { await phone.screen.execute("door.open") } else { await phone.screen.load() }
            #expect(phone.screen.state == .expired && phone.screen.pass == nil)
            #expect(phone.screen.message?.hasPrefix("This pass") == true)
            #expect(await phone.keychain.token == nil)
            #expect(await phone.keychain.deletions == 1)
            #expect(await phone.keys?.key == nil)
        }
    }

    @Test("An ended pass that cannot be removed is invalid, and this is shown")
    func unremovable() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            await phone.keychain.breakDown()
            try await phone.decide(.revoke)
            await phone.screen.execute("door.open")
            #expect(phone.screen.state == .expired)
            #expect(phone.screen.message?.hasSuffix("It could not be removed from this phone.") == true)
        }
    }

    @Test("A newer pass stays when an older one is refused")
    func replaced() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            let newer = try await GuestPhone.paired(to: house, over: line)
            try await phone.keychain.replace(by: #require(newer.keychain.token))
            try await phone.decide(.revoke)
            await phone.screen.execute("door.open")
            guard case .error = phone.screen.state else {
                Issue.record("\(phone.screen.state)")
                return
            }
            #expect(await phone.keychain.deletions == 0)
            try await phone.keys?.save(#require(newer.keys?.key))
            await phone.screen.execute("door.open")
            #expect(phone.screen.state == .success && house.doorBackend.backendCommands.count == 1)
        }
    }

    enum CommandFailure: CaseIterable {
        case tunnel, lostAnswer, storm, jammed, silent, paused

        func happen(to phone: GuestPhone, _ house: TestHouse) async throws {
            switch self {
            case .tunnel: phone.tunnel.setCondition(.unreachable)
            case .lostAnswer: phone.tunnel.setCondition(.dropsResponses)
            case .storm: phone.tunnel.setCondition(.gatewayError(status: 401))
            case .jammed: house.doorBackend.set(.jams, at: "lock.front_door")
            case .silent: house.doorBackend.set(.neverReports, at: "lock.front_door")
            case .paused: try await phone.decide(.suspend)
            }
        }

        /// Returns whether the command was sent before the fault. A phone that signs reads from the house first, so a lost answer happens
        /// earlier.
        func isSent(signed: Bool) -> Bool { [.jammed, .silent].contains(self) || (self == .lostAnswer && !signed) }

        func words(signed: Bool) -> String {
            switch self {
            case .tunnel: "Doors open only when it answers; nothing is sent later."
            case .lostAnswer where signed: "Doors open only when it answers; nothing is sent later."
            case .lostAnswer: "We are not sure it opened. The connection to the house was lost."
            case .storm: "401"
            case .jammed: "The lock is jammed. Not opened, and this did not count."
            case .silent: "We are not sure it opened. The lock has not answered."
            case .paused: "This pass is paused."
            }
        }
    }

    @Test("Any other error is shown, and the pass stays", arguments: CommandFailure.allCases, [true, false])
    func stays(mishap: CommandFailure, signed: Bool) async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line, hasKey: signed)
            try await mishap.happen(to: phone, house)
            await phone.screen.execute("door.open")
            guard case .error(let text) = phone.screen.state else {
                Issue.record("\(phone.screen.state)")
                return
            }
            #expect(text.contains(mishap.words(signed: signed)), "\(text)")
            #expect(phone.screen.message == text && phone.screen.pass != nil)
            #expect(await phone.keychain.deletions == 0)
            #expect(house.doorBackend.backendCommands.count == (mishap.isSent(signed: signed) ? 1 : 0))
        }
    }

    @Test("Offline the pass's state is unknown, and known again after reconnection")
    func look() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            phone.tunnel.setCondition(.unreachable)
            await phone.screen.load()
            guard case .error(let text) = phone.screen.state else {
                Issue.record("\(phone.screen.state)")
                return
            }
            #expect(text.hasPrefix("No connection to the house"))
            phone.tunnel.setCondition(.clear)
            await phone.screen.load()
            #expect(phone.screen.state == .ready)
        }
    }

    @Test("An unknown token is refused and kept, because only an ended pass is removed")
    func strange() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.invited(to: house, over: line)
            try await phone.keychain.save(Secret("cardea_gp_nobodys"))
            await phone.screen.load()
            guard case .error = phone.screen.state else {
                Issue.record("\(phone.screen.state)")
                return
            }
            #expect(await phone.keychain.deletions == 0)
        }
    }

    // MARK: Approval

    @Test("If approval is required each time, the same request waits and runs once")
    func asked() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line, asksEachTime: true)
            await phone.screen.execute("door.open")
            let command = try #require(phone.screen.pending?.commandID)
            #expect(phone.screen.state == .executing && phone.screen.message == "Someone who may let guests in has to say yes.")
            phone.tunnel.setCondition(.unreachable)
            await phone.screen.checkApproval()
            #expect(phone.screen.state == .executing && phone.screen.message?.contains("may still say yes") == true)
            phone.tunnel.setCondition(.clear)
            try await phone.owner.client.access.answerApproval(command: command, yes: true)
            await phone.screen.checkApproval()
            #expect(phone.screen.state == .success && phone.screen.pending == nil && house.doorBackend.backendCommands.count == 1)
            #expect(phone.thumb.asked.count == 1)
        }
    }

    @Test("A waiting request can be cancelled and is not executed; an answered one cannot")
    func takenBack() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line, uses: 3, asksEachTime: true)
            await phone.screen.withdraw()
            await phone.screen.execute("door.open")
            phone.tunnel.setCondition(.unreachable)
            await phone.screen.withdraw()
            #expect(phone.screen.message?.hasPrefix("It could not be taken back.") == true && phone.screen.state == .executing)
            phone.tunnel.setCondition(.clear)
            await phone.screen.withdraw()
            #expect(phone.screen.state == .ready && phone.screen.message?.hasPrefix("Taken back.") == true)
            await phone.screen.checkApproval()
            #expect(house.doorBackend.backendCommands.isEmpty)

            await phone.screen.execute("door.open")
            try await phone.owner.client.access.answerApproval(command: #require(phone.screen.pending?.commandID), yes: true)
            try await waitUntil { @Sendable in house.doorBackend.backendCommands.count == 1 }
            await phone.screen.withdraw()
            #expect(phone.screen.message == "Too late to take it back: the house has answered.")
            await phone.screen.checkApproval()
            #expect(phone.screen.state == .success)
        }
    }
}
