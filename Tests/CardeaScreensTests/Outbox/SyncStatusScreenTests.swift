import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaScreens
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@Suite("Sync status screen", .timeLimit(.minutes(10)))
struct SyncStatusScreenTests {
    @MainActor private func looking(_ phone: TestPhone) async -> SyncStatusScreen {
        let screen = SyncStatusScreen(replica: phone.replica, environment: TestPhone.environment(phone.house.clock))
        await screen.sync()
        return screen
    }

    @Test("Without queued requests it is empty")
    func level() async throws {
        try await withHouse { @MainActor house, line in
            let screen = await looking(try await TestPhone.signedIn(to: house, over: line))
            guard case .empty = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(screen.lastReport?.levelAt == house.clock.now && !screen.isSyncing && screen.problem == nil)
        }
    }

    @Test("A queued request is shown with its time, can be cancelled before it is sent, and is sent with the next sync")
    func waiting() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            let seen = house.clock.now
            phone.transport.setCondition(.unreachable)
            for action in ["on", "off"] { _ = try await phone.replica.control(DeviceCommand("hall-light", action)) }
            await screen.sync()
            guard case .stale(let status, let asOf, _) = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            let first = try #require(status.waiting.first?.id)
            #expect(status.waiting.count == 2 && status.ended.isEmpty && asOf == seen)
            await screen.discard(first)
            #expect(screen.problem == nil && screen.state.content?.waiting.count == 1)
            await screen.discard(first)
            #expect(screen.problem?.title == "Too late")
            phone.transport.setCondition(.clear)
            await screen.sync()
            #expect(screen.lastReport?.sent == 1 && house.doorBackend.backendCommands.map(\.verb) == [.off])
        }
    }

    @Test("A failed request is shown until dismissed")
    func ended() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.control(DeviceCommand("hall-light", "on"))
            house.clock.advance(by: 15 * 60)
            phone.transport.setCondition(.clear)
            await screen.sync()
            let entry = try #require(screen.state.content?.ended.first)
            guard case .ended(let ending) = entry.status else {
                Issue.record("it waits still")
                return
            }
            #expect(ending.kind == .expired && screen.state.content?.waiting.isEmpty == true)
            await screen.discard(entry.id)
            guard case .empty = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
        }
    }

    @Test("A conflict waits for a resolution, which is sent to the hub", arguments: [true, false])
    func decided(forThisSide: Bool) async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let other = try await TestPhone.signedIn(to: house, over: line)
            let room = try await other.client.rooms.add(RoomBody(name: "Study"))
            let screen = await looking(phone)
            phone.transport.setCondition(.unreachable)
            _ = try await phone.replica.edit(
                .init(change: .room(room.roomID, RoomBody(room, named: "Library")), seen: room.version, name: room.name))
            _ = try await other.client.rooms.rename(room.roomID, to: "Office")
            phone.transport.setCondition(.clear)
            await screen.sync()
            let conflict = try #require(screen.state.content?.conflicts.first)
            #expect(conflict.local.name == "Study")
            await screen.resolve(conflict.id, by: forThisSide ? .useLocal : .useRemote)
            #expect(screen.problem == nil)
            guard case .empty = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(try await other.client.rooms.get(room.roomID).name == (forThisSide ? "Library" : "Office"))
            await screen.resolve(conflict.id, by: .useLocal)
            #expect(screen.problem?.text == "This was decided already.")
        }
    }
}
