import CardeaModel
import CardeaSecurity
import Foundation

/// The reason why there is no picture.
public enum CameraUnavailableError: Error, Hashable, Sendable {
    case disabled
    /// The hub was built without a decoder, or ffmpeg is not installed.
    case decoderMissing
    case refusedAddress(OutgoingAddressPolicy.Refusal)
    case unknownHost
    case unreachable
    case unauthorized
    case notFound
    /// The camera redirected the hub to another address.
    case redirected
    case untrustedCertificate
    case stalled
    /// The response is not a picture.
    case invalidPicture
    /// The program that serves its pictures reports that it is stopped.
    case sourceOffline

    public var message: String {
        switch self {
        case .disabled: "the camera is switched off in its settings"
        case .decoderMissing: "ffmpeg is not installed on the hub"
        case .refusedAddress: "the hub does not connect to that address"
        case .unknownHost: "its host name is unknown"
        case .unreachable: "its address does not respond"
        case .unauthorized: "it rejects the user name or the password"
        case .notFound: "it has no stream or picture at that path"
        case .redirected: "it redirects to another address"
        case .untrustedCertificate: "its certificate is not trusted"
        case .stalled: "it stopped sending"
        case .invalidPicture: "its response is not a picture"
        case .sourceOffline: "the program that serves its pictures is stopped"
        }
    }
}
