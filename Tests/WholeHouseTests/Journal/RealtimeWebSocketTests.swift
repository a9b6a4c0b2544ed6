import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import NIOCore
import NIOWebSocket
import Testing

/// Realtime events over a real socket, for swift-nio's own client. `Tests/PeerTests/test_realtime.py` tests the same promises with Python's
/// `websockets` package, and also kills the hub during a subscription.
@Suite("Realtime WebSocket", .serialized, .timeLimit(.minutes(5)))
struct RealtimeWebSocketTests {
    /// Reports a brightness of the hall light.
    private static func dim(_ house: TestHouse, to level: Int) async throws {
        let state = EntityState("on", attributes: ["brightness": .number(Double(level))])
        try await house.hub.devices.report([EntityReport(entityID: "light.hall", state: state)])
    }

    /// The reported levels, each with its event.
    private static func levels(_ heard: NIOWebSocketClient.ReceivedMessages) -> [Int] {
        heard.events.compactMap { $0["change"]?["attributes"]?["brightness"]?.number.map { Int($0) } }
    }

    @Test("A one-time ticket gives a snapshot and then all events in order")
    func ticket() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let ticket = try house.hub.realtimeTickets.issue(to: Credential(owner, by: nil))
            try await house.withServer { port in
                let listener = try await NIOWebSocketClient.connect(port, headers: [("origin", "http://127.0.0.1:\(port)")])
                try await listener.subscribe(ticket: ticket)
                let snapshot = try #require(listener.received.now.snapshot)
                let devices = snapshot["devices"]?.array.compactMap { $0["device_id"]?.string }
                #expect(devices == house.hub.devices.all.devices.map(\.id))

                _ = try await house.run(house.unlock(as: owner))
                // A missed event has the command's present state, which may come before the door's own report.
                let heard = try await listener.received.waitUntil("the door is unlocked and its command has ended") { heard in
                    heard.events.contains { $0["type"] == "command_update" && $0["data"]?["status"] == "confirmed" }
                        && heard.events.contains { $0["data"]?["device_id"] == "front-door" && $0["change"]?["state"] == "unlocked" }
                }

                #expect(heard.numbers == Set(heard.numbers).sorted() && heard.problems == [])
                #expect(Double(heard.numbers[0]) > snapshot["seq"]?.number ?? 0)
                let second = try await NIOWebSocketClient.connect(port)
                try await second.subscribe(ticket: ticket)
                try await second.received.waitUntil("a used ticket is turned away") { $0.closeCode == 4401 && $0.isClosed }
            }
        }
    }

    @Test("Resuming from the last sequence number loses and repeats nothing over any number of cuts")
    func resuming() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.withServer { port in
                var told: (numbers: [Int], levels: [Int]) = ([], [])
                func take(_ listener: NIOWebSocketClient) {
                    told.numbers += listener.received.now.numbers
                    told.levels += Self.levels(listener.received.now)
                    #expect(listener.received.now.problems == [])
                }
                var listener = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await listener.subscribe(devices: ["hall-light"])
                let start = try #require(listener.received.now.snapshot?["seq"]?.number.map { Int($0) })
                let enough = AwaitableValue(false)
                // Ends with `enough`; its result is awaited below.
                let changes = Task {
                    var level = 0
                    while !enough.now {
                        level += 1
                        try await Self.dim(house, to: level)
                        try await Task.sleep(for: .milliseconds(1))
                    }
                    return level
                }
                var random = SeededGenerator.forTest(1)
                for _ in 0..<20 {
                    let more = Int.random(in: 1...8, using: &random)
                    try await listener.received.waitUntil("a few more are heard") { Self.levels($0).count >= more }
                    try await listener.abort()
                    take(listener)
                    listener = try await NIOWebSocketClient.connect(port, token: tokens.access)
                    try await listener.subscribe(after: told.numbers.last, devices: ["hall-light"])
                }
                enough.change { $0 = true }
                let last = try await changes.value
                try await listener.received.waitUntil("the last is heard") { Self.levels($0).last == last }
                take(listener)

                #expect(told.levels == Array(1...last), "seed \(random.seed)")
                #expect(told.numbers == (try await Self.numbers(house, after: start)), "seed \(random.seed)")
            }
        }
    }

    /// The journal's rows about the hall light.
    private static func numbers(_ house: TestHouse, after start: Int) async throws -> [Int] {
        var (numbers, cursor) = ([Int](), Int64(start))
        while true {
            let (events, through) = try await house.hub.journal.events(after: cursor, limit: 500)
            if through == cursor { return numbers }
            cursor = through
            numbers += events.compactMap { event in
                if case .device(let device, _) = event.fact, device.id == "hall-light" { Int(event.seq) } else { nil }
            }
        }
    }

    @Test("An unknown sequence number gets a gap and then a snapshot")
    func gap() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.withServer { port in
                let listener = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await listener.subscribe(after: 1_000_000_000)
                let heard = try await listener.received.waitUntil("there is a snapshot") { $0.snapshot != nil }

                #expect(heard.messages.map { $0["type"]?.string } == ["subscribed", "gap", "snapshot"] && heard.problems == [])
                #expect(heard.messages[1]["from"] == 1_000_000_000 && heard.messages[1]["to"] == heard.snapshot?["seq"])
            }
        }
    }

    @Test("A guest receives only their own door and commands, and is disconnected after revocation")
    func guest() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let guest = try await house.guest(house.draft(), by: owner)
            try await house.withServer { port in
                let phone = try await NIOWebSocketClient.connect(port, token: guest.token)
                try await phone.subscribe()
                let shown = phone.received.now.snapshot?["devices"]?.array ?? []
                #expect(shown.map { $0["device_id"] } == ["front-door"] && shown.first?["attributes"] == [:])

                try await Self.dim(house, to: 40)
                _ = try await house.run(house.unlock("back-door", as: owner))
                _ = try await house.run(house.unlock(as: owner))
                let command = try await house.run(house.open(as: guest.who))
                let heard = try await phone.received.waitUntil("their own opening has ended") {
                    $0.events.contains { $0["type"] == "command_update" && $0["data"]?["status"] == "confirmed" }
                }
                let about = heard.events.filter { $0["type"] != "guest_update" }.compactMap { $0["data"]?["device_id"]?.string }
                #expect(Set(about) == ["front-door"])
                let commands = heard.events.filter { $0["type"] == "command_update" }.compactMap { $0["data"]?["command_id"]?.string }
                #expect(Set(commands) == [command.id] && heard.problems == [])

                _ = try await house.hub.guests.decide(.revoke, guest.id, by: owner, origin: .house)
                // Within a second, which `test_realtime.py` measures: here a thousand others share the same two cores.
                try await phone.received.waitUntil("the phone is let go") { $0.closeCode == 4401 }
            }
        }
    }

    // A socket whose permissions could not be checked once kept receiving for as long as that lasted.
    @Test("A socket whose rights cannot be checked is closed, and can resume from its last number")
    func inTheDark() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (token, secret) = try await house.hub.apiTokens.make(
                .init(name: "Screen", items: nil, role: nil, expiresAt: nil), by: owner, origin: .house)
            try await house.withServer { port in
                let screen = try await NIOWebSocketClient.connect(port, token: secret)
                try await screen.subscribe()
                try await Self.dim(house, to: 40)
                let told = try await screen.received.waitUntil("it is told") { Self.levels($0) == [40] }
                let last = try #require(told.numbers.last)

                try await house.store.write {
                    try $0.execute(sql: "UPDATE api_tokens SET items = 'damaged' WHERE id = ?", arguments: [token.id])
                }
                try await screen.received.waitUntil("it is let go") { $0.closeCode == 1013 && $0.isClosed }
                try await Self.dim(house, to: 50)
                try await house.store.write {
                    try $0.execute(sql: "UPDATE api_tokens SET items = NULL WHERE id = ?", arguments: [token.id])
                }

                let again = try await NIOWebSocketClient.connect(port, token: secret)
                try await again.subscribe(after: last)
                try await again.received.waitUntil("it hears what it missed") { Self.levels($0) == [50] }
            }
        }
    }

    @Test("Logout closes the socket with 4401")
    func signingOut() async throws {
        try await TestHouse.open { house in
            let (owner, tokens) = try await house.claim()
            try await house.withServer { port in
                let screen = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await screen.subscribe()

                try await house.hub.sessions.logout(owner, origin: .house)

                try await screen.received.waitUntil("the screen is let go") { $0.closeCode == 4401 }
                try await screen.received.waitUntil("the line is down") { $0.isClosed }
                await #expect(throws: NIOWebSocketClient.UpgradeRefusedError.self) {
                    try await NIOWebSocketClient.connect(port, token: tokens.access)
                }
            }
        }
    }

    @Test("Logout during catch-up stops the backlog before its end")
    func signingOutWhileBehind() async throws {
        try await TestHouse.open { house in
            let (owner, tokens) = try await house.claim()
            let start = Int(try await house.hub.journal.last())
            // A few times more than a socket's buffers hold.
            let long = JSONValue.string(String(repeating: "dust ", count: 400))
            try await house.hub.devices.report(
                (0..<3000).map {
                    EntityReport(
                        entityID: "light.hall", state: EntityState("on", attributes: ["brightness": .number(Double($0)), "log": long]))
                })
            let last = Int(try await house.hub.journal.last())
            try await house.withServer { port in
                let screen = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await screen.subscribe()
                let behind = try await NIOWebSocketClient.connect(port, token: tokens.access, receiveBuffer: 8 * 1024)
                try await behind.subscribe(after: start)
                try await behind.channel.setOption(.autoRead, value: false).get()

                try await house.hub.sessions.logout(owner, origin: .house)
                // The permissions of both are checked in the same round.
                try await screen.received.waitUntil("the screen is let go") { $0.closeCode == 4401 }
                try await behind.channel.setOption(.autoRead, value: true).get()
                let heard = try await behind.received.waitUntil("the line is down") { $0.isClosed }

                #expect(heard.numbers.last ?? start < last)
            }
        }
    }

    @Test("An oversized second subscribe is refused and the first subscription continues")
    func secondSubscribe() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.withServer { port in
                let listener = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await listener.subscribe()
                let kinds = (0...64).map { "\"kind\($0)\"" }.joined(separator: ",")

                listener.send(#"{"type":"subscribe","kinds":[\#(kinds)]}"#)
                try await listener.received.waitUntil("it was refused") { $0.count("error") == 1 }
                try await Self.dim(house, to: 40)

                let heard = try await listener.received.waitUntil("the first subscription goes on") { Self.levels($0) == [40] }
                #expect(heard.problems == [])
            }
        }
    }

    @Test("A room subscription reports a device that left the room, also after a reconnect")
    func leavingARoom() async throws {
        try await TestHouse.open { house in
            let (owner, tokens) = try await house.claim()
            let devices = house.hub.devices
            try await devices.announce(rooms: [Room(id: "kitchen", name: "Kitchen"), Room(id: "attic", name: "Attic")])
            @Sendable func move(to room: String) async throws {
                _ = try await devices.edit("hall-light", .init(room: .room(room)), by: owner, origin: .house)
            }
            try await move(to: "kitchen")
            try await house.withServer { port in
                let kitchen = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await kitchen.subscribe(rooms: ["kitchen"])
                let everywhere = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await everywhere.subscribe()
                let start = try #require(kitchen.received.now.snapshot?["seq"]?.number.map { Int($0) })
                func left(_ heard: NIOWebSocketClient.ReceivedMessages) -> [String?] {
                    heard.messages.filter { $0["type"] == "device_removed" }.map { $0["data"]?["device_id"]?.string }
                }

                try await move(to: "attic")
                try await kitchen.received.waitUntil("the lamp has left") { left($0) == ["hall-light"] }
                try await Self.dim(house, to: 40)
                let away = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await away.subscribe(after: start, rooms: ["kitchen"])
                try await away.received.waitUntil("it hears so later") { left($0) == ["hall-light"] }
                try await move(to: "kitchen")

                try await kitchen.received.waitUntil("it is back") { $0.count("device_update") == 1 }
                let all = try await everywhere.received.waitUntil("it is back") { $0.count("device_update") == 3 }
                #expect(left(kitchen.received.now) == ["hall-light"] && left(all).isEmpty)
                #expect(kitchen.received.now.problems == [] && all.problems == [])
            }
        }
    }

    @Test("A WebSocket ping returns its payload, and a JSON ping gets a JSON pong")
    func pings() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.withServer { port in
                let listener = try await NIOWebSocketClient.connect(port, token: tokens.access)
                listener.send(.ping, ByteBuffer(string: "are you there"))
                listener.send(#"{"type":"ping"}"#)
                // Also between the fragments of a message (RFC 6455, section 5.4).
                let halves = [#"{"type":"#, #""ping"}"#].map(ByteBuffer.init(string:))
                listener.send(WebSocketFrame(fin: false, opcode: .text, maskKey: .random(), data: halves[0]))
                listener.send(.ping, ByteBuffer(string: "still"))
                listener.send(WebSocketFrame(fin: true, opcode: .continuation, maskKey: .random(), data: halves[1]))

                let heard = try await listener.received.waitUntil("all are answered") { $0.count("pong") == 2 && $0.pongs.count == 2 }

                #expect(heard.pongs == ["are you there", "still"] && heard.closeCode == nil && heard.problems == [])
            }
        }
    }

    @Test("Shutdown closes all sockets with 1001 and does not wait for silent ones")
    func stopping() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            let (listener, silent) = try await house.withServer { port in
                let listener = try await NIOWebSocketClient.connect(port, token: tokens.access)
                try await listener.subscribe()
                let silent = try await RawTCPConnection(port)
                silent.send(WebSocketHandshake.request(port, token: tokens.access))
                try await silent.received.waitUntil("it is a WebSocket") { $0.statuses == ["101"] }
                return (listener, silent)
            }

            try await listener.received.waitUntil("it was told why") { $0.closeCode == 1001 && $0.isClosed }
            try await silent.received.waitUntil("the line is down") { $0.isClosed }
        }
    }
}
