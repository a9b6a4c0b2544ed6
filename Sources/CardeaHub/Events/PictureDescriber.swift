import Foundation

/// Describes a picture in a sentence. Off unless the operator names a describer, since the picture leaves the house for it. `CardeaLanguageModel`
/// implements this protocol.
public protocol PictureDescriber: Sendable {
    /// Requests a description once. A retry is another call.
    ///
    /// - Parameter jpeg: a thumbnail.
    func describe(_ jpeg: Data) async -> PictureDescriptionResult
}
