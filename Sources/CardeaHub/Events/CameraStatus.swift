import CardeaModel
import CardeaSecurity
import Foundation

/// The reachability of a camera.
public struct CameraStatus: Hashable, Sendable {
    public let isOnline: Bool
    /// The reason why it cannot be reached.
    public let error: CameraUnavailableError?
    public let since: Date

    public init(isOnline: Bool, error: CameraUnavailableError? = nil, since: Date) {
        self.isOnline = isOnline
        self.error = error
        self.since = since
    }
}
