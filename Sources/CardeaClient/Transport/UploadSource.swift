import Foundation

/// A body too large for memory: it is read as the connection can accept it.
public struct UploadSource: Sendable {
    /// The total number of bytes; nil sends it in chunks (RFC 9112, section 7.1).
    public let length: Int64?
    /// True if it can be read again from its beginning.
    public let isRepeatable: Bool
    private let make: @Sendable () throws -> Parts

    init(length: Int64?, isRepeatable: Bool, make: @escaping @Sendable () throws -> Parts) {
        self.length = length
        self.isRepeatable = isRepeatable
        self.make = make
    }

    /// The body from its beginning.
    public func parts() throws -> Parts { try make() }

    /// Reads the content of a file.
    public static func file(_ url: URL) throws(ClientError) -> UploadSource {
        do {
            let handle = try FileHandle(forReadingFrom: url)
            let length = try handle.seekToEnd()
            return UploadSource(length: Int64(clamping: length), isRepeatable: true) {
                let handle = try FileHandle(forReadingFrom: url)
                return Parts { try handle.read(upToCount: 64 * 1024) }
            }
        } catch {
            throw .invalidRequest("\(url.lastPathComponent) cannot be read: \(error.localizedDescription)")
        }
    }

    /// Reads a sequence of parts. It can be read only once, so a call with it is never retried.
    public static func parts<Source: AsyncSequence & Sendable>(_ source: Source, length: Int64? = nil) -> UploadSource
    where Source.Element == Data {
        UploadSource(length: length, isRepeatable: false) {
            let reader = SequenceReader(source)
            return Parts { try await reader.next() }
        }
    }

    public struct Parts: AsyncSequence, AsyncIteratorProtocol {
        public typealias Element = Data
        private let read: () async throws -> Data?

        init(_ read: @escaping () async throws -> Data?) {
            self.read = read
        }

        public func makeAsyncIterator() -> Parts { self }

        /// nil at the end.
        public mutating func next() async throws -> Data? {
            guard let part = try await read(), !part.isEmpty else { return nil }
            return part
        }
    }

    /// Holds the position in a sequence.
    private final class SequenceReader<Source: AsyncSequence> where Source.Element == Data {
        private var iterator: Source.AsyncIterator

        init(_ source: Source) { iterator = source.makeAsyncIterator() }

        func next() async throws -> Data? {
            // An empty part is not the end.
            while let part = try await iterator.next() {
                if !part.isEmpty { return part }
            }
            return nil
        }
    }
}
