import CZlib
import Foundation

/// zlib would not.
struct ZlibError: Error {
    let code: Int32
}

/// Makes a stream smaller as it passes.
final class Deflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init() throws {
        stream.initialize(to: z_stream())
        // Fast: most large content is a database, which shrinks to a third either way, or pictures, which do not shrink at all.
        let code = deflateInit_(stream, Z_BEST_SPEED, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw ZlibError(code: code) }
    }

    func pass(_ data: Data, isLast: Bool = false) throws -> Data {
        try Zlib.pass(data, through: stream) { deflate($0, isLast ? Z_FINISH : Z_NO_FLUSH) }.output
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }
}

/// Decompresses a deflate stream.
final class Inflater {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    /// The stream has reached its end marker.
    private(set) var isAtEnd = false

    init() throws {
        stream.initialize(to: z_stream())
        let code = inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw ZlibError(code: code) }
    }

    /// - Throws: `ZlibError` if it is not such a stream, or continues after its end.
    func pass(_ data: Data) throws -> Data {
        guard !isAtEnd else { throw ZlibError(code: Z_STREAM_END) }
        let (output, isAtEnd, left) = try Zlib.pass(data, through: stream) { inflate($0, Z_NO_FLUSH) }
        guard left == 0 else { throw ZlibError(code: Z_STREAM_END) }
        self.isAtEnd = isAtEnd
        return output
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }
}

private enum Zlib {
    private static let bufferSize = 128 << 10

    static func pass(
        _ data: Data, through stream: UnsafeMutablePointer<z_stream>, _ step: (UnsafeMutablePointer<z_stream>) -> Int32
    ) throws -> (output: Data, isAtEnd: Bool, left: Int) {
        var input = Array(data)
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: bufferSize)
        return try input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            while true {
                let (code, count) = buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(buffer.count)
                    let code = step(stream)
                    return (code, buffer.count - Int(stream.pointee.avail_out))
                }
                output.append(contentsOf: buffer[..<count])
                switch code {
                case Z_STREAM_END: return (output, true, Int(stream.pointee.avail_in))
                // It has room left, so it wants more to read.
                case Z_OK where count < bufferSize, Z_BUF_ERROR: return (output, false, Int(stream.pointee.avail_in))
                case Z_OK: continue
                default: throw ZlibError(code: code)
                }
            }
        }
    }
}
