import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaScreens

@Suite("Device screen", .timeLimit(.minutes(10)))
struct DeviceScreenTests {
    @MainActor private func looking(at device: String, _ phone: TestPhone) async -> DeviceScreen {
        let screen = DeviceScreen(device, replica: phone.replica, environment: TestPhone.environment(phone.house.clock))
        await screen.refresh()
        return screen
    }

    @MainActor private func ask(_ verb: Verb, of screen: DeviceScreen) throws -> AvailableAction {
        try #require(screen.availableActions.first { $0.verb == verb })
    }

    @Test("The screen shows the device's commands and which of them can be queued")
    func asks() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let light = await looking(at: "hall-light", phone)
            #expect(
                light.availableActions.map(\.verb) == [.on, .off, .setBrightness]
                    && light.availableActions.allSatisfy { $0.canQueue && $0.door == nil })
            let door = await looking(at: "front-door", phone)
            #expect(
                door.availableActions.map(\.verb) == [.lock, .unlock]
                    && door.availableActions.allSatisfy { !$0.canQueue && $0.door == .lock })
            #expect(door.availableActions.map(\.risk) == [.control, .open] && Set(door.availableActions.map(\.id)).count == 2)
            let sensor = await looking(at: "hall-sensor", phone)
            #expect(sensor.availableActions.isEmpty && sensor.commandProgress == nil)
        }
    }

    @Test("An unknown device is missing, and without any sync nothing is known")
    func absent() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            phone.transport.setCondition(.unreachable)
            let light = await looking(at: "hall-light", phone)
            #expect(light.state.problem?.canRetry == true && light.availableActions.isEmpty)
            phone.transport.setCondition(.clear)
            let none = await looking(at: "attic-light", phone)
            guard case .empty = none.state else {
                Issue.record("it shows \(none.state)")
                return
            }
            phone.transport.setCondition(.unreachable)
            await none.refresh()
            guard case .empty = none.state else {
                Issue.record("it shows \(none.state)")
                return
            }
        }
    }

    @Test("A switched light reports success and shows its new state")
    func light() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(at: "hall-light", phone)
            await screen.control(try ask(.on, of: screen))
            #expect(screen.commandProgress == .confirmed("Done: now on."))
            #expect(screen.state.content?.entities.first?.state == "on")
        }
    }

    @Test("A door is not shown as open before its lock reports it, and is not commanded twice meanwhile")
    func underWay() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(at: "front-door", phone)
            let (unlock, lock) = (try ask(.unlock, of: screen), try ask(.lock, of: screen))
            house.doorBackend.set(.blocks, at: "lock.front_door")
            async let opening: Void = screen.control(unlock)
            try await waitUntil { @Sendable in house.doorBackend.backendCommands.count == 1 }
            #expect(screen.isSending && screen.commandProgress == .sending("Waiting for the lock…"))
            await screen.control(unlock)
            await screen.control(lock)
            #expect(screen.commandProgress == .sending("Waiting for the lock…"))
            house.doorBackend.set(.silent, at: "lock.front_door")
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            await opening
            #expect(screen.commandProgress == .confirmed("It is open. Pull the door.") && house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A failed and an unknown outcome are shown as such")
    func undone() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(at: "front-door", phone)
            let unlock = try ask(.unlock, of: screen)
            house.doorBackend.set(.jams, at: "lock.front_door")
            await screen.control(unlock)
            let jammed = UserFacingError(
                title: "Not done", text: "The lock is jammed. Not opened. Push the door while trying again.", canRetry: true)
            #expect(screen.commandProgress == .failed(jammed))
            house.doorBackend.set(.neverReports, at: "lock.front_door")
            await screen.control(unlock)
            #expect(screen.commandProgress == .unknown("We are not sure it opened. The lock has not answered. Try the handle first."))
            house.doorBackend.set(.obeys, at: "lock.front_door")
            phone.transport.setCondition(.dropsResponses, only: [.put])
            await screen.control(unlock)
            guard case .unknown(let text) = screen.commandProgress else {
                Issue.record("\(String(describing: screen.commandProgress))")
                return
            }
            #expect(text.contains("The connection to the house was lost"))
        }
    }

    @Test("Each outcome has its own text, and only one of them is a success")
    @MainActor func outcomes() {
        func command(_ status: CommandStatus, _ reason: String? = nil) -> CommandAnswer {
            CommandAnswer(
                commandID: "1", deviceID: "hall-light", entityID: "light.hall", action: .on, status: status, reason: reason, newState: nil,
                executionTime: nil)
        }
        let failure = APIError(status: 500, code: "action_execution_failed", message: "no", details: ["reason": "unreachable"])
        let outcomes: [CommandOutcome] = [
            .confirmed(command(.confirmed)), .waiting(command(.accepted)), .unknown(command(.unknown)), .unknown(nil),
            .expired(command(.expired)), .failed(command(.failed, "it is broken"), failure), .failed(nil, failure),
        ]
        let words = CommandText(.on, door: nil)
        let said = outcomes.map { DeviceScreen.progress(of: $0, words) }
        #expect(
            said.map(\.text) == [
                "Done.", "Not done yet: the command is queued, or waits for approval.",
                "We are not sure it was done. The device has not answered. Check it before you try again.",
                "We are not sure it was done. The connection to the house was lost. Check the state before you try again.",
                "Not done: the command expired before it was sent. Try again.", "Not done: it is broken.",
                "Not done: unreachable.",
            ])
        let done = said.filter { if case .confirmed = $0 { true } else { false } }
        #expect(done.count == 1)
        let door = CommandText(.close, door: .cover)
        #expect(DeviceScreen.progress(of: outcomes[2], door).text.hasPrefix("We are not sure it is shut. The drive has not answered."))
        #expect(CommandText(.stop, door: .cover).sending == "Waiting for the device…")
    }

    @Test("Leaving the screen during a command reports an unknown outcome")
    func left() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(at: "hall-light", phone)
            let on = try ask(.on, of: screen)
            let asking = Task { await screen.control(on) }
            asking.cancel()
            await asking.value
            guard case .unknown(let text) = screen.commandProgress else {
                Issue.record("\(String(describing: screen.commandProgress))")
                return
            }
            #expect(text.hasPrefix("We are not sure it was done.") && !screen.isSending)
        }
    }

    @Test("A command without permission shows the hub's refusal")
    func refused() async throws {
        try await withHouse { @MainActor house, line in
            let owner = try await TestPhone.signedIn(to: house, over: line)
            _ = try await owner.client.devices.change("front-door", ChangeDeviceBody(isSecurityDevice: true))
            let link = try await owner.client.people.invite(name: "Kim", role: "member").inviteLink
            let kim = try await TestPhone.signedIn(to: house, over: line)
            try await kim.client.sessions.accept(
                invitation: .init(String(link.split(separator: "#").last ?? "")), username: "kim", password: TestHouse.password)
            let screen = await looking(at: "front-door", kim)
            await screen.control(try ask(.unlock, of: screen))
            guard case .failed(let problem) = screen.commandProgress else {
                Issue.record("\(String(describing: screen.commandProgress))")
                return
            }
            #expect(problem.title == "Not done" && problem.text == "Not opened: only an owner or admin opens this door.")
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    // MARK: Offline

    @Test("Offline a light command is queued and not reported as done")
    func queued() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(at: "hall-light", phone)
            phone.transport.setCondition(.unreachable)
            await screen.control(try ask(.on, of: screen))
            #expect(
                screen.commandProgress
                    == .queued(
                        """
                        The house cannot be reached. Hall light waits here, and is asked when the house can be reached before \
                        15:15, and not after.
                        """
                    ))
            #expect(try await phone.replica.outboxEntries().count == 1 && house.doorBackend.backendCommands.isEmpty)
            phone.transport.setCondition(.clear)
            await screen.refresh()
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on])
        }
    }

    @Test("Offline a door command is refused at once and not queued")
    func door() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(at: "front-door", phone)
            phone.transport.setCondition(.unreachable)
            await screen.control(try ask(.unlock, of: screen))
            guard case .failed(let problem) = screen.commandProgress else {
                Issue.record("\(String(describing: screen.commandProgress))")
                return
            }
            #expect(problem.text.contains("nothing was sent. Commands to doors are never queued: Front door stays as it is."))
            phone.transport.setCondition(.clear)
            await screen.refresh()
            #expect(try await phone.replica.outboxEntries().isEmpty && house.doorBackend.backendCommands.isEmpty)
        }
    }
}
