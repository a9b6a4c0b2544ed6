import CardeaModel
import Foundation

/// Where integrations hand in what they were told was seen at the house. `SourceEventRecorder` is the one who stands behind it.
public protocol EventSink: Sendable {
    /// Something was seen. Told again by the same name it is no news, however often and after whatever restart. Throws where the house could
    /// not keep it just now: told again, it is taken.
    func report(_ sighting: SourceEvent) async throws

    /// Whether the one through whom cameras of this kind are looked at is there at all.
    func reportAvailability(_ kind: CameraKind, isThere: Bool) async
}
