import NIOCore

/// Rewrites the head of a camera's response for NIO's HTTP decoder after it: cameras end lines with a line feed alone, send a length twice,
/// or one that is not a number. Fields that do not affect the framing are left out.
final class ResponseHeadNormalizer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The bytes of a head that is not whole yet; nil behind it.
    private var waiting: ByteBuffer? = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard var buffer = waiting else { return context.fireChannelRead(data) }
        buffer.writeImmutableBuffer(Self.unwrapInboundIn(data))
        do {
            guard let (head, end) = try RTSPReader.head(of: buffer) else {
                waiting = buffer
                return
            }
            waiting = nil
            buffer.moveReaderIndex(forwardBy: end)
            context.fireChannelRead(Self.wrapInboundOut(Self.normalized(head).bytes))
            if buffer.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(buffer)) }
        } catch {
            context.fireErrorCaught(error)
        }
    }

    static func normalized(_ head: RTSPMessage) -> RTSPMessage {
        var mended = RTSPMessage(startLine: head.startLine, fields: [], body: ByteBuffer())
        mended.fields = head["www-authenticate"].map { ("WWW-Authenticate", $0) }
        let codings = head["transfer-encoding"].flatMap { $0.lowercased().split(separator: ",") }.map { $0.filter { !$0.isWhitespace } }
        if codings.contains("chunked") {
            mended.fields.append(("Transfer-Encoding", "chunked"))
        } else if let length = head["content-length"].compactMap({ Int($0.filter { !$0.isWhitespace }) }).first(where: { $0 >= 0 }) {
            mended.fields.append(("Content-Length", String(length)))
        }
        return mended
    }
}
