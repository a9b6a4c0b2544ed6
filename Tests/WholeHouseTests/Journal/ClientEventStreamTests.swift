import CardeaAPI
import CardeaClient
import CardeaClientNIO
import CardeaHub

import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Client event stream", .timeLimit(.minutes(10)))
struct ClientEventStreamTests {
    @Test("The stream starts with a snapshot and then sends each change")
    func listening() async throws {
        try await TestHouse.open { house in
            try await house.claim()
            try await house.withServer { port in
                try await withNIOTransport { transport in
                    let cardea = try await CardeaClient.listening(on: port, over: transport)
                    var events = cardea.eventStream.events().makeAsyncIterator()
                    guard case .connected? = await events.next(), case .snapshot(let devices)? = await events.next() else {
                        Issue.record("no snapshot came first")
                        return
                    }
                    #expect(devices.count == 4)
                    try await house.doorBackend.report("unlocked", at: "lock.front_door")
                    guard case .device(let device, let said?)? = await events.next() else {
                        Issue.record("the door was not told")
                        return
                    }
                    #expect(device.deviceID == "front-door" && said.state == "unlocked" && said.entityID == "lock.front_door")
                    _ = try await cardea.guests.invite(
                        InviteGuestBody(
                            name: "Plumber", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
                            expiresAt: house.clock.now.addingTimeInterval(3600), maxUses: 1))
                    guard case .changed(.guest)? = await events.next() else {
                        Issue.record("the guest was not told")
                        return
                    }
                    try await house.hub.devices.withdraw(deviceID: "hall-sensor", integration: "scripted")
                    guard case .deviceRemoved("hall-sensor")? = await events.next() else {
                        Issue.record("what is gone was not told")
                        return
                    }
                }
            }
        }
    }

    @Test("Repeated disconnects neither lose nor repeat events", arguments: [1, 2, 5])
    func cut(parts: Int) async throws {
        try await TestHouse.open { house in
            try await house.claim()
            try await house.withServer { port in
                try await withNIOTransport { transport in
                    let line = TruncatingTransport(transport, after: parts)
                    let cardea = try await CardeaClient.listening(on: port, over: line)
                    let changes = 60
                    async let moving: Void = {
                        for change in 0..<changes {
                            try await house.doorBackend.report(change.isMultiple(of: 2) ? "unlocked" : "locked", at: "lock.front_door")
                            await Task.yield()
                        }
                    }()
                    // A late event has the device's present state; the state of its own time is beside it.
                    var known = 0
                    var heard: [String] = []
                    for await event in cardea.eventStream.events() {
                        switch event {
                        case .snapshot(let devices): known = (devices.first { $0.deviceID == "front-door" }?.revision ?? 1) - 1
                        case .device(_, let said?): heard.append(said.state)
                        default: break
                        }
                        if known + heard.count >= changes { break }
                    }
                    try await moving
                    #expect(heard == (known..<changes).map { $0.isMultiple(of: 2) ? "unlocked" : "locked" })
                    #expect(line.opened > 1)
                }
            }
        }
    }

    @Test("After sign-out the stream reports it and does not reconnect")
    func signedOut() async throws {
        try await TestHouse.open { house in
            try await house.claim()
            try await house.withServer { port in
                try await withNIOTransport { transport in
                    let cardea = try await CardeaClient.listening(on: port, over: transport)
                    var events = cardea.eventStream.events().makeAsyncIterator()
                    guard case .connected? = await events.next(), case .snapshot? = await events.next() else {
                        Issue.record("no snapshot came first")
                        return
                    }
                    try await cardea.sessions.logout()
                    var end: ClientError?
                    while let event = await events.next() {
                        if case .interrupted(let error, _) = event { end = error }
                    }
                    #expect(end == .unauthorized)
                }
            }
        }
    }
}
