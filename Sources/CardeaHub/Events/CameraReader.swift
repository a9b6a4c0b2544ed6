import CardeaModel
import CardeaSecurity
import Foundation

/// Reads the pictures of the house's cameras. An integration implements it, and reports what it sees to the `CameraSink` it was given.
public protocol CameraReader: Sendable {
    /// Throws `refusedAddress` if the hub may not send to the camera's address. A host name that cannot be resolved now is not refused.
    func check(_ source: CameraSource) async throws(CameraUnavailableError)

    /// The camera's picture, at most a few seconds old.
    func picture(of plan: CameraConfiguration) async throws(CameraUnavailableError) -> CameraPicture

    /// The live pictures, until the reader stops or the camera is out of reach.
    func pictures(of plan: CameraConfiguration) -> AsyncThrowingStream<CameraPicture, any Error>
}

/// Receives what cameras detect, as events of the house.
public protocol CameraEventSink: Sendable {
    func report(_ sighting: CameraEvent) async throws
}
