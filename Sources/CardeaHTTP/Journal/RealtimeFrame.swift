import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import NIOCore
import NIOFoundationCompat

/// An encoded event, made once for all subscribers who see the same: as a WebSocket frame and as a server-sent event.
struct RealtimeFrame: Sendable {
    private let seq: Int64?
    let name: String
    /// The event's body alone, without a header.
    let payload: ByteBuffer
    /// The event's part of a batch.
    let batchPart: ByteBuffer

    /// - Parameter part: nil if a batch says the whole of it.
    init(seq: Int64?, name: String, payload: ByteBuffer, part: ByteBuffer? = nil) {
        self.seq = seq
        self.name = name
        self.payload = payload
        self.batchPart = part ?? payload
    }

    /// With its header, ready to be written to any socket.
    var webSocketFrame: ByteBuffer { Self.textFrame(payload) }

    /// As a server-sent event.
    var serverSentEvent: ByteBuffer {
        var stream = ByteBufferAllocator().buffer(capacity: payload.readableBytes + name.utf8.count + 40)
        if let seq { stream.writeString("id: \(seq)\n") }
        stream.writeString("event: \(name)\ndata: ")
        stream.writeImmutableBuffer(payload)
        stream.writeStaticString("\n\n")
        return stream
    }

    /// An unmasked text frame (RFC 6455, section 5.2).
    static func textFrame(_ payload: ByteBuffer) -> ByteBuffer {
        var frame = ByteBufferAllocator().buffer(capacity: payload.readableBytes + 10)
        frame.writeInteger(UInt8(0x81))
        switch payload.readableBytes {
        case ..<126: frame.writeInteger(UInt8(payload.readableBytes))
        case ...0xFFFF:
            frame.writeInteger(UInt8(126))
            frame.writeInteger(UInt16(payload.readableBytes))
        default:
            frame.writeInteger(UInt8(127))
            frame.writeInteger(UInt64(payload.readableBytes))
        }
        frame.writeImmutableBuffer(payload)
        return frame
    }
}
