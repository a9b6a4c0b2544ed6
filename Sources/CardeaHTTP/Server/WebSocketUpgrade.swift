import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// A request that asks to become a WebSocket (RFC 6455, section 4.2).
struct WebSocketUpgrade {
    private let key: String

    /// - Parameter instead: the text of the answer to a request without an upgrade.
    init(_ request: Request, instead: String) throws {
        let tokens = request.headers[values: .upgrade].flatMap { $0.split(separator: ",") }
        guard tokens.count == 1, tokens[0].trimmingCharacters(in: .whitespaces).lowercased() == "websocket" else {
            throw APIResponseError(.upgradeRequired, "upgrade_required", "This address is a WebSocket: send Upgrade: websocket. \(instead)")
        }
        guard request.headers[values: .webSocketVersion] == ["13"] else {
            throw APIResponseError(.upgradeRequired, "upgrade_required", "Sec-WebSocket-Version must be 13.")
        }
        let keys = request.headers[values: .webSocketKey]
        guard keys.count == 1, let key = keys.first, Data(base64Encoded: key)?.count == 16 else {
            throw APIResponseError.validation("Sec-WebSocket-Key", "must be 16 bytes in base64, once")
        }
        self.key = key
    }

    /// Readies the connection for the change, which the answer then brings about.
    ///
    /// - Parameter isKnown: the request showed a good credential.
    func accept(in context: HubRequestContext, isKnown: Bool) async throws -> (socket: WebSocketHandle, answer: Response) {
        let (channel, place) = (context.channel, context.connectionSlot)
        place?.markUpgraded(isKnown: isKnown)
        let socket: WebSocketHandle
        do {
            socket = try await channel.eventLoop.submit {
                let change = try channel.pipeline.syncOperations.handler(type: ProtocolUpgradeHandler.self)
                let socket = WebSocketHandle(channel: channel, limits: RealtimeWebSocketHandler.Limits(), place: place)
                change.prepareUpgrade(socket.handlers)
                return socket
            }.get()
        } catch is ChannelPipelineError {
            throw APIResponseError(.upgradeRequired, "upgrade_required", "This connection cannot become a WebSocket. Use HTTP/1.1.")
        }
        try await socket.limitBuffers()
        let answer = Response(
            status: .switchingProtocols,
            headers: [.upgrade: "websocket", .connection: "Upgrade", .webSocketAccept: Self.accept(key)])
        return (socket, answer)
    }

    /// RFC 6455, section 4.2.2, item 5.4.
    private static func accept(_ key: String) -> String {
        Data(Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
    }
}
