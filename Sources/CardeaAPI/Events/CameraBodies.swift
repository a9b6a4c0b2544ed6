import CardeaModel
import Foundation

/// `POST /api/v1/cameras`
public struct AddCameraBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    public var source: CameraSourceBody
    public var detection: CameraDetectionBody?
    public var isEnabled: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, source, detection
        case isEnabled = "is_enabled"
    }

    public init(name: String, source: CameraSourceBody, detection: CameraDetectionBody? = nil, isEnabled: Bool? = nil) {
        self.name = name
        self.source = source
        self.detection = detection
        self.isEnabled = isEnabled
    }
}

/// `PATCH /api/v1/cameras/{id}`: omitted fields stay as they are.
public struct ChangeCameraBody: WireFormat.Body, Encodable, Sendable {
    public var name: String?
    public var source: CameraSourceBody?
    public var detection: CameraDetectionBody?
    public var isEnabled: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, source, detection
        case isEnabled = "is_enabled"
    }

    public init(
        name: String? = nil, source: CameraSourceBody? = nil, detection: CameraDetectionBody? = nil, isEnabled: Bool? = nil
    ) {
        self.name = name
        self.source = source
        self.detection = detection
        self.isEnabled = isEnabled
    }
}

/// The address of a camera. It is accepted and never returned.
public struct CameraSourceBody: Codable, Sendable {
    public var kind: String
    public var url: String
    public var username: String?
    public var password: String?
    /// The camera's name in Frigate or Home Assistant.
    public var camera: String?
    /// A token of Home Assistant's.
    public var token: String?

    enum CodingKeys: String, CodingKey, CaseIterable { case kind, url, username, password, camera, token }

    public init(
        kind: CameraSourceKind, url: String, username: String? = nil, password: String? = nil, camera: String? = nil, token: String? = nil
    ) {
        self.kind = kind.rawValue
        self.url = url
        self.username = username
        self.password = password
        self.camera = camera
        self.token = token
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.closedContainer(keyedBy: CodingKeys.self)
        kind = try fields.decode(CameraSourceKind.self, forKey: .kind).rawValue
        url = try fields.decode(String.self, forKey: .url)
        username = try fields.decodeIfPresent(String.self, forKey: .username)
        password = try fields.decodeIfPresent(String.self, forKey: .password)
        camera = try fields.decodeIfPresent(String.self, forKey: .camera)
        token = try fields.decodeIfPresent(String.self, forKey: .token)
    }
}

/// The detections to run on the picture.
public struct CameraDetectionBody: Codable, Hashable, Sendable {
    public var motion: Bool
    public var sensitivity: Int
    public var zones: [CameraZoneBody]

    enum CodingKeys: String, CodingKey, CaseIterable { case motion, sensitivity, zones }

    public init(motion: Bool = false, sensitivity: Int = 50, zones: [CameraZoneBody] = []) {
        self.motion = motion
        self.sensitivity = sensitivity
        self.zones = zones
    }

    public init(_ detection: CameraDetection) {
        self.init(
            motion: detection.motion, sensitivity: detection.sensitivity,
            zones: detection.zones.map { CameraZoneBody(name: $0.name, points: $0.corners.map { [$0.x, $0.y] }) })
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.closedContainer(keyedBy: CodingKeys.self)
        motion = try fields.decodeIfPresent(Bool.self, forKey: .motion) ?? false
        sensitivity = try fields.decodeIfPresent(Int.self, forKey: .sensitivity) ?? 50
        zones = try fields.decodeIfPresent([CameraZoneBody].self, forKey: .zones) ?? []
    }

    /// As the house has it. A corner that is no pair of numbers is outside of the picture.
    public var detection: CameraDetection {
        CameraDetection(
            motion: motion, sensitivity: sensitivity,
            zones: zones.map { zone in
                CameraZone(
                    name: zone.name,
                    corners: zone.points.map { $0.count == 2 ? .init(x: $0[0], y: $0[1]) : .init(x: -1, y: -1) })
            })
    }
}

public struct CameraZoneBody: Codable, Hashable, Sendable {
    public var name: String
    /// `[x, y]`, each from 0 to 1, from the left and from the top.
    public var points: [[Double]]

    enum CodingKeys: String, CodingKey, CaseIterable { case name, points }

    public init(name: String, points: [[Double]]) {
        self.name = name
        self.points = points
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.closedContainer(keyedBy: CodingKeys.self)
        name = try fields.decode(String.self, forKey: .name)
        points = try fields.decode([[Double]].self, forKey: .points)
    }
}

/// A camera as `/api/v1` shows it.
public struct CameraAnswer: Codable, Sendable {
    public let cameraID: String
    public let name: String
    public let isEnabled: Bool
    public let isOnline: Bool
    /// The reason why it is unreachable.
    @Nullable public private(set) var reason: String?
    public let source: Source
    public let detection: CameraDetectionBody
    @Nullable public private(set) var lastEventAt: Date?
    public let version: Int
    public let createdAt: Date
    public let changedAt: Date

    public struct Source: Codable, Sendable {
        public let kind: String
        /// Scheme, host and port.
        public let address: String
        public let hasCredentials: Bool

        enum CodingKeys: String, CodingKey {
            case kind, address
            case hasCredentials = "has_credentials"
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, reason, source, detection, version
        case cameraID = "camera_id"
        case isEnabled = "is_enabled"
        case isOnline = "is_online"
        case lastEventAt = "last_event_at"
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    public init(_ camera: Camera, isOnline: Bool, reason: String?) {
        cameraID = camera.id
        name = camera.name
        isEnabled = camera.isEnabled
        self.isOnline = isOnline
        source = Source(kind: camera.kind.rawValue, address: camera.address, hasCredentials: camera.hasCredentials)
        detection = CameraDetectionBody(camera.detection)
        version = camera.version
        createdAt = camera.createdAt
        changedAt = camera.changedAt
        self.reason = reason
        lastEventAt = camera.lastEventAt
    }
}

public struct CamerasAnswer: Codable, Sendable {
    public let cameras: [CameraAnswer]
    public let total: Int

    public init(cameras: [CameraAnswer]) {
        self.cameras = cameras
        total = cameras.count
    }
}

/// A camera as Seed 003 has it.
public struct CameraSummary: Codable, Sendable {
    public let id: String
    public let name: String
    public let isEnabled: Bool
    public let isOnline: Bool
    /// `rtsp`; omitted for kinds that the seed does not know.
    public let sourceType: String?
    public let lastEventAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, name
        case isEnabled = "is_enabled"
        case isOnline = "is_online"
        case sourceType = "source_type"
        case lastEventAt = "last_event_at"
    }

    public init(_ camera: Camera, isOnline: Bool) {
        id = camera.id
        name = camera.name
        isEnabled = camera.isEnabled
        self.isOnline = isOnline
        sourceType = camera.kind == .rtsp ? "rtsp" : nil
        lastEventAt = camera.lastEventAt
    }
}

/// `GET /api/v1/mobile/cameras`
public struct MobileCamerasAnswer: Codable, Sendable {
    public let cameras: [CameraSummary]

    public init(cameras: [CameraSummary]) {
        self.cameras = cameras
    }
}
