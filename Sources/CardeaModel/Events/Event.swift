import Foundation

/// An event that a camera, a doorbell or a script reported, as it was reported then.
public struct Event: Hashable, Sendable {
    public let id: String
    /// Its place among all events, newest highest: the moment in milliseconds above the lower 20 bits, which number the events of that
    /// millisecond.
    public let key: Int64
    public let source: String
    /// Nil if no camera saw it.
    public let cameraID: String?
    /// The camera's name at that time; the source if there is no camera.
    public let cameraName: String
    public let type: DetectionType
    /// Percent, 0 to 100.
    public let confidence: Int?
    public let description: String
    /// The author of the description; nil if that is the event's source.
    public let describedBy: DescriptionSource?
    public let incidentID: String
    /// True if a picture of the event is stored.
    public var hasPicture: Bool
    /// The reason for which its picture was not kept; nil if it was, or if none was sent.
    public let pictureProblem: PictureError?
    public let createdAt: Date

    public init(
        id: String, key: Int64, source: String, cameraID: String?, cameraName: String, type: DetectionType, confidence: Int?,
        description: String, describedBy: DescriptionSource? = nil, incidentID: String, hasPicture: Bool,
        pictureProblem: PictureError? = nil, createdAt: Date
    ) {
        self.id = id
        self.key = key
        self.source = source
        self.cameraID = cameraID
        self.cameraName = cameraName
        self.type = type
        self.confidence = confidence
        self.description = description
        self.describedBy = describedBy
        self.incidentID = incidentID
        self.hasPicture = hasPicture
        self.pictureProblem = pictureProblem
        self.createdAt = createdAt
    }

    /// When it happened.
    public var at: Date { Date(milliseconds: EventSortKey.milliseconds(key)) }
    /// The place in listings: the camera's id, or the source if there is no camera.
    public var place: String { cameraID ?? source }
    public var isDoorbellRing: Bool { type.isDoorbellRing }
}
