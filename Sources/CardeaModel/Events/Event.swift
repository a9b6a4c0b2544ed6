import Foundation

/// Something that a camera, a bell or a script saw at the house, as it was told then.
public struct Event: Hashable, Sendable {
    public let id: String
    /// Its place among all events, newest highest: the moment in milliseconds above the lower 20 bits, which number the events of that
    /// millisecond.
    public let key: Int64
    public let source: String
    /// nil where no camera saw it.
    public let cameraID: String?
    /// What the camera was called then; the source where there is none.
    public let cameraName: String
    public let type: DetectionType
    /// Percent, 0 to 100.
    public let confidence: Int?
    public let description: String
    /// Who put it into words; nil where that was whoever told of it.
    public let describedBy: DescriptionSource?
    public let incidentID: String
    /// Whether a picture of it is kept.
    public var hasPicture: Bool
    /// The reason for which its picture was not kept; nil where it was, or where none was sent.
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
    public var at: Date { Date(milliseconds: EventKey.milliseconds(key)) }
    /// What listings call the camera: the source stands for one that is not there.
    public var place: String { cameraID ?? source }
    public var isDoorbellRing: Bool { type.isDoorbellRing }
}
