import Foundation

/// A part of a response.
public enum ResponsePart: Sendable {
    /// Comes first, and once. Header names are in lower case.
    case head(status: Int, headers: [String: String])
    case body(Data)
}
