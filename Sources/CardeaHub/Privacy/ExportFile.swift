import CardeaSecurity
import Foundation
import Synchronization

/// A personal export while it is stored in the house: in chunks, each sealed under the job's own key.
///
/// The sealing label of a chunk includes its number and whether it is the last, so that none can be left out, doubled or moved.
public enum ExportFile {
    /// Bytes of a piece, before it is sealed.
    static let chunkSize = 256 * 1024

    private static func sealingLabel(_ job: String, _ number: Int, isLast: Bool) -> String {
        "exports/\(job)/\(number)\(isLast ? "/last" : "")"
    }

    /// Takes bytes as they come and puts them down in sealed pieces.
    final class Writer: Sendable {
        private struct State {
            var open = Data()
            var number = 0
            var bytes: Int64 = 0
        }

        private let draft: PrivateFile.TemporaryFile
        private let key: SealingKey
        private let job: String
        private let state = Mutex(State())

        init(to draft: PrivateFile.TemporaryFile, under key: SealingKey, job: String) {
            self.draft = draft
            self.key = key
            self.job = job
        }

        func write(_ bytes: Data) throws {
            try state.withLock { state in
                state.open += bytes
                state.bytes += Int64(bytes.count)
                while state.open.count > ExportFile.chunkSize {
                    try writeChunk(Data(state.open.prefix(ExportFile.chunkSize)), isLast: false, &state)
                    state.open = Data(state.open.dropFirst(ExportFile.chunkSize))
                }
            }
        }

        /// - Returns: how many bytes there are, unsealed.
        func finish() throws -> Int64 {
            try state.withLock { state in
                try writeChunk(state.open, isLast: true, &state)
                try draft.finish()
                return state.bytes
            }
        }

        private func writeChunk(_ plain: Data, isLast: Bool, _ state: inout State) throws {
            let sealed = try key.seal(plain, for: ExportFile.sealingLabel(job, state.number, isLast: isLast))
            let length = UInt32(sealed.count)
            try draft.append(Data([UInt8(isLast ? 1 : 0)] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }) + sealed)
            state.number += 1
        }
    }

    /// Reads the file chunk by chunk.
    public struct Reader: AsyncSequence, Sendable {
        /// Bytes altogether, as they are read.
        public let bytes: Int64
        let url: URL
        let key: SealingKey
        let job: String

        struct DamagedFileError: Error {}

        public struct Iterator: AsyncIteratorProtocol {
            private let reader: Reader
            private var handle: FileHandle?
            private var number = 0
            private var isAtEnd = false

            init(_ reading: Reader) { self.reader = reading }

            public mutating func next() async throws -> Data? {
                guard !isAtEnd else { return nil }
                let handle = try handle ?? FileHandle(forReadingFrom: reader.url)
                self.handle = handle
                guard let head = try handle.read(upToCount: 5), head.count == 5 else { throw DamagedFileError() }
                isAtEnd = head[0] == 1
                let length = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
                guard length <= ExportFile.chunkSize + 64, let sealed = try handle.read(upToCount: length), sealed.count == length else {
                    throw DamagedFileError()
                }
                defer { number += 1 }
                return try reader.key.open(sealed, for: ExportFile.sealingLabel(reader.job, number, isLast: isAtEnd))
            }
        }

        public func makeAsyncIterator() -> Iterator { Iterator(self) }
    }
}
