import Foundation

/// The result of asking for a description.
public enum PictureDescriptionResult: Hashable, Sendable {
    /// The describer's text as received, untrusted.
    case text(String)
    /// There is no description for this picture, and a retry does not help.
    case noDescription
    /// Not now: after so many seconds, if the describer says.
    case retry(after: Int?)
}
