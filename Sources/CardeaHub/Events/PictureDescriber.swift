import Foundation

/// Says in a sentence what a picture shows. Nobody does, unless whoever runs the hub names one: the picture leaves the house for it.
/// `CardeaChat` fills this port.
public protocol PictureDescriber: Sendable {
    /// Asks once. Who wants it tried again asks again.
    ///
    /// - Parameter jpeg: a thumbnail.
    func describe(_ jpeg: Data) async -> PictureDescriptionResult
}

/// What came of asking.
public enum PictureDescriptionResult: Hashable, Sendable {
    /// In a stranger's words, as they came.
    case text(String)
    /// There are no words for this picture, however often it is asked.
    case noDescription
    /// Not now: after so many seconds, where the describer says.
    case retry(after: Int?)
}
