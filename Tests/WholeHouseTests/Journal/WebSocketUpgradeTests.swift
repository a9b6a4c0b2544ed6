import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import NIOCore
import NIOWebSocket
import Testing

/// A handshake in its wire format (RFC 6455, section 4.1).
enum WebSocketHandshake {
    static func request(_ port: Int, token: Secret, more: String = "") -> String {
        """
        GET /api/v1/realtime HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        Authorization: Bearer \(token.reveal())\r
        \(more)\r

        """
    }

    /// `{"type":"ping"}` as a client's frame, masked with zeros.
    static let pingFrame: [UInt8] = [0x81, 0x80 | 15, 0, 0, 0, 0] + Array(#"{"type":"ping"}"#.utf8)
}

/// Faults at the start of a WebSocket on an HTTP port. Each of these once ended a server, or left it waiting.
///
/// Tested elsewhere: twenty-four bad frames, a flood, a stalled reader and a stopping hub in `Tests/PeerTests/test_realtime.py`; sizes of
/// heads and bodies, slow ones, `Host`, absolute forms and smuggling in `test_hostile_http.py`; TLS, its versions and ALPN in
/// `test_tls.py`.
@Suite("WebSocket upgrade", .serialized, .timeLimit(.minutes(5)))
struct WebSocketUpgradeTests {
    /// Serves a house with a signed-in person.
    private func serving(
        limits: HTTPSettings.Limits = .init(),
        _ body: @escaping @Sendable (_ port: Int, _ token: Secret) async throws -> Void
    ) async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            var settings = HTTPSettings(hosts: [])
            settings.limits = limits
            let door = try HubApplication(
                hub: house.hub, mind: house.mind, automations: house.automations, settings: settings,
                address: CurrentPublicURL("http://localhost"))
            try await house.withServer(through: door) { port in
                try await body(port, tokens.access)
                // The house still serves. On a slow machine a valid request head can be late too; it is sent again.
                var neighbour: NIOWebSocketClient?
                try await waitUntil {
                    neighbour = try? await NIOWebSocketClient.connect(port, token: tokens.access)
                    return neighbour != nil
                }
                try await neighbour?.subscribe()
            }
        }
    }

    private func answer(_ port: Int, token: Secret?, path: String, _ headers: [(String, String)]) async throws -> Int {
        do {
            let listener = try await NIOWebSocketClient.connect(port, token: token, path: path, headers: headers)
            try await listener.abort()
            return 101
        } catch let refused as NIOWebSocketClient.UpgradeRefusedError {
            return refused.status
        }
    }

    @Test("A refused upgrade gets its own status, and other paths answer normally")
    func refusals() async throws {
        try await serving { port, token in
            let ours = "http://127.0.0.1:\(port)"
            let (realtime, us) = ("/api/v1/realtime", ("origin", ours))
            let asked: [(path: String, token: Secret?, headers: [(String, String)], status: Int)] = [
                (realtime, token, [("origin", "https://elsewhere.example")], 403), (realtime, token, [("origin", "null")], 403),
                (realtime, token, [("origin", ours + ".example.org")], 403), (realtime, token, [("origin", "https://127.0.0.1:1")], 403),
                (realtime, token, [us, us], 403), (realtime, Secret("not-a-token"), [], 401),
                (realtime, token, [("authorization", "Bearer twice")], 401), ("/healthz", token, [], 200),
                ("/api/v1/devices", token, [], 200), ("/nowhere", token, [], 404), (realtime, token, [us], 101), (realtime, nil, [], 101),
            ]
            for (path, token, headers, status) in asked {
                let answered = try await answer(port, token: token, path: path, headers)
                #expect(answered == status, "\(path) \(headers)")
            }
        }
    }

    @Test("An unsupported `Upgrade` protocol gets a normal answer with `Connection: close`")
    func otherProtocols() async throws {
        try await serving { port, token in
            for (path, status) in [("/healthz", "200"), ("/nowhere", "404"), ("/api/v1/realtime", "426")] {
                let line = try await RawTCPConnection(port)
                let again = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                line.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n" + again)
                let heard = try await line.received.waitUntil("the line is down") { $0.isClosed }
                // The parser has stopped at the upgrade: the second request is not answered, and not waited for.
                #expect(heard.statuses == [status] && heard.text.lowercased().contains("connection: close\r\n"), "\(path)")
            }
        }
    }

    @Test("An incomplete handshake is answered with the missing part")
    func handshakes() async throws {
        try await serving { port, token in
            let whole = WebSocketHandshake.request(port, token: token)
            for (there, instead, status) in [
                ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 12", "426"), ("Sec-WebSocket-Version: 13\r\n", "", "426"),
                ("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "", "400"), ("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ=", "400"),
                ("Upgrade: websocket", "Upgrade: websocket, h2c", "426"),
            ] {
                let line = try await RawTCPConnection(port)
                line.send(whole.replacingOccurrences(of: there, with: instead))
                let heard = try await line.received.waitUntil("the line is down") { $0.isClosed }
                #expect(heard.statuses.first == status, "\(there) → \(instead)")
            }
        }
    }

    @Test("Frames in the handshake packet, whole or partial, are handled without a crash")
    func hastyFrames() async throws {
        try await serving { port, token in
            for more in [
                WebSocketHandshake.pingFrame, WebSocketHandshake.pingFrame + WebSocketHandshake.pingFrame + WebSocketHandshake.pingFrame,
                [0x81], Array(repeating: 0xFF, count: 4096), [0x88, 0x80],
            ] {
                let line = try await RawTCPConnection(port)
                line.send(WebSocketHandshake.request(port, token: token), more)
                try await line.received.waitUntil("it is answered") { $0.text.hasPrefix("HTTP/1.1 101") || $0.isClosed }
                line.close()
                try await line.received.waitUntil("the line is down") { $0.isClosed }
            }
        }
    }

    @Test("A frame sent right after the 101 is always received")
    func promptFrames() async throws {
        try await serving { port, token in
            for _ in 0..<300 {
                let line = try await RawTCPConnection(port, answering: "\r\n\r\n", with: WebSocketHandshake.pingFrame)
                line.send(WebSocketHandshake.request(port, token: token))
                try await line.received.waitUntil("it is answered") { $0.text.hasSuffix(#"{"type":"pong"}"#) }
                line.close()
            }
        }
    }

    @Test("A connection with an earlier request can still be upgraded")
    func laterOn() async throws {
        try await serving { port, token in
            let line = try await RawTCPConnection(port)
            line.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            try await line.received.waitUntil("it is answered") { $0.text.hasSuffix("ok\n") }
            line.send(WebSocketHandshake.request(port, token: token))
            try await line.received.waitUntil("it is a WebSocket") { $0.statuses == ["200", "101"] && $0.text.hasSuffix("\r\n\r\n") }
            line.send("", WebSocketHandshake.pingFrame)
            try await line.received.waitUntil("it hears") { $0.text.hasSuffix(#"{"type":"pong"}"#) }
            line.close()
        }
    }

    @Test("Before the first request silence and partial heads time out, and non-HTTP gets an error")
    func beforeTheFirstHead() async throws {
        var limits = HTTPSettings.Limits()
        limits.headTimeout = 1
        try await serving(limits: limits) { port, _ in
            let (silent, half) = (try await RawTCPConnection(port), try await RawTCPConnection(port))
            half.send("GET /api/v1/realtime HTTP/1.1\r\nHost:")
            try await silent.received.waitUntil("silence has ended") { $0.isClosed }
            try await half.received.waitUntil("half a head has ended") { $0.isClosed }
        }
        // An active client is answered, and not disconnected because the machine is slow.
        limits.headTimeout = 120
        try await serving(limits: limits) { port, _ in
            for (said, status) in [
                ("\u{16}\u{3}\u{1}\u{2}nonsense\r\n\r\n", "400"),
                ("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n", "431"),
                ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"), ("GET / HTTP/1.1\r\n\r\n", "400"),
            ] {
                let line = try await RawTCPConnection(port)
                line.send(said)
                let heard = try await line.received.waitUntil("it is answered") { !$0.statuses.isEmpty || $0.isClosed }
                #expect(heard.statuses.first == status, "\(said.prefix(20))")
                line.close()
            }
        }
    }

    @Test("Invalid frames are closed with their codes")
    func brokenFrames() async throws {
        try await serving { port, token in
            let text = ByteBuffer(string: "{}")
            let frames: [(frame: WebSocketFrame, code: Int)] = [
                (WebSocketFrame(fin: true, opcode: .text, data: text), 1002),
                (WebSocketFrame(fin: true, rsv1: true, opcode: .text, maskKey: .random(), data: text), 1002),
                (WebSocketFrame(fin: true, opcode: .continuation, maskKey: .random(), data: text), 1002),
                (WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: [0xC0, 0xAF])), 1007),
                (WebSocketFrame(fin: true, opcode: .binary, maskKey: .random(), data: text), 1003),
                (WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(repeating: 32, count: 17 << 10)), 1009),
                (WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: ByteBuffer(bytes: [3])), 1002),
                (WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: ByteBuffer(integer: UInt16(1005))), 1002),
            ]
            for (index, (frame, code)) in frames.enumerated() {
                let listener = try await NIOWebSocketClient.connect(port, token: token)
                listener.send(frame)
                let heard = try await listener.received.waitUntil("it is refused") { $0.closeCode != nil || $0.isClosed }
                #expect(heard.closeCode == code, "frame \(index)")
            }
        }
    }

    @Test("Connections are limited by address, and closing one frees its slot")
    func shares() async throws {
        var limits = HTTPSettings.Limits()
        limits.connectionsPerAddress = 3
        try await serving(limits: limits) { port, token in
            let here = "127.0.0.2"
            var held: [NIOWebSocketClient] = []
            for _ in 0..<3 { held.append(try await NIOWebSocketClient.connect(port, token: token, from: here)) }
            let surplus = try await RawTCPConnection(port, from: here)
            try await surplus.received.waitUntil("there is no place") { $0.isClosed }
            _ = try await NIOWebSocketClient.connect(port, token: token, from: "127.0.0.3")

            try await held[0].abort()

            // The hub sees the end a moment later than we do.
            try await waitUntil {
                do {
                    _ = try await NIOWebSocketClient.connect(port, token: token, from: here)
                    return true
                } catch { return false }
            }
        }
    }

    @Test("Unauthenticated connections over the limit are closed for newcomers, residents' stay open")
    func strangers() async throws {
        var limits = HTTPSettings.Limits()
        limits.connections = 8
        try await serving(limits: limits) { port, token in
            let resident = try await NIOWebSocketClient.connect(port, token: token)
            try await resident.subscribe()
            var strangers: [RawTCPConnection] = []
            for number in 1...12 { strangers.append(try await RawTCPConnection(port, from: "127.0.2.\(number)")) }
            try await waitUntil("six places are the strangers'") { strangers.count { $0.received.now.isClosed } >= 6 }

            let newcomer = try await NIOWebSocketClient.connect(port, token: token)
            try await newcomer.subscribe()

            resident.send(#"{"type":"ping"}"#)
            let heard = try await resident.received.waitUntil("the resident is still heard") { $0.count("pong") == 1 || $0.isClosed }
            #expect(heard.count("pong") == 1)
            for line in strangers { line.close() }
        }
    }

    @Test("An unauthenticated WebSocket gets a short deadline when slots are scarce, an authenticated one does not")
    func hurriedSockets() async throws {
        var limits = HTTPSettings.Limits()
        limits.connections = 8
        limits.headTimeout = 120
        try await serving(limits: limits) { port, token in
            let resident = try await NIOWebSocketClient.connect(port, token: token)
            try await resident.subscribe()
            var silent: [RawTCPConnection] = []
            for number in 1...4 { silent.append(try await RawTCPConnection(port, from: "127.0.3.\(number)")) }
            let line = try await RawTCPConnection(port, from: "127.0.3.9")
            line.send(
                WebSocketHandshake.request(port, token: token).replacingOccurrences(
                    of: "Authorization: Bearer \(token.reveal())\r\n", with: ""))
            let heard = try await line.received.waitUntil("it was hurried") { $0.text.contains("connections are limited") || $0.isClosed }
            #expect(heard.statuses.first == "101" && heard.text.contains("connections are limited"))
            #expect(resident.received.now.closeCode == nil)
            for line in silent { line.close() }
        }
    }
}
