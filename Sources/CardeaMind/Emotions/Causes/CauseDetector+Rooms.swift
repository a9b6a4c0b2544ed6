import CardeaModel
import Foundation

/// Causes from rooms, their air, and deviations from habits.
extension CauseDetector {
    /// The values of a room's sensors for this metric. Offline devices are left out.
    private func sensors(in room: String, of metric: EnvironmentMetric) -> [(place: EntityIndex.Entry, value: Double)] {
        entityIndex.all.compactMap { place in
            guard place.device.roomID == room, place.device.status != .offline, place.entity.kind == .sensor,
                EnvironmentMetric(deviceClass: place.entity.deviceClass) == metric,
                let value = ReadingPolicy.number(place.entity.state, of: place.entity.kind)
            else { return nil }
            return (place, value)
        }
    }

    /// Rooms far from their target temperature, and rooms near it.
    func temperatures() -> [Cause] {
        house.rooms.compactMap { room in
            guard let wanted = room.traits.preferredTemperature, wanted.isFinite else { return nil }
            let sensors = sensors(in: room.id, of: .temperature)
            let sorted = sensors.map(\.value).sorted()
            guard !sorted.isEmpty else { return nil }
            // The median, since one thermometer in the sun does not represent the room.
            let value = sorted[sorted.count / 2]
            let devices = Set(sensors.map(\.place.device.id)).sorted()
            func grounds(_ holds: (Double) -> Bool) -> [EvidenceReference] { sensors.flatMap { readingEvidence($0.place, while: holds) } }
            let away = abs(value - wanted)
            if away <= 1 {
                return Cause(
                    "comfort:\(room.id)", .environment, EmotionVector(happiness: 0.15),
                    lexicon.stateSentence(.isAsWanted, names: [.room: room.name]), on: grounds { abs($0 - wanted) <= 1 }, devices: devices,
                    since: now)
            }
            guard away >= 2 else { return nil }
            let size = min(0.2 + (away - 2) / 8, 1)
            return Cause(
                "temperature:\(room.id)", .environment, EmotionVector(happiness: -size, worry: size * 0.8),
                lexicon.stateSentence(
                    value < wanted ? .isColder : .isWarmer, names: [.room: room.name], warmths: [.value: value, .number: wanted]),
                on: grounds { abs($0 - wanted) >= 2 }, devices: devices,
                since: strayingSince(sensors.map(\.place.entity.id)) { abs($0 - wanted) >= 2 })
        }
    }

    /// The beginning of the last unbroken series of deviating hours.
    private func strayingSince(_ entities: [String], _ isStray: (Double) -> Bool) -> Date {
        entities.compactMap { id in (hours[id] ?? []).reversed().prefix { isStray($0.mean) }.last?.hour }.min() ?? now
    }

    /// The hours in which the sensor showed its present value, up to the last; only the last if it has just begun. If it has no hours,
    /// its last report.
    func readingEvidence(_ place: EntityIndex.Entry, while holds: (Double) -> Bool) -> [EvidenceReference] {
        readingEvidence(place, hours: { holds($0.mean) })
    }

    /// The hours since the state began.
    func readingEvidence(_ place: EntityIndex.Entry, since: Date) -> [EvidenceReference] {
        readingEvidence(place, hours: { $0.hour.addingTimeInterval(Self.hour) > since })
    }

    private func readingEvidence(_ place: EntityIndex.Entry, hours isSuch: (HourlyReading) -> Bool) -> [EvidenceReference] {
        guard let hours = hours[place.entity.id], let last = hours.last else {
            return lastReport(of: place.entity.id, on: place.device).map { [$0] } ?? []
        }
        let held = Array(hours.reversed().prefix(while: isSuch).reversed())
        return ReadingEvidence(of: place.entity.id, held.isEmpty ? [last] : held).map { [EvidenceReference($0, of: place.device)] } ?? []
    }

    /// The sensors whose hourly readings causes use as evidence.
    public var evidenceSensors: Set<String> {
        let rooms = house.rooms.filter { $0.traits.preferredTemperature != nil }.flatMap { sensors(in: $0.id, of: .temperature) }
        let levels = (habits.activeDeviations.map(\.key) + habits.learned(after: now.addingTimeInterval(-Self.day)).map(\.key)).filter {
            $0.aspect == .level
        }
        let told = rooms.map(\.place.entity.id) + badAir.map(\.place.entity.id) + lowLevels.map(\.entity.id) + levels.map(\.subject)
        return Set(told + unreportedDevices.flatMap { Self.sensors(of: $0) })
    }

    /// Sensors that show stale or dusty air. `low` is the value from which it is noticed, `high` the value at which it harms, in ppm,
    /// µg/m³ or the index itself.
    private var badAir: [(place: EntityIndex.Entry, value: Double, low: Double, high: Double, words: StateSentence)] {
        entityIndex.all.compactMap { place in
            guard place.device.status != .offline, let metric = EnvironmentMetric(deviceClass: place.entity.deviceClass),
                let value = ReadingPolicy.number(place.entity.state, of: place.entity.kind)
            else { return nil }
            let (low, high, words): (Double, Double, StateSentence)
            switch metric {
            case .co2: (low, high, words) = (1200, 3000, .showsCO2)
            case .pm25: (low, high, words) = (25, 100, .showsDust)
            case .airQualityIndex: (low, high, words) = (100, 200, .showsAirQuality)
            default: return nil
            }
            return value >= low ? (place, value, low, high, words) : nil
        }
    }

    /// Stale or dusty air.
    func air() -> [Cause] {
        badAir.map { place, value, low, high, words in
            let size = min(0.2 + 0.8 * (value - low) / (high - low), 1)
            return Cause(
                "air:\(place.entity.id)", .environment, EmotionVector(happiness: -size * 0.7, worry: size * 0.8),
                lexicon.stateSentence(words, [.number: HabitText.number(value)], names: [.thing: place.name]),
                on: readingEvidence(place, while: { $0 >= low }), devices: [place.device.id],
                since: strayingSince([place.entity.id]) { $0 >= low })
        }
    }

    /// Deviations found by the habits. An open door or window has a cause of its own.
    func deviations() -> [Cause] {
        habits.activeDeviations.compactMap { deviation in
            guard let place = entityIndex[deviation.key.subject], RestStateKind(place.entity)?.isWayIn != true else { return nil }
            let size = deviation.key.aspect == .level ? 0.4 : 0.2
            let grounds = deviation.grounds.isEmpty ? readingEvidence(place, since: deviation.since) : deviation.grounds
            return Cause(
                "deviation:\(deviation.id)", .environment, EmotionVector(worry: size, boredom: -size / 2), deviation.words,
                on: grounds, devices: [deviation.deviceID], needs: deviation.isEnergy ? [.energy] : [], since: deviation.since)
        }
    }
}
