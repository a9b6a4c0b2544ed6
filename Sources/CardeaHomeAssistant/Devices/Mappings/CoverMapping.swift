import CardeaModel

/// A cover: a garage door, a blind, a shutter.
struct CoverMapping: EntityMapping {
    private let report: StateReport

    init(_ report: StateReport, isFahrenheit: Bool) { self.report = report }

    var verbs: Set<Verb> {
        // Home Assistant's feature bits.
        let features: [(Int, Verb)] = [(1, .open), (2, .close), (4, .setPosition), (8, .stop), (128, .setTilt)]
        return Set(features.filter { report.hasFeature($0.0) }.map(\.1))
    }

    var state: EntityState {
        let words: Set = ["open", "closed", "opening", "closing"]
        var attributes: [String: JSONValue] = [:]
        attributes["position"] = report.percentage("current_position").map { .number($0) }
        attributes["tilt"] = report.percentage("current_tilt_position").map { .number($0) }
        return EntityState(words.contains(report.value) ? report.value : "unknown", attributes: attributes)
    }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        guard verbs.contains(verb) else { return nil }
        switch verb {
        case .open: return ServiceCall("open_cover")
        case .close: return ServiceCall("close_cover")
        case .stop: return ServiceCall("stop_cover")
        case .setPosition: return value?.number.map { ServiceCall("set_cover_position", ["position": .number($0.rounded())]) }
        case .setTilt: return value?.number.map { ServiceCall("set_cover_tilt_position", ["tilt_position": .number($0.rounded())]) }
        default: return nil
        }
    }
}
