import Crypto
import Foundation

/// The tree over a log's entries by which one entry is shown to be in it, and a log to have only grown, without showing the others
/// (RFC 9162, section 2.1, with SHA-256).
public enum MerkleTree {
    /// The hash of an entry: `SHA-256(0x00 ‖ entry)`.
    public static func leaf(_ entry: some DataProtocol) -> Data {
        var hash = SHA256()
        hash.update(data: [0])
        hash.update(data: entry)
        return Data(hash.finalize())
    }

    /// The hash of two subtrees: `SHA-256(0x01 ‖ left ‖ right)`.
    public static func node(_ left: Data, _ right: Data) -> Data {
        var hash = SHA256()
        hash.update(data: [1])
        hash.update(data: left)
        hash.update(data: right)
        return Data(hash.finalize())
    }

    /// The root of a log without entries.
    public static let emptyRoot = Data(SHA256.hash(data: Data()))

    // MARK: Growing

    /// The state from which a tree can grow: the roots of its perfect subtrees, the largest first.
    public struct Frontier: Hashable, Sendable {
        public private(set) var size: Int64 = 0
        private var peaks: [Peak] = []

        private struct Peak: Hashable {
            let height: Int
            let root: Data
        }

        public init() {}

        /// Adds the next entry, by its hash.
        public mutating func append(_ leaf: Data) { add(leaf, height: 0) }

        /// Adds the next perfect subtree; the entries before it fill such subtrees, too.
        ///
        /// - Parameter height: 2 to the power of it is how many entries it has, 0 to 62.
        /// - Returns: false if it does not fit there.
        public mutating func append(subtree root: Data, height: Int) -> Bool {
            guard (0...62).contains(height), size & ((1 << Int64(height)) - 1) == 0 else { return false }
            add(root, height: height)
            return true
        }

        /// Adds the entries of `next`, which begins with the next one; those before it fill perfect subtrees as large as its largest.
        ///
        /// - Returns: false if it does not fit there. Nothing is added then.
        public mutating func append(_ next: Frontier) -> Bool {
            guard let first = next.peaks.first else { return true }
            guard append(subtree: first.root, height: first.height) else { return false }
            for peak in next.peaks.dropFirst() { add(peak.root, height: peak.height) }
            return true
        }

        private mutating func add(_ root: Data, height: Int) {
            var (root, height) = (root, height)
            size += 1 << Int64(height)
            while let last = peaks.last, last.height == height {
                peaks.removeLast()
                root = MerkleTree.node(last.root, root)
                height += 1
            }
            peaks.append(Peak(height: height, root: root))
        }

        public var root: Data {
            guard var root = peaks.last?.root else { return MerkleTree.emptyRoot }
            for peak in peaks.dropLast().reversed() { root = MerkleTree.node(peak.root, root) }
            return root
        }
    }

    // MARK: Proving

    /// The root of a part of the log.
    ///
    /// - Parameters:
    ///   - range: not empty.
    ///   - known: the root of a perfect subtree if it is known; for a range of one entry its hash, always.
    public static func root(of range: Range<Int64>, known: (Range<Int64>) throws -> Data?) throws -> Data {
        if let root = try known(range) { return root }
        guard range.count > 1 else { throw UnknownHashError(index: range.lowerBound) }
        let middle = range.lowerBound + split(Int64(range.count))
        return node(
            try root(of: range.lowerBound..<middle, known: known), try root(of: middle..<range.upperBound, known: known))
    }

    /// The hash of an entry is no longer known.
    public struct UnknownHashError: Error, Hashable, Sendable {
        public let index: Int64

        public init(index: Int64) { self.index = index }
    }

    /// Shows that the entry at `index`, counted from 0, is in the log of `size` entries.
    public static func inclusionProof(of index: Int64, in size: Int64, known: (Range<Int64>) throws -> Data?) throws -> [Data] {
        guard index >= 0, index < size else { throw UnknownHashError(index: index) }
        var (range, path) = (Int64(0)..<size, [Data]())
        while range.count > 1 {
            let middle = range.lowerBound + split(Int64(range.count))
            let (left, right) = (range.lowerBound..<middle, middle..<range.upperBound)
            path.append(try root(of: index < middle ? right : left, known: known))
            range = index < middle ? left : right
        }
        return path.reversed()
    }

    /// Proves that the log of `size` entries begins with the log of `before` entries.
    public static func consistencyProof(of before: Int64, with size: Int64, known: (Range<Int64>) throws -> Data?) throws -> [Data] {
        guard before >= 1, before <= size else { throw UnknownHashError(index: before) }
        guard before < size else { return [] }
        var (range, path, isWhole) = (Int64(0)..<size, [Data](), true)
        // Until the current subtree existed before.
        while range.upperBound != before {
            let middle = range.lowerBound + split(Int64(range.count))
            if before <= middle {
                path.append(try root(of: middle..<range.upperBound, known: known))
                range = range.lowerBound..<middle
            } else {
                path.append(try root(of: range.lowerBound..<middle, known: known))
                range = middle..<range.upperBound
                isWhole = false
            }
        }
        if !isWhole { path.append(try root(of: range, known: known)) }
        return path.reversed()
    }

    /// The largest power of two below a count of 2 or more.
    private static func split(_ count: Int64) -> Int64 { 1 << Int64(63 - (count - 1).leadingZeroBitCount) }

    // MARK: Verifying

    /// Returns whether a proof shows that an entry is in a log (RFC 9162, section 2.1.3.2).
    public static func verifyInclusion(_ leaf: Data, at index: Int64, in size: Int64, root: Data, by path: [Data]) -> Bool {
        guard index >= 0, index < size, path.count <= 64 else { return false }
        var (first, last, hash) = (index, size - 1, leaf)
        for sibling in path {
            guard last > 0 else { return false }
            if first & 1 == 1 || first == last {
                hash = node(sibling, hash)
                while first & 1 == 0, first != 0 { (first, last) = (first >> 1, last >> 1) }
            } else {
                hash = node(hash, sibling)
            }
            (first, last) = (first >> 1, last >> 1)
        }
        return last == 0 && hash == root
    }

    /// Returns whether a proof shows that a log only grew (RFC 9162, section 2.1.4.2).
    public static func verifyConsistency(_ root: Data, of size: Int64, growsFrom before: Int64, root rootBefore: Data, by path: [Data])
        -> Bool
    {
        guard before >= 1, before <= size, path.count <= 65 else { return false }
        if before == size { return path.isEmpty && root == rootBefore }
        // A log whose size is a power of two is a subtree of the later one: its root begins the path.
        var path = before & (before - 1) == 0 ? [rootBefore] + path : path
        guard let start = path.first else { return false }
        path.removeFirst()
        var (first, last) = (before - 1, size - 1)
        while first & 1 == 1 { (first, last) = (first >> 1, last >> 1) }
        var (old, new) = (start, start)
        for sibling in path {
            guard last > 0 else { return false }
            if first & 1 == 1 || first == last {
                (old, new) = (node(sibling, old), node(sibling, new))
                while first & 1 == 0, first != 0 { (first, last) = (first >> 1, last >> 1) }
            } else {
                new = node(new, sibling)
            }
            (first, last) = (first >> 1, last >> 1)
        }
        return last == 0 && old == rootBefore && new == root
    }
}
