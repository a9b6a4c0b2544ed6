import Foundation

/// A camera of the house, as people describe it. Its address and credentials are sealed, separately from this.
public struct Camera: Hashable, Sendable {
    public let id: String
    public var name: String
    /// True if the hub reads the camera.
    public var isEnabled: Bool
    public var kind: CameraSourceKind
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
        id: String, name: String, isEnabled: Bool, kind: CameraSourceKind, address: String, hasCredentials: Bool,
        detection: CameraDetection,
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
