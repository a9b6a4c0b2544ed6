import Foundation

/// What came of asking.
public enum PictureDescriptionResult: Hashable, Sendable {
    /// In a stranger's words, as they came.
    case text(String)
    /// There are no words for this picture, however often it is asked.
    case noDescription
    /// Not now: after so many seconds, where the describer says.
    case retry(after: Int?)
}
