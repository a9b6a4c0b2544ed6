import CardeaModel
import Foundation

/// What a source has seen.
public struct SourceEvent: Sendable {
    /// Who tells of it: `frigate`.
    public let source: String
    /// What the source calls it. One name is one event.
    public let id: String
    public let type: DetectionType
    public let at: Date
    /// Which of the source's cameras saw it.
    public var camera: SourceCamera?
    /// The device of the house at which it was, where no camera of the house saw it.
    public var deviceID: String?
    /// What the source calls the place, for a house that knows neither.
    public var place: String
    public var description: String?
    /// Percent.
    public var confidence: Int?
    /// A JPEG.
    public var picture: Data?
    /// The reason for which the source's picture is not here, where one was sent.
    public var pictureProblem: PictureError?
    /// Through what a picture is taken, where none came along.
    public var pictureEndpoint: CameraSource?

    public init(source: String, id: String, type: DetectionType, at: Date, place: String) {
        self.source = source
        self.id = id
        self.type = type
        self.at = at
        self.place = place
    }
}
