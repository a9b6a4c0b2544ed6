import CardeaModel
import Foundation

/// Receives events that integrations report. `IntegrationEventRecorder` implements it.
public protocol EventSink: Sendable {
    /// Records an event. Reports with the same name are ignored, however often they are repeated, even after a restart. Throws if the event
    /// cannot be stored now: the source should report it again.
    func report(_ sighting: IntegrationEvent) async throws

    /// Reports whether the program that serves cameras of this kind is running at all.
    func reportAvailability(_ kind: CameraSourceKind, isThere: Bool) async
}
