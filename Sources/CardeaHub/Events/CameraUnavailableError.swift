import CardeaModel
import CardeaSecurity
import Foundation

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
