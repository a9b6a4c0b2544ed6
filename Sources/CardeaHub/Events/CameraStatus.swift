import CardeaModel
import CardeaSecurity
import Foundation

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
