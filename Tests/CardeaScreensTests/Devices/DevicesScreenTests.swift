import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaScreens
import CardeaTestSupport
import Foundation
import Observation
import Synchronization
import Testing

@Suite("Devices screen", .timeLimit(.minutes(10)))
struct DevicesScreenTests {
    @MainActor private func screen(of phone: TestPhone) -> DevicesScreen {
        DevicesScreen(replica: phone.replica, environment: TestPhone.environment(phone.house.clock))
    }

    @Test("Rooms are in their set order, and devices without a room come last")
    func rooms() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            for (room, device) in [("Hall", "hall-light"), ("Attic", "hall-sensor"), ("Empty", nil)] {
                let id = try await phone.client.rooms.add(RoomBody(name: room)).roomID
                if let device { _ = try await phone.client.devices.change(device, ChangeDeviceBody(roomID: id)) }
            }
            let screen = screen(of: phone)
            guard case .loading = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(screen.doorSummary == nil)
            await screen.refresh()
            guard case .ready(let rooms) = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(rooms.map(\.name) == ["Hall", "Attic", "Elsewhere"])
            #expect(rooms.map { $0.devices.map(\.deviceID) } == [["hall-light"], ["hall-sensor"], ["front-door", "back-door"]])
            #expect(Set(rooms.map(\.id)).count == 3)
            #expect(screen.doorSummary == "Everything is locked.")
        }
    }

    @Test("A search matches all words in device and room names in any case")
    func search() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let room = try await phone.client.rooms.add(RoomBody(name: "Entrance")).roomID
            _ = try await phone.client.devices.change("back-door", ChangeDeviceBody(roomID: room))
            let screen = screen(of: phone)
            await screen.refresh()
            for (typed, found) in [
                ("DOOR", ["back-door", "front-door"]), ("entrance", ["back-door"]), ("door entr", ["back-door"]),
                (" hall ", ["hall-light", "hall-sensor"]), ("", ["back-door", "front-door", "hall-light", "hall-sensor"]), ("cellar", []),
            ] {
                screen.search = typed
                #expect(screen.state.content?.flatMap(\.devices).map(\.deviceID) == found, "\(typed)")
                #expect(screen.hasNoMatches == found.isEmpty)
            }
            #expect(screen.doorSummary == "Everything is locked.", "the doors stand as they do, whatever is looked for")
        }
    }

    @Test("A door of unknown state is never shown as locked, online or offline")
    func notKnown() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = screen(of: phone)
            let door = DeviceScreen("back-door", replica: phone.replica, environment: TestPhone.environment(house.clock))
            try await house.doorBackend.report("unlocked", at: "lock.back_door")
            await screen.refresh()
            await door.refresh()
            #expect(door.lastReportText == nil)

            house.clock.advance(by: 120)
            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["back-door"])
            await screen.refresh()
            await door.refresh()
            // The house's time zone is Berlin's.
            let words = "not known, last reported unlocked at 15:00"
            #expect(screen.doorSummary == "Back door is \(words). Front door is locked.")
            #expect(door.lastReportText == words && door.state.content?.entities.first?.state == "unknown")
            let tile = screen.state.content?.flatMap(\.devices).first { $0.deviceID == "back-door" }
            #expect(tile.flatMap { screen.lastReportText($0) } == words)

            phone.transport.setCondition(.unreachable)
            await screen.refresh()
            await door.refresh()
            #expect(screen.doorSummary == nil && door.lastReportText == words && door.state.problem != nil)

            phone.transport.setCondition(.clear)
            try await house.hub.devices.reportAvailability(.online, deviceIDs: ["back-door"])
            try await house.doorBackend.report("locked", at: "lock.back_door")
            await screen.refresh()
            await door.refresh()
            #expect(screen.doorSummary == "Everything is locked." && door.lastReportText == nil)
        }
    }

    @Test("Without any sync the reason is shown, and the next attempt shows the devices")
    func failed() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = screen(of: phone)
            phone.transport.setCondition(.unreachable)
            await screen.refresh()
            guard case .failed(let problem) = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(problem.title == "No internet connection" && problem.canRetry && !screen.isRefreshing)
            phone.transport.setCondition(.clear)
            await screen.refresh()
            #expect(screen.state.content != nil && screen.state.problem == nil)
        }
    }

    @Test("Offline the last states are shown with their age, without a claim that doors are locked")
    func stale() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = screen(of: phone)
            await screen.refresh()
            let seen = house.clock.now
            phone.transport.setCondition(.unreachable)
            house.clock.advance(by: 300)
            await screen.refresh()
            guard case .stale(let rooms, let asOf, let why) = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(rooms.flatMap(\.devices).count == 4 && asOf == seen && why?.canRetry == true)
            #expect(screen.doorSummary == nil)
        }
    }

    @Test("Signed out, the last state is shown with a request to sign in")
    func signedOut() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = screen(of: phone)
            await screen.refresh()
            try await phone.client.sessions.logout()
            await screen.refresh()
            #expect(screen.state.problem?.requiresSignIn == true && screen.state.content != nil)
        }
    }

    @Test("An observer is notified of changes")
    func observed() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = screen(of: phone)
            let changes = Mutex(0)
            @MainActor func look() -> Int? {
                withObservationTracking {
                    screen.state.content?.count
                } onChange: {
                    changes.withLock { $0 += 1 }
                }
            }
            #expect(look() == nil)
            await screen.refresh()
            #expect(changes.withLock { $0 } == 1 && look() == 1)
            screen.search = "hall"
            #expect(changes.withLock { $0 } == 2)
        }
    }

    @Test("A house without devices is empty and no failure")
    func empty() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            for id in ["front-door", "back-door", "hall-light", "hall-sensor"] {
                try await house.hub.devices.withdraw(deviceID: id, integration: "scripted")
            }
            let screen = screen(of: phone)
            await screen.refresh()
            guard case .empty = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(!screen.hasNoMatches)
        }
    }
}
