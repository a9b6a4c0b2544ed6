import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// A bare WebSocket to Home Assistant: connected, secured, upgraded. `WebSocketSession` handles the messages.
struct WebSocketConnection: Sendable {
    typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    private let frames: Frames
    var channel: any Channel { frames.channel }

    /// The largest accepted message, in bytes. The states of a house with ten thousand entities take about half of it.
    static let messageLimit = 32 << 20
    static let path = "/api/websocket"

    /// Redirects are not followed and no proxy is used: the address is exactly the one that was entered.
    static func open(_ address: HomeAssistantAddress, caPEM: String?) async throws(HomeAssistantConnectionError) -> WebSocketConnection {
        let roots = try caPEM.map { pem throws(HomeAssistantConnectionError) in try TrustRoots.trusting(pem) } ?? TrustRoots.system
        let context = address.isSecure ? try TrustRoots.context(roots) : nil
        let findings = ConnectionErrorRecorder()
        do {
            let upgraded = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(.seconds(5))
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture { try upgrade(channel, address, context, findings) }
                }
            guard let frames = try await upgraded.get() else { throw findings.error ?? .malformed }
            return WebSocketConnection(frames: frames)
        } catch {
            throw findings.error ?? HomeAssistantConnectionError(error, at: address)
        }
    }

    /// Builds the channel's pipeline. Runs on the channel's event loop.
    private static func upgrade(
        _ channel: any Channel, _ address: HomeAssistantAddress, _ context: NIOSSLContext?, _ findings: ConnectionErrorRecorder
    ) throws -> EventLoopFuture<Frames?> {
        let pipeline = channel.pipeline.syncOperations
        if let context { try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: address.serverName)) }
        try pipeline.addHandler(ConnectionErrorHandler(findings: findings, address: address))
        let upgrader = NIOTypedWebSocketClientUpgrader<Frames?>(maxFrameSize: messageLimit) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 4096, maxAccumulatedFrameSize: messageLimit))
                return try Frames(wrappingChannelSynchronously: channel)
            }
        }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["host": address.authority])
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<Frames?>(upgradeRequestHead: head, upgraders: [upgrader]) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(UpgradeStatusHandler(findings: findings))
                return nil
            }
        }
        var http = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        // The first frames may arrive together with the answer to the upgrade.
        http.leftOverBytesStrategy = .forwardBytes
        let upgraded = try pipeline.configureUpgradableHTTPClientPipeline(configuration: http)
        let limit = channel.eventLoop.scheduleTask(in: .seconds(5)) {
            findings.record(.timedOut(address.authority))
            channel.closeImmediately()
        }
        upgraded.whenComplete { _ in limit.cancel() }
        return upgraded.flatMap { frames in
            guard frames == nil else { return channel.eventLoop.makeSucceededFuture(frames) }
            // Closed a turn later: the head of the answer must reach the status reader first.
            return channel.eventLoop.submit {}.flatMap { channel.close() }.map { nil }.flatMapErrorThrowing { _ in nil }
        }
    }

    /// Receives until the connection is over, and passes the reason of its end to the session.
    func receiveFrames(for conversation: WebSocketSession) async {
        do {
            try await frames.executeThenClose { inbound, _ in
                for try await frame in inbound {
                    switch frame.opcode {
                    case .text, .binary: try conversation.receive(Array(frame.unmaskedData.readableBytesView))
                    case .ping: conversation.sendPong(frame.unmaskedData)
                    case .connectionClose: return
                    default: break
                    }
                }
            }
            conversation.end(.hungUp)
        } catch {
            conversation.end(HomeAssistantConnectionError(ending: error))
        }
    }
}

extension Channel {
    /// Closes it at once, and discards the data still in the socket.
    func closeImmediately() {
        eventLoop.execute {
            (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenFailure { _ in }
            // TLS would first send close_notify and wait for an answer.
            if let secure = try? self.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
                secure.close(promise: nil)
            } else {
                self.close(promise: nil)
            }
        }
    }
}
