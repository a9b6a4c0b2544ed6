import CardeaModel
import CardeaSecurity
import Foundation

/// Looks through the house's cameras. An integration fills it, and hands in what it sees at the `CameraSink` it was given.
public protocol CameraReader: Sendable {
    /// Throws `refusedAddress` where nothing may be sent to the camera's address. A name that nobody knows just now is no reason.
    func check(_ source: CameraSource) async throws(CameraUnavailableError)

    /// The camera's picture, at most a few seconds old.
    func picture(of plan: CameraConfiguration) async throws(CameraUnavailableError) -> CameraPicture

    /// Picture after picture, until the reader goes or the camera is out of reach.
    func pictures(of plan: CameraConfiguration) -> AsyncThrowingStream<CameraPicture, any Error>
}

/// Who is told of what cameras see: the house's events.
public protocol CameraEventSink: Sendable {
    func report(_ sighting: CameraEvent) async throws
}
