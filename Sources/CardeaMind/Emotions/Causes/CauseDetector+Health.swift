import CardeaModel
import Foundation

/// Causes from the condition of the house.
extension CauseDetector {
    /// Devices that are offline.
    func outOfReach() -> [Cause] {
        house.devices.compactMap { device in
            guard device.status == .offline || device.status == .error else { return nil }
            // If it has come back since, an earlier outage is not the beginning of this one. A lost connection in between is no beginning
            // of its own.
            let told = events.filter {
                $0.deviceID == device.id && $0.fact.kind == .standing && $0.fact != .deviceStatus(.unknown)
            }
            let evidence = told.reversed().prefix { $0.fact == .deviceStatus(device.status) }.last
            let since = evidence?.at ?? min(device.lastSeenAt ?? device.stateChangedAt, now)
            let isWeighty = device.isSecurityDevice || device.deviceClass == .security || device.deviceClass == .hub
            // After a week the house is used to it: the device was probably taken down.
            let worry = (isWeighty ? 0.6 : 0.3) * (now.timeIntervalSince(since) > 7 * Self.day ? 0.4 : 1)
            return Cause(
                "offline:\(device.id)", .health, EmotionVector(happiness: -worry / 2, worry: worry),
                lexicon.stateSentence(
                    device.status == .error ? .isInTrouble : .isOutOfReach, [.when: self.since(since)], names: [.thing: device.name]),
                on: [evidence.map { EvidenceReference($0) } ?? lastReport(on: device)].compactMap { $0 }, devices: [device.id], since: since
            )
        }
    }

    /// Batteries that are low.
    func lowBatteries() -> [Cause] {
        entityIndex.all.compactMap { place in
            guard place.entity.deviceClass == "battery", place.device.status != .offline else { return nil }
            let worry: Double
            let words: ParameterizedSentence
            if place.entity.kind == .binarySensor {
                guard place.entity.state.value == "on" else { return nil }
                (worry, words) = (0.3, lexicon.stateSentence(.batteryLow, names: [.thing: place.device.name]))
            } else {
                guard let percent = Self.lowPercent(place) else { return nil }
                worry = percent < 5 ? 0.5 : 0.25
                words = lexicon.stateSentence(.batteryAt, [.number: "\(Int(percent))"], names: [.thing: place.device.name])
            }
            let evidence = beginning(of: place.entity.id) { word in
                word == "on" || Double(word).map { $0 < 15 } == true
            }
            return Cause(
                "battery:\(place.entity.id)", .health, EmotionVector(worry: worry), words,
                on: evidence.map { [EvidenceReference($0)] } ?? readingEvidence(place, while: { $0 < 15 }),
                devices: [place.device.id], since: evidence?.at ?? place.device.stateChangedAt)
        }
    }

    /// Batteries that report a level below 15 %.
    var lowLevels: [EntityIndex.Entry] { entityIndex.all.filter { $0.entity.deviceClass == "battery" && Self.lowPercent($0) != nil } }

    private static func lowPercent(_ place: EntityIndex.Entry) -> Double? {
        ReadingPolicy.number(place.entity.state, of: place.entity.kind).flatMap { (0..<15).contains($0) ? $0 : nil }
    }

    /// Locks that neither lock nor unlock.
    func jammedLocks() -> [Cause] {
        entityIndex.all.compactMap { place in
            guard place.entity.kind == .lock, place.entity.state.value == "jammed" else { return nil }
            let evidence = beginning(of: place.entity.id) { $0 == "jammed" }
            let since = evidence?.at ?? place.device.stateChangedAt
            return Cause(
                "jammed:\(place.entity.id)", .health, EmotionVector(happiness: -0.5, worry: 0.8),
                lexicon.stateSentence(.isJammed, [.when: self.since(since)], names: [.thing: place.name]),
                on: [evidence.map { EvidenceReference($0) } ?? lastReport(of: place.entity.id, on: place.device)].compactMap { $0 },
                devices: [place.device.id], since: since)
        }
    }

    /// Detected smoke, gas or water.
    func alarms() -> [Cause] {
        entityIndex.all.compactMap { place in
            guard place.entity.state.value == "on", let danger = Danger(place.entity) else { return nil }
            let evidence = beginning(of: place.entity.id) { $0 == "on" }
            let since = evidence?.at ?? place.device.stateChangedAt
            return Cause(
                Cause.alarmPrefix + place.entity.id, .health, EmotionVector(happiness: -1, worry: 1, boredom: -1, excitement: -1),
                lexicon.stateSentence(
                    .reports, [.words: lexicon.stateText(danger.sentence), .when: self.since(since)], names: [.thing: place.name]),
                on: [evidence.map { EvidenceReference($0) } ?? lastReport(of: place.entity.id, on: place.device)].compactMap { $0 },
                devices: [place.device.id], since: since)
        }
    }

    /// Doors and windows that are open at night, and those open for longer than ever before.
    func openWaysIn() -> [Cause] {
        entityIndex.all.compactMap { place in
            guard let sort = RestStateKind(place.entity), sort.isWayIn, RestState(place.entity.state.value) == .active,
                place.device.status != .offline
            else { return nil }
            let known = habits.activeState(place.entity.id)
            let evidence = beginning(of: place.entity.id) { RestState($0) != .resting }.map(EvidenceReference.init) ?? known?.evidence
            let since = min(evidence?.at ?? known?.since ?? place.device.stateChangedAt, now)
            let minutes = now.timeIntervalSince(since) / 60
            let isNight = isNight && minutes >= 10
            let late = habits.activeDeviations.first { $0.key.subject == place.entity.id }
            let isLong = habits.longestActiveTime(of: place.entity.id).map { minutes > $0 } ?? false
            guard isNight || isLong || late != nil else { return nil }
            let words: ParameterizedSentence
            if let late {
                let form = lexicon.stateText(.andItIsNight, [.words: String(late.words.form.dropLast())])
                words = isNight ? late.words.with(form: form) : late.words
            } else {
                words = lexicon.stateSentence(
                    isNight ? .standsOpenAtNight : .standsOpenLong,
                    [.condition: lexicon.stateText(sort.active), .when: self.since(since)], names: [.thing: place.name])
            }
            let worry = isNight ? 0.8 : late != nil ? 0.6 : 0.5
            return Cause(
                "open:\(place.entity.id)", isNight ? .health : .environment, EmotionVector(happiness: -worry / 2, worry: worry),
                words, on: [evidence ?? lastReport(of: place.entity.id, on: place.device)].compactMap { $0 }, devices: [place.device.id],
                since: since)
        }
    }
}
