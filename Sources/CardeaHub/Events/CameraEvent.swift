import CardeaModel
import CardeaSecurity
import Foundation

/// An event that a camera detected.
public struct CameraEvent: Sendable {
    public let cameraID: String
    public let kind: Kind
    /// When the event began.
    public let at: Date
    /// The zones with motion; empty if the whole picture counts.
    public let zones: [String]
    /// JPEG from the moment of most motion; nil if none was available.
    public let picture: Data?
    /// Pictures from the seconds before, oldest first, one for each second.
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
