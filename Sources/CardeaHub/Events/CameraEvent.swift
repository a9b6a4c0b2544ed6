import CardeaModel
import CardeaSecurity
import Foundation

/// What a camera saw.
public struct CameraEvent: Sendable {
    public let cameraID: String
    public let kind: Kind
    /// When it began.
    public let at: Date
    /// The zones in which it moved; empty where the whole picture counts.
    public let zones: [String]
    /// JPEG, from when most of it moved; nil where none was at hand.
    public let picture: Data?
    /// The seconds before, oldest first, a picture each.
    public let preRoll: [CameraPicture]

    public enum Kind: String, Sendable {
        case motion
    }

    public init(cameraID: String, kind: Kind, at: Date, zones: [String], picture: Data?, preRoll: [CameraPicture] = []) {
        self.cameraID = cameraID
        self.kind = kind
        self.at = at
        self.zones = zones
        self.picture = picture
        self.preRoll = preRoll
    }
}
