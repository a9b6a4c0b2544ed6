import CardeaModel
import CardeaSecurity
import Foundation

/// The hub's side of the interface to camera integrations.
public protocol CameraSink: Sendable {
    /// The cameras that are switched on, now and after every change, for one listener.
    func configurations() async -> AsyncStream<[CameraConfiguration]>

    /// Reports whether the camera can be reached. A repeated report has no effect.
    func reportStatus(_ cameraID: String, _ status: CameraStatus) async

    /// Reports motion at a camera.
    func report(_ sighting: CameraEvent) async
}
