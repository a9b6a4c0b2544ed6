import CardeaModel
import CardeaSecurity
import Foundation

/// Looks through the house's cameras. An integration fills it, and hands in what it sees at the `CameraSink` it was given.
public protocol CameraReader: Sendable {
    /// Throws `refusedAddress` where nothing may be sent to the camera's address. A name that nobody knows just now is no reason.
    func check(_ source: CameraSource) async throws(CameraUnavailableError)

    /// The camera's picture, at most a few seconds old.
    func picture(of plan: CameraConfiguration) async throws(CameraUnavailableError) -> CameraPicture

    /// Picture after picture, until the reader goes or the camera is out of reach.
    func pictures(of plan: CameraConfiguration) -> AsyncThrowingStream<CameraPicture, any Error>
}

/// What the hub gives to whoever looks through its cameras.
public protocol CameraSink: Sendable {
    /// The cameras that are switched on, now and after every change, for one listener.
    func configurations() async -> AsyncStream<[CameraConfiguration]>

    /// Whether the camera is in reach. Said again, it is no news.
    func reportStatus(_ cameraID: String, _ standing: CameraStatus) async

    /// Something moved before a camera.
    func report(_ sighting: CameraEvent) async
}

/// Who is told of what cameras see: the house's events.
public protocol CameraEventSink: Sendable {
    func report(_ sighting: CameraEvent) async throws
}

/// A camera to be looked through.
public struct CameraConfiguration: Sendable {
    public let id: String
    /// Rises with every change: another version is another plan.
    public let version: Int
    public let source: CameraSource
    public let detection: CameraDetection

    public init(id: String, version: Int, source: CameraSource, detection: CameraDetection) {
        self.id = id
        self.version = version
        self.source = source
        self.detection = detection
    }
}

/// Where a camera is, and how it is signed in to.
public struct CameraSource: Sendable {
    public var kind: CameraKind
    public var address: CameraAddress
    public var user: String?
    public var password: Secret?
    /// What Frigate or Home Assistant call the camera.
    public var name: String?
    /// A token of Home Assistant's.
    public var token: Secret?

    public init(
        kind: CameraKind, address: CameraAddress, user: String? = nil, password: Secret? = nil, name: String? = nil, token: Secret? = nil
    ) {
        self.kind = kind
        self.address = address
        self.user = user
        self.password = password
        self.name = name
        self.token = token
    }

    public var hasCredentials: Bool { user != nil || password != nil || token != nil }

    /// Path and query of the stream or of the picture.
    public var target: String {
        let base = address.target.hasSuffix("/") ? String(address.target.dropLast()) : address.target
        return switch kind {
        case .rtsp, .http: address.target
        case .frigate: "\(base)/api/\(name ?? "")/latest.jpg"
        case .homeAssistant: "\(base)/api/camera_proxy/\(name ?? "")"
        }
    }
}

/// One picture.
public struct CameraPicture: Sendable {
    /// JPEG.
    public let jpeg: Data
    public let takenAt: Date

    public init(jpeg: Data, takenAt: Date) {
        self.jpeg = jpeg
        self.takenAt = takenAt
    }
}

/// Whether a camera is in reach.
public struct CameraStatus: Hashable, Sendable {
    public let isOnline: Bool
    /// Why it is not.
    public let error: CameraUnavailableError?
    public let since: Date

    public init(isOnline: Bool, trouble: CameraUnavailableError? = nil, since: Date) {
        self.isOnline = isOnline
        self.error = trouble
        self.since = since
    }
}

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

/// Why there is no picture.
public enum CameraUnavailableError: Error, Hashable, Sendable {
    case disabled
    /// Nobody looks: the hub was put together without eyes, or ffmpeg is not installed.
    case decoderMissing
    case refusedAddress(OutgoingAddressPolicy.Refusal)
    case unknownHost
    case unreachable
    case unauthorized
    case notFound
    /// It sent us elsewhere, where nobody asked us to go.
    case redirected
    case untrustedCertificate
    case stalled
    /// What came is no picture.
    case invalidPicture
    /// The one who has its pictures says that it is away.
    case sourceOffline

    public var message: String {
        switch self {
        case .disabled: "the camera is switched off here"
        case .decoderMissing: "ffmpeg is not installed on the hub"
        case .refusedAddress: "the hub sends nothing to that address"
        case .unknownHost: "nobody knows that host"
        case .unreachable: "nobody answers at its address"
        case .unauthorized: "it refuses the user name or the password"
        case .notFound: "it has no stream or picture at that path"
        case .redirected: "it sends the hub to another address"
        case .untrustedCertificate: "its certificate is not trusted"
        case .stalled: "it stopped sending"
        case .invalidPicture: "what it sends is no picture"
        case .sourceOffline: "the program that looks through it says that it is stopped"
        }
    }
}
