import Foundation

/// How far an upload or a download has come.
public struct TransferProgress: Hashable, Sendable {
    /// Bytes of the body so far.
    public let bytes: Int64
    /// Bytes in all; nil where nobody has said.
    public let total: Int64?

    public init(bytes: Int64, total: Int64?) {
        self.bytes = bytes
        self.total = total
    }

    /// 0 to 1; nil where nobody has said how much there is.
    public var fraction: Double? {
        total.map { $0 > 0 ? min(1, Double(bytes) / Double($0)) : 1 }
    }
}

/// A body too large to be held: it is read as the line has room for it.
public struct UploadSource: Sendable {
    /// Bytes in all; where nobody knows, it goes out in chunks (RFC 9112, section 7.1).
    public let length: Int64?
    /// Whether it can be read from its beginning again.
    public let isRepeatable: Bool
    private let make: @Sendable () throws -> Parts

    init(length: Int64?, isRepeatable: Bool, make: @escaping @Sendable () throws -> Parts) {
        self.length = length
        self.isRepeatable = isRepeatable
        self.make = make
    }

    /// The body from its beginning.
    public func parts() throws -> Parts { try make() }

    /// What is in a file.
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

    /// What comes bit by bit. It comes once, so a call with it is never repeated.
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

    /// Holds the place in a sequence.
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

/// A transport that also carries bodies too large to be held, in both directions.
public protocol BulkTransport: Transport {
    /// Asks, with `upload` as the body, and hands on the answer as it comes. No more is read before `receive` has returned, and no more is
    /// taken of `upload` than the line has room for. The request's timeout is for silence: how long nothing may move.
    ///
    /// - Throws: `TransportFailure`, or what `upload` or `receive` threw.
    func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws
}

/// A line was chosen that carries whole bodies only.
extension ClientError {
    static let bulkTransferUnsupported = ClientError.invalidRequest("the line that was chosen carries nothing large")
}

/// What comes of an answer.
public enum ResponsePart: Sendable {
    /// First, and once. Names in lower case.
    case head(status: Int, headers: [String: String])
    case body(Data)
}
