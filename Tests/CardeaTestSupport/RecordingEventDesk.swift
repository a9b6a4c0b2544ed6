import CardeaHub
import CardeaModel

/// A desk that writes down what sources have seen.
public struct RecordingEventDesk: EventDesk {
    public struct Log: Sendable {
        public var sightings: [SourceSighting] = []
        public var there: [CameraKind: Bool] = [:]
        /// How many are turned down before one is taken.
        public var refusals = 0
    }

    public struct Full: Error {}

    public let log = Watched(Log())

    public init() {}

    public func saw(_ sighting: SourceSighting) async throws {
        var isRefused = false
        log.change { log in
            isRefused = log.refusals > 0
            if isRefused { log.refusals -= 1 } else { log.sightings.append(sighting) }
        }
        if isRefused { throw Full() }
    }

    public func stands(_ kind: CameraKind, isThere: Bool) async {
        log.change { $0.there[kind] = isThere }
    }
}
