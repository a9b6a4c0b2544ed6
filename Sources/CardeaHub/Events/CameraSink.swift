import CardeaModel
import CardeaSecurity
import Foundation

/// What the hub gives to whoever looks through its cameras.
public protocol CameraSink: Sendable {
    /// The cameras that are switched on, now and after every change, for one listener.
    func configurations() async -> AsyncStream<[CameraConfiguration]>

    /// Whether the camera is in reach. Said again, it is no news.
    func reportStatus(_ cameraID: String, _ standing: CameraStatus) async

    /// Something moved before a camera.
    func report(_ sighting: CameraEvent) async
}
