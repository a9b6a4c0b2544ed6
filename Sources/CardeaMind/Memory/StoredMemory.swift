import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A memory with its version, which increases with every change.
public struct StoredMemory: Hashable, Sendable {
    public var memory: Memory
    public var version: Int
}
