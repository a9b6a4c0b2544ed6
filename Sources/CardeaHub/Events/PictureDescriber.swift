import Foundation

/// Says in a sentence what a picture shows. Nobody does, unless whoever runs the hub names one: the picture leaves the house for it.
/// `CardeaChat` fills this port.
public protocol PictureDescriber: Sendable {
    /// Asks once. Who wants it tried again asks again.
    ///
    /// - Parameter jpeg: a thumbnail.
    func describe(_ jpeg: Data) async -> PictureDescriptionResult
}
