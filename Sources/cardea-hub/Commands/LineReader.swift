import ArgumentParser
import CardeaHub
import CardeaMind
import CardeaSecurity
import CardeaMindAdapter
import CardeaStore
import Foundation
import Logging

/// The lines of a file, read on demand.
final class LineReader: IteratorProtocol, Sequence {
    private let handle: FileHandle
    /// Whole lines, the next one last.
    private var readyLines: [Data] = []
    private var rest = Data()
    /// The rest of a line that was too long is read over.
    private var isSkipping = false
    /// The reason why it was not read to its end.
    private(set) var failure: (any Error)?

    /// Octets of a line. A longer one is cut here, and so is none that could be read.
    private static let lineLimit = 1 << 20

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    func next() -> String? {
        while readyLines.isEmpty {
            let more: Data
            do { more = try handle.read(upToCount: 1 << 16) ?? Data() } catch {
                failure = error
                return nil
            }
            guard !more.isEmpty else {
                defer { rest = Data() }
                return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
            }
            append(more)
        }
        return readyLines.popLast().map { String(decoding: $0, as: UTF8.self) }
    }

    private func append(_ more: Data) {
        var parts = more.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Data($0) }
        if isSkipping {
            guard parts.count > 1 else { return }
            parts.removeFirst()
            isSkipping = false
        } else if let first = parts.first {
            parts[0] = rest + first
        }
        rest = parts.removeLast()
        if rest.count > Self.lineLimit {
            parts.append(rest.prefix(Self.lineLimit))
            (rest, isSkipping) = (Data(), true)
        }
        readyLines = parts.reversed()
    }
}
