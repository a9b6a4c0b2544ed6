import CardeaModel

/// A refusal to merge two devices, with a remedy in words.
public struct MergeError: Error {
    public let message: String

    public init(_ message: String) {
        self.message = message
    }
}
