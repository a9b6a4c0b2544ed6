import CardeaModel

/// A media player: on or off, and playing or not. The title that it plays is not read.
struct MediaPlayerMapping: EntityMapping {
    private let report: StateReport

    init(_ report: StateReport, isFahrenheit: Bool) { self.report = report }

    var verbs: Set<Verb> {
        // Home Assistant's feature bits.
        let features: [(Int, Verb)] = [(1, .pause), (4, .setVolume), (128, .on), (256, .off), (16384, .play)]
        return Set(features.filter { report.hasFeature($0.0) }.map(\.1))
    }

    var state: EntityState {
        var attributes: [String: JSONValue] = [:]
        if let volume = report.number("volume_level") { attributes["volume"] = .number(min(max((volume * 100).rounded(), 0), 100)) }
        switch report.value {
        case "off": return EntityState("off", attributes: attributes)
        case "standby":
            attributes[EntityState.standby] = true
            return EntityState("off", attributes: attributes)
        case "on": return EntityState("on", attributes: attributes)
        case "playing", "paused", "idle", "buffering":
            attributes["playback"] = .string(report.value)
            return EntityState("on", attributes: attributes)
        default: return EntityState("unknown")
        }
    }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        guard verbs.contains(verb) else { return nil }
        switch verb {
        case .on: return ServiceCall("turn_on")
        case .off: return ServiceCall("turn_off")
        case .play: return ServiceCall("media_play")
        case .pause: return ServiceCall("media_pause")
        case .setVolume: return value?.number.map { ServiceCall("volume_set", ["volume_level": .number(($0 / 100).rounded(to: 3))]) }
        default: return nil
        }
    }
}
