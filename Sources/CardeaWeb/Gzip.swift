import CZlib
import Foundation

/// Compresses a file once, at start, as well as zlib can.
enum Gzip {
    struct GzipError: Error {
        let code: Int32
    }

    static func compress(_ data: Data) throws -> Data {
        var stream = z_stream()
        // 15 window bits, and 16 more for the gzip wrapper.
        let begun = deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { throw GzipError(code: begun) }
        defer { deflateEnd(&stream) }
        var input = Array(data)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
        let ended = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard ended == Z_STREAM_END else { throw GzipError(code: ended) }
        return Data(output.prefix(Int(stream.total_out)))
    }
}
