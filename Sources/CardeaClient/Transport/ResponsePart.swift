import Foundation

/// What comes of an answer.
public enum ResponsePart: Sendable {
    /// First, and once. Names in lower case.
    case head(status: Int, headers: [String: String])
    case body(Data)
}
