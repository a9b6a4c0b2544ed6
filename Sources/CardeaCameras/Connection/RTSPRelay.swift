import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaNetwork
import NIOCore
import NIOPosix
import Synchronization

/// The hub's relay between ffmpeg and a camera. ffmpeg gets only an address on this machine: it does not learn the camera's address or
/// credentials, so neither is in a list of processes, and it cannot be redirected to another address.
struct RTSPRelay: Sendable {
    let connector: CameraConnector

    /// Opens the way to the camera while `body` runs, which is given the URL under which one program finds it once.
    func open<Result: Sendable>(
        to source: CameraSource, _ body: @escaping @Sendable (_ url: String) async throws -> Result
    ) async throws -> Result {
        let camera = try await connector.connect(source.address)
        let server: Server
        do {
            server = try await Self.listen()
        } catch {
            try await camera.channel.close()
            throw error
        }
        // Other programs on this machine cannot guess it, and ffmpeg reads it from a pipe.
        let name = Base64URL.encode(SecretGenerator.randomBytes(24))
        let url = "rtsp://127.0.0.1:\(server.channel.localAddress?.port ?? 0)/\(name)"
        let session = RTSPProxySession(own: url, source: source, clientNonce: Base64URL.encode(SecretGenerator.randomBytes(12)))
        let conversation = RelayState(session: session)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                do {
                    try await Self.relay(server, camera, conversation)
                } catch is CancellationError {
                    return nil
                } catch {
                    conversation.record(error as? CameraUnavailableError ?? .stalled)
                }
                return nil
            }
            group.addTask { try await body(url) }
            defer { group.cancelAll() }
            do {
                while let next = try await group.next() {
                    if let result = next { return result }
                }
                throw CameraUnavailableError.stalled
            } catch {
                throw conversation.trouble ?? error
            }
        }
    }

    private typealias ByteChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private typealias Server = NIOAsyncChannel<AcceptedConnection<ByteBuffer, ByteBuffer>, Never>

    private static func listen() async throws -> Server {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 1)
            .bind(host: "127.0.0.1", port: 0) { child in
                child.eventLoop.makeCompletedFuture { AcceptedConnection(try ByteChannel(wrappingChannelSynchronously: child)) }
            }
    }

    private static func relay(_ server: Server, _ camera: ByteChannel, _ session: RelayState) async throws {
        try await camera.executeThenClose { fromCamera, toCamera in
            try await server.executeThenClose { children in
                for try await accepted in children {
                    let child = accepted.takeOver()
                    let isServed = try await child.executeThenClose { fromChild, toChild in
                        try await session.recordingErrors {
                            try await pump(session, fromChild, toChild, fromCamera, toCamera) { child.channel.close(promise: nil) }
                        }
                    }
                    // A client that did not know the name was not our ffmpeg, so the next one is awaited.
                    if isServed { return }
                }
            }
        }
    }

    /// - Parameter hangUp: ends the child's connection.
    /// - Returns: true if the child knew the name; otherwise nothing is sent to the camera.
    private static func pump(
        _ session: RelayState, _ fromChild: NIOAsyncChannelInboundStream<ByteBuffer>, _ toChild: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        _ fromCamera: NIOAsyncChannelInboundStream<ByteBuffer>, _ toCamera: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        hangUp: @escaping @Sendable () -> Void
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var reader = RTSPReader()
            var isKnown = false
            defer { group.cancelAll() }
            for try await bytes in fromChild {
                reader.append(bytes)
                while let item = try reader.next() {
                    switch item {
                    case .packet(let packet):
                        guard isKnown else { return false }
                        try await toCamera.write(packet)
                    case .message(let message):
                        if !isKnown {
                            guard message.startLine.contains(" \(session.localURL)") else { return false }
                            isKnown = true
                            group.addTask {
                                defer { hangUp() }
                                try await session.recordingErrors { try await answer(session, toChild, fromCamera, toCamera) }
                            }
                        }
                        if case .toCamera(let message) = try session.forwardRequest(message) { try await toCamera.write(message.bytes) }
                    }
                }
            }
            group.cancelAll()
            try await group.waitForAll()
            return isKnown
        }
    }

    private static func answer(
        _ session: RelayState, _ toChild: NIOAsyncChannelOutboundWriter<ByteBuffer>, _ fromCamera: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ toCamera: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) async throws {
        var reader = RTSPReader()
        for try await bytes in fromCamera {
            reader.append(bytes)
            var out = ByteBuffer()
            while let item = try reader.next() {
                switch item {
                case .packet(let packet): out.writeImmutableBuffer(packet)
                case .message(let message):
                    switch try session.forwardResponse(message) {
                    case .toChild(let message): out.writeImmutableBuffer(message.bytes)
                    case .toCamera(let message): try await toCamera.write(message.bytes)
                    case .drop: break
                    }
                }
            }
            if out.readableBytes > 0 { try await toChild.write(out) }
        }
    }

    /// The state shared by both directions, and the first error between them.
    private final class RelayState: Sendable {
        let localURL: String
        private let session: Mutex<RTSPProxySession>
        private let firstError = Mutex<CameraUnavailableError?>(nil)

        init(session: RTSPProxySession) {
            localURL = session.localURL
            self.session = Mutex(session)
        }

        func forwardRequest(_ message: RTSPMessage) throws(CameraUnavailableError) -> RTSPProxySession.Step {
            try session.withLock { session throws(CameraUnavailableError) in try session.forwardRequest(message) }
        }

        func forwardResponse(_ message: RTSPMessage) throws(CameraUnavailableError) -> RTSPProxySession.Step {
            try session.withLock { session throws(CameraUnavailableError) in try session.forwardResponse(message) }
        }

        /// The first error on the way to the camera; ffmpeg only sees that the connection ended.
        var trouble: CameraUnavailableError? { firstError.withLock { $0 } }

        func record(_ trouble: CameraUnavailableError) {
            firstError.withLock { if $0 == nil { $0 = trouble } }
        }

        /// Records an error of `body` before the connection to ffmpeg is closed because of it: ffmpeg then ends at once without knowing the
        /// reason.
        func recordingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
            do {
                return try await body()
            } catch let trouble as CameraUnavailableError {
                record(trouble)
                throw trouble
            }
        }
    }
}
