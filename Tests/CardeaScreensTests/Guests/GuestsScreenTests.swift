import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaScreens
import CardeaSync
import CardeaTestSupport
import Foundation

import Testing

@Suite("Guests screen", .timeLimit(.minutes(10)))
struct GuestsScreenTests {
    @MainActor private func looking(_ phone: TestPhone) async -> GuestsScreen {
        let screen = GuestsScreen(client: phone.client, replica: phone.replica, environment: TestPhone.environment(phone.house.clock))
        await screen.refresh()
        return screen
    }

    @Test("A house without guests is empty")
    func empty() async throws {
        try await withHouse { @MainActor house, line in
            let screen = await looking(try await TestPhone.signedIn(to: house, over: line))
            guard case .empty = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
        }
    }

    @Test("A revoked pass is shown as revoked and opens nothing")
    func revoked() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            let screen = await looking(phone.owner)
            #expect(screen.state.content?.map(\.status) == [.active])
            await screen.revoke(phone.guest.guestID)
            #expect(screen.state.content?.map(\.status) == [.revoked])
            #expect(screen.problem == nil && screen.revoking.isEmpty && !screen.isRefreshing)
            await phone.screen.execute("door.open")
            #expect(phone.screen.state == .expired && house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("Offline guests are shown with their age, and a revocation is refused and not queued")
    func tunnel() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await GuestPhone.paired(to: house, over: line)
            let screen = await looking(phone.owner)
            let seen = house.clock.now
            phone.owner.transport.setCondition(.unreachable)
            house.clock.advance(by: 60)
            await screen.refresh()
            guard case .stale(let guests, let asOf, _) = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(guests.map(\.name) == ["Plumber"] && asOf == seen)
            await screen.revoke(phone.guest.guestID)
            #expect(screen.problem?.canRetry == true && screen.problem?.text.contains("Nothing was sent.") == true)
            #expect(try await phone.owner.replica.outboxEntries().isEmpty)
            phone.owner.transport.setCondition(.clear)
            await screen.revoke(phone.guest.guestID)
            #expect(screen.problem == nil && screen.state.content?.map(\.status) == [.revoked])
        }
    }

    @Test("A pass prepared offline is marked and created later; a pass created online has its code at once")
    func prepared() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            let expires = house.clock.now.addingTimeInterval(4 * 3600)
            func pass(_ name: String) -> InviteGuestBody {
                InviteGuestBody(
                    name: name, grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])], expiresAt: expires, maxUses: 0)
            }
            let made = await screen.invite(pass("Plumber"))
            #expect(made?.pairingCode != nil && screen.queuedPasses.isEmpty)
            phone.transport.setCondition(.unreachable)
            let late = await screen.invite(pass("Cleaner"))
            #expect(late?.guestID == nil)
            #expect(screen.queuedPasses.map(\.operation.name) == ["Cleaner"] && screen.problem == nil)
            #expect(screen.state.content?.map(\.name) == ["Plumber"])
            phone.transport.setCondition(.clear)
            await screen.refresh()
            #expect(screen.queuedPasses.isEmpty && Set(screen.state.content?.map(\.name) ?? []) == ["Plumber", "Cleaner"])
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }
}
