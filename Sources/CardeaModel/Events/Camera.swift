import Foundation

/// A camera of the house, as people describe it. Where it is and how it is signed in to is kept sealed, apart from this.
public struct Camera: Hashable, Sendable {
    public let id: String
    public var name: String
    /// Whether the house looks through it at all.
    public var isEnabled: Bool
    public var kind: CameraKind
    /// Scheme, host and port; nothing of the path, in which many cameras carry a password.
    public var address: String
    public var hasCredentials: Bool
    public var detection: CameraDetection
    /// Rises with every change.
    public var version: Int
    public let createdAt: Date
    public var changedAt: Date
    /// When something last moved before it.
    public var lastEventAt: Date?

    public init(
        id: String, name: String, isEnabled: Bool, kind: CameraKind, address: String, hasCredentials: Bool, detection: CameraDetection,
        version: Int, createdAt: Date, changedAt: Date, lastEventAt: Date? = nil
    ) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
        self.kind = kind
        self.address = address
        self.hasCredentials = hasCredentials
        self.detection = detection
        self.version = version
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.lastEventAt = lastEventAt
    }
}

/// By what a camera is looked through.
public enum CameraKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A stream, RFC 2326, on its own or inside TLS.
    case rtsp
    /// A picture at a URL.
    case http
    /// A picture that Frigate has of one of its cameras.
    case frigate
    /// A picture that Home Assistant has of one of its cameras.
    case homeAssistant = "home_assistant"

    /// Whether it can be watched all the time.
    public var isStream: Bool { self == .rtsp }

    /// The schemes of its URL.
    public var schemes: Set<String> { self == .rtsp ? ["rtsp", "rtsps"] : ["http", "https"] }
}

/// What is looked for in a camera's picture.
public struct CameraDetection: Hashable, Sendable {
    public var motion: Bool
    /// 1 for what fills the picture, 100 for a cat at its end.
    public var sensitivity: Int
    /// Where motion counts; everywhere, where there is none.
    public var zones: [CameraZone]

    public static let sensitivities = 1...100
    public static let zoneLimit = 16

    public init(motion: Bool = false, sensitivity: Int = 50, zones: [CameraZone] = []) {
        self.motion = motion
        self.sensitivity = sensitivity
        self.zones = zones
    }

    public func check() throws(FieldError) {
        guard Self.sensitivities.contains(sensitivity) else { throw .range(field: "detection.sensitivity", 1...100) }
        guard zones.count <= Self.zoneLimit else { throw .tooMany(field: "detection.zones", Self.zoneLimit) }
        for zone in zones { try zone.check() }
    }
}

/// A part of a camera's picture, as a polygon.
public struct CameraZone: Hashable, Sendable {
    public var name: String
    public var corners: [Corner]

    /// A place in the picture: from left to right, and from top to bottom, each from 0 to 1.
    public struct Corner: Hashable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    public static let cornerLimit = 32

    public init(name: String, corners: [Corner]) {
        self.name = name
        self.corners = corners
    }

    func check() throws(FieldError) {
        do { _ = try Name.check(name) } catch { throw .name(field: "detection.zones.name", error) }
        guard corners.count <= Self.cornerLimit else { throw .tooMany(field: "detection.zones.points", Self.cornerLimit) }
        guard corners.count >= 3, corners.allSatisfy({ (0...1).contains($0.x) && (0...1).contains($0.y) }) else {
            throw .range(field: "detection.zones.points", 0...1)
        }
    }

    /// Whether the place lies inside, by the even-odd rule.
    public func contains(_ place: Corner) -> Bool {
        guard var last = corners.last else { return false }
        var isInside = false
        for corner in corners {
            if (corner.y > place.y) != (last.y > place.y) {
                let crossing = corner.x + (place.y - corner.y) / (last.y - corner.y) * (last.x - corner.x)
                if place.x < crossing { isInside.toggle() }
            }
            last = corner
        }
        return isInside
    }
}
