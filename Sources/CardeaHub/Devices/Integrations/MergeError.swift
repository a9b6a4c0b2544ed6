import CardeaModel

/// A refusal to merge two devices, in words that say how to mend it.
public struct MergeError: Error {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }
}
