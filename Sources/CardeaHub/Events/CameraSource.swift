import CardeaModel
import CardeaSecurity
import Foundation

/// The address of a camera and the credentials for it.
public struct CameraSource: Sendable {
    public var kind: CameraSourceKind
    public var address: CameraAddress
    public var user: String?
    public var password: Secret?
    /// The camera's name in Frigate or Home Assistant.
    public var name: String?
    /// A Home Assistant token.
    public var token: Secret?

    public init(
        kind: CameraSourceKind, address: CameraAddress, user: String? = nil, password: Secret? = nil, name: String? = nil,
        token: Secret? = nil
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
