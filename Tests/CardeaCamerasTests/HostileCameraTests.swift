import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import CardeaCameras

/// Dishonest cameras, and addresses that are not a camera's.
@Suite("Hostile cameras", .timeLimit(.minutes(5)))
struct HostileCameraTests {
    private func plan(_ url: String, user: String? = "cam") throws -> CameraConfiguration {
        let kind: CameraSourceKind = url.hasPrefix("rtsp") ? .rtsp : .http
        return CameraConfiguration(
            id: "c", version: 1,
            source: CameraSource(
                kind: kind, address: try CameraAddress(url, schemes: kind.schemes), user: user, password: user.map { _ in Secret("pw") }),
            detection: CameraDetection())
    }

    // A minute for a picture: a busy machine starts ffmpeg late, and only one of these tests is about time.
    private func monitor(allowsLoopback: Bool = true, picture: Duration = .seconds(60)) -> CameraMonitor {
        var pace = CameraMonitor.Timing()
        pace.pictureTimeout = picture
        return CameraMonitor(sink: RecordingCameraSink([]), allowsLoopback: allowsLoopback, pace: pace, logger: .silent)
    }

    @Test("No request goes to loopback, link-local, multicast or unspecified addresses in any notation")
    func forbiddenAddresses() async throws {
        try await MaliciousCamera.serve({ _ in nil }) { camera in
            let watch = monitor(allowsLoopback: false)
            for host in [
                "127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
                "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0.0.0.0", "[::]", "169.254.169.254", "[fe80::1]", "[fd00:ec2::254]", "224.0.0.1",
                "255.255.255.255", "[ff02::1]",
            ] {
                for scheme in ["rtsp", "http"] {
                    let plan = try plan("\(scheme)://\(host):\(camera.port)/")
                    let checked = await #expect(throws: CameraUnavailableError.self, "\(host)") { try await watch.check(plan.source) }
                    let asked = await #expect(throws: CameraUnavailableError.self, "\(host)") { try await watch.picture(of: plan) }
                    #expect(Self.isRefusal(checked) && Self.isRefusal(asked), "\(host)")
                }
            }
            #expect(camera.connections == 0)
        }
    }

    private static func isRefusal(_ error: CameraUnavailableError?) -> Bool {
        if case .refusedAddress? = error { true } else { false }
    }

    @Test("A camera's redirect is not followed", arguments: ["rtsp", "http"])
    func redirects(scheme: String) async throws {
        try await MaliciousCamera.serve({ _ in nil }) { elsewhere in
            let head = scheme == "rtsp" ? "RTSP/1.0 302 Found\r\nCSeq: {}\r\n" : "HTTP/1.1 302 Found\r\n"
            let answer = head + "Location: \(scheme)://127.0.0.1:\(elsewhere.port)/\r\nContent-Length: 0\r\n\r\n"
            try await MaliciousCamera.serve({ answer.replacing("{}", with: $0) }) { camera in
                let plan = try plan("\(scheme)://127.0.0.1:\(camera.port)/door")

                await #expect(throws: CameraUnavailableError.redirected) { try await monitor().picture(of: plan) }

                #expect(camera.connections == 1 && elsewhere.connections == 0)
            }
        }
    }

    @Test("A silent camera times out, and its ffmpeg process ends", arguments: ["rtsp", "http"])
    func silent(scheme: String) async throws {
        try await MaliciousCamera.serve({ _ in nil }) { camera in
            let plan = try plan("\(scheme)://127.0.0.1:\(camera.port)/door")

            await #expect(throws: CameraUnavailableError.stalled) { try await monitor(picture: .seconds(2)).picture(of: plan) }
        }
    }

    /// An answer printed only in part: one of them has ten thousand lines.
    struct MalformedInput: CustomTestStringConvertible {
        let answer: String
        var testDescription: String { answer.count > 80 ? "\(answer.prefix(40).debugDescription)…" : answer.debugDescription }

        init(_ answer: String) { self.answer = answer }
    }

