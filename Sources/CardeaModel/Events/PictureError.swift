/// The reason for which an event is kept without the picture that was sent with it, or that was to be taken of it. The raw value is kept in the
/// event's row, and is the code on the wire.
public enum PictureError: String, Error, CaseIterable, Hashable, Sendable {
    case empty
    case notBase64 = "not_base64"
    case notJPEG = "not_jpeg"
    case brokenOff = "broken_off"
    case unusual = "unusual_jpeg"
    case tooSmall = "too_small"
    case tooLarge = "too_large"
    case unreadable
    case tooSlow = "too_slow"
    /// The camera that sees the place gave none in time.
    case notTaken = "not_taken"
    /// No ffmpeg is installed.
    case noDecoder = "no_decoder"
    case switchedOff = "pictures_off"
    case busy
    case noRoom = "no_room"
    case notWritten = "not_written"

    /// One sentence for people, the same on every surface.
    public var detail: String {
        if self == .notTaken { return "No picture could be taken: the camera gave none in time." }
        return "The picture could not be stored: \(reason)."
    }

    private var reason: String {
        switch self {
        case .empty: "it is empty"
        case .notBase64: "it is not Base64"
        case .notJPEG: "it is not a JPEG. Send a JPEG; other formats are not accepted"
        case .brokenOff: "it ends before the picture begins"
        case .unusual: "this kind of JPEG is not supported"
        case .tooSmall: "it is smaller than 16 pixels"
        case .tooLarge: "it is too large, in bytes or in pixels"
        case .unreadable: "it cannot be read as a picture"
        case .tooSlow: "it takes too long to read"
        case .notTaken: "the camera gave none in time"
        case .noDecoder: "ffmpeg is not installed on the hub"
        case .switchedOff: "this house stores no pictures"
        case .busy: "too many pictures came at once"
        case .noRoom: "the space for pictures is full"
        case .notWritten: "it could not be written to the disk"
        }
    }
}
