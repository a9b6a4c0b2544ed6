import CardeaClient
import Crypto
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS

/// Sends one request once the connection is secured, and passes on one answer.
final class RequestResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: TransportRequest
    private let host: String
    private let receiver: any ResponseReceiver
    /// The maximum time for the handshake.
    private let handshakeTimeout: TimeAmount
    private var isSent = false

    init(_ request: TransportRequest, host: String, patience: TimeAmount, _ answer: any ResponseReceiver) {
        self.handshakeTimeout = patience
        self.request = request
        self.host = host
        self.receiver = answer
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // If the host accepts the connection and then stays silent, nothing was sent to it.
        context.eventLoop.assumeIsolated().scheduleTask(in: handshakeTimeout) {
            if !self.isSent { self.receiver.fail(.noConnection) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Nothing is written before the handshake is over: a token never reaches an untrusted server, not even in a buffer.
        if case .handshakeCompleted = event as? TLSUserEvent { send(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            receiver.head(
                status: Int(head.status.code),
                headers: Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }))
        case .body(let part): receiver.part(part)
        case .end: receiver.end()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let early = TransportError(error)
        // Nothing is sent before the handshake is over, whatever failed.
        receiver.fail(isSent ? .interrupted : early.mayHaveArrived ? .noConnection : early)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        receiver.fail(isSent ? .interrupted : .noConnection)
    }

    private func send(_ context: ChannelHandlerContext) {
        isSent = true
        let path = request.url.path(percentEncoded: true) + (request.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        var head = HTTPRequestHead(version: .http1_1, method: .RAW(value: request.method.rawValue), uri: path.isEmpty ? "/" : path)
        for (name, value) in request.headers { head.headers.add(name: name, value: value) }
        head.headers.replaceOrAdd(name: "host", value: host)
        head.headers.replaceOrAdd(name: "connection", value: "close")
        if let body = request.body { head.headers.replaceOrAdd(name: "content-length", value: "\(body.count)") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = request.body { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(data: body)))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