    @Test(
        "Invalid camera data gives no picture and causes no crash",
        arguments: [
            "\0\0\0\0", "RTSP/1.0 200 OK\r\n" + String(repeating: "X: y\r\n", count: 10_000), "RTSP/1.0 999\r\nCSeq: {}\r\n\r\n",
            "RTSP/1.0 200 OK\r\nCSeq: {}\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "RTSP/1.0 200 OK\r\nCSeq: {}\r\nContent-Length: -1\r\n\r\n", "REDIRECT rtsp://127.0.0.1/ RTSP/1.0\r\nCSeq: 1\r\n\r\n",
            "RTSP/1.0 200 OK\r\nCSeq: {}\r\nContent-Type: application/sdp\r\nContent-Length: 9\r\n\r\nnonsense\n", "$",
            "RTSP/1.0 401 No\r\nCSeq: {}\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\"\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nno picture",
            "HTTP/1.1 200 OK\r\n\r\n\u{00FF}\u{00D8}\u{00FF}",
        ].map(MalformedInput.init))
    func nonsense(_ nonsense: MalformedInput) async throws {
        try await MaliciousCamera.serve({ nonsense.answer.replacing("{}", with: $0) }) { camera in
            for scheme in ["rtsp", "http"] {
                let plan = try plan("\(scheme)://127.0.0.1:\(camera.port)/door")

                await #expect(throws: CameraUnavailableError.self) { try await monitor(picture: .seconds(2)).picture(of: plan) }
            }
        }
    }

    @Test("The relay refuses a client without the stream name and contacts no camera for it")
    func strangerAtTheRelay() async throws {
        try await MaliciousCamera.serve({ "RTSP/1.0 200 OK\r\nCSeq: \($0)\r\n\r\n" }) { camera in
            let plan = try plan("rtsp://127.0.0.1:\(camera.port)/door")
            try await RTSPRelay(connector: CameraConnector(allowsLoopback: true)).open(to: plan.source) { url in
                let port = try CameraAddress(url, schemes: ["rtsp"]).port
                let stranger = try await MaliciousCamera.ask("OPTIONS rtsp://127.0.0.1:\(port)/guess RTSP/1.0\r\nCSeq: 1\r\n\r\n", at: port)
                #expect(stranger == "" && camera.received == "")

                let known = try await MaliciousCamera.ask("OPTIONS \(url)/track RTSP/1.0\r\nCSeq: 7\r\n\r\n", at: port, untilEnd: false)

                #expect(known.hasPrefix("RTSP/1.0 200 OK\r\n") && known.contains("CSeq: 7\r\n"))
                #expect(camera.received.hasPrefix("OPTIONS rtsp://127.0.0.1:\(camera.port)/door/track RTSP/1.0\r\n"))
                #expect(!camera.received.contains("Authorization"))
            }
        }
    }
}

/// A server that gives the same answer to every request.
final class MaliciousCamera: Sendable {
    let port: Int
    private let counted = Mutex(Counted())

    private struct Counted {
        var connections = 0
        var hangUps = 0
        var heard = ""
    }

    var connections: Int { counted.withLock { $0.connections } }
    var received: String { counted.withLock { $0.heard } }

    private init(port: Int) {
        self.port = port
    }

    private typealias ByteChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// - Parameter answer: the answer to the request with this number; nil for none.
    static func serve<Result: Sendable>(
        _ answer: @escaping @Sendable (String) -> String?, _ body: @escaping @Sendable (MaliciousCamera) async throws -> Result
    ) async throws -> Result {
        let listener = try await LoopbackServer<ByteBuffer, ByteBuffer>.bind()
        let camera = MaliciousCamera(port: listener.port)
        return try await listener.run(serving: { await camera.session($0, answer) }) { try await body(camera) }
    }

    private func session(_ child: ByteChannel, _ answer: @escaping @Sendable (String) -> String?) async {
        counted.withLock { $0.connections += 1 }
        do {
            try await child.executeThenClose { inbound, outbound in
                for try await bytes in inbound {
                    let text = String(buffer: bytes)
                    counted.withLock { $0.heard += text }
                    let number = text.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("cseq:") }?.dropFirst(5)
                        .trimmingCharacters(in: .whitespaces)
                    guard let words = answer(number ?? "0") else { continue }
                    try await outbound.write(ByteBuffer(bytes: words.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))
                }
            }
        } catch {
            // The hub closed the connection, as it may.
            counted.withLock { $0.hangUps += 1 }
        }
    }

    /// Sends text, and reads until the other side disconnects or has answered.
    static func ask(_ words: String, at port: Int, untilEnd: Bool = true) async throws -> String {
        let line = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(host: "127.0.0.1", port: port) {
            channel in
            channel.eventLoop.makeCompletedFuture { try ByteChannel(wrappingChannelSynchronously: channel) }
        }
        return try await line.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: words))
            var heard = ""
            for try await bytes in inbound {
                heard += String(buffer: bytes)
                if !untilEnd { break }
            }
            return heard
        }
    }
}
