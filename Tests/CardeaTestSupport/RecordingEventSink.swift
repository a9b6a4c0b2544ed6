import CardeaHub
import CardeaModel

/// A sink that records events from sources.
public struct RecordingEventSink: EventSink {
    public struct Log: Sendable {
        public var sightings: [IntegrationEvent] = []
        public var there: [CameraSourceKind: Bool] = [:]
        /// The number of refusals before one is accepted.
        public var refusals = 0
    }

    public struct SinkFullError: Error {}

    public let log = AwaitableValue(Log())

    public init() {}

    public func report(_ sighting: IntegrationEvent) async throws {
        var isRefused = false
        log.change { log in
            isRefused = log.refusals > 0
            if isRefused { log.refusals -= 1 } else { log.sightings.append(sighting) }
        }
        if isRefused { throw SinkFullError() }
    }

    public func reportAvailability(_ kind: CameraSourceKind, isThere: Bool) async {
        log.change { $0.there[kind] = isThere }
    }
}
