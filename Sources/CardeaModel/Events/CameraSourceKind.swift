import Foundation

/// The kind of source through which a camera is viewed.
public enum CameraSourceKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A stream, RFC 2326, on its own or inside TLS.
    case rtsp
    /// A picture at a URL.
    case http
    /// A picture that Frigate has of one of its cameras.
    case frigate
    /// A picture that Home Assistant has of one of its cameras.
    case homeAssistant = "home_assistant"

    /// True if the camera delivers a continuous stream.
    public var isStream: Bool { self == .rtsp }

    /// The schemes of its URL.
    public var schemes: Set<String> { self == .rtsp ? ["rtsp", "rtsps"] : ["http", "https"] }
}
