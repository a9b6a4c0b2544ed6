import CardeaModel
import Foundation

/// An event that a source has seen.
public struct IntegrationEvent: Sendable {
    /// The source's name, such as `frigate`.
    public let source: String
    /// The source's ID for the event. Each ID is one event.
    public let id: String
    public let type: DetectionType
    public let at: Date
    /// The source's camera that saw it.
    public var camera: IntegrationCamera?
    /// The device where it happened, if no camera of the house saw it.
    public var deviceID: String?
    /// The source's name of the place, for a house that knows neither the camera nor the device.
    public var place: String
    public var description: String?
    /// Percent.
    public var confidence: Int?
    /// A JPEG.
    public var picture: Data?
    /// The reason why the source's picture is missing, if one was sent.
    public var pictureProblem: PictureError?
    /// The source to take a picture from, if none was sent along.
    public var pictureEndpoint: CameraSource?

    public init(source: String, id: String, type: DetectionType, at: Date, place: String) {
        self.source = source
        self.id = id
        self.type = type
        self.at = at
        self.place = place
    }
}
