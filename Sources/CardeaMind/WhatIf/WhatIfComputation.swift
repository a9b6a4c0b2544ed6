import CardeaModel
import Foundation

/// The computation of one question.
struct WhatIfComputation {
    let question: WhatIfQuestion
    let history: WhatIfInputs
    let now: Date
    let text: WhatIfText
    let windows: WhatIfWindows
    let nights: [WhatIfWindows.Window]
    let weeks: [WhatIfWindows.Window]

    var rooms: [RoomComputation] = []
    var meters: [MeterComputation] = []
    var energyError: WhatIfError?
    var roomError: WhatIfError?
    var answers: [WhatIfMetric: WhatIfResult.Answer] = [:]
    var errors: [WhatIfMetric: WhatIfError] = [:]
    var recommendations: [WhatIfResult.Recommendation] = []

    /// A room whose past days were simulated again.
    struct RoomComputation {
        let roomID: String
        /// °C that were asked for, each once.
        let setPoints: [Double]
        let simulator: HeatingResimulation
        let perHeating: Double?
        let kind: EnergyKind
        let meterID: String?
        let windows: [WhatIfWindows.Window]
        /// °C at which the room is held, by window and slot; nil if it is heated as it was.
        let goals: [[Double?]]
        let outcomes: [HeatingResimulation.Outcome]
        let entities: [String]
    }

    /// A meter over the same hours of past weeks: as they were, and with the device on or off.
    struct MeterComputation {
        let entityID: String
        let kind: EnergyKind
        let windows: [WhatIfWindows.Window]
        /// By window, by slot.
        let before: [[Double]]
        let after: [[Double]]
    }

    init(question: WhatIfQuestion, history: WhatIfInputs, now: Date, words: WhatIfText) {
        self.question = question
        self.history = history
        self.now = now
        self.text = words
        windows = WhatIfWindows(from: question.from, duration: question.duration, zone: history.house.zone)
        nights = windows.past(step: 1, atMost: WhatIfEngine.resimulationReach, within: WhatIfEngine.resimulationReach, before: now)
        weeks = windows.past(step: 7, atMost: WhatIfEngine.weeks, within: WhatIfEngine.weeks * 7 + 31, before: now)
    }

    mutating func result() -> WhatIfResult {
        simulateRooms()
        compareMeters()
        if question.metrics.contains(.energy) || question.metrics.contains(.cost) { computeEnergy() }
        if question.metrics.contains(.temperature) { computeTemperature() }
        if question.metrics.contains(.comfort) { computeComfort() }
        let (replay, notices) = question.metrics.contains(.access) ? computeAccess() : (nil, [:])
        computeRecommendations()
        let watched = notices.keys.map { ($0, text.name($0, in: history.house)) }
        return WhatIfResult(
            subject: subject, answers: answers, errors: errors, recommendations: recommendations, basis: basis, replay: replay,
            notices: notices, watched: Dictionary(watched) { first, _ in first })
    }

    // MARK: Simulated data

    private mutating func simulateRooms() {
        let wishes = question.changes.compactMap { change -> TemperatureChange? in
            if case .temperature(let roomID, let celsius, let hours) = change {
                TemperatureChange(roomID: roomID, celsius: celsius, hours: hours)
            } else {
                nil
            }
        }
        var seen: Set<String> = []
        for roomID in wishes.map(\.roomID) where seen.insert(roomID).inserted {
            do { rooms.append(try simulateRoom(roomID, wishes.filter { $0.roomID == roomID })) } catch { roomError = roomError ?? error }
        }
    }

    private struct TemperatureChange {
        let roomID: String
        let celsius: Double
        let hours: QuietHours?
    }

    /// - Parameter wishes: the changes for this room. If two cover the same hour, the later one counts.
    private func simulateRoom(_ roomID: String, _ wishes: [TemperatureChange]) throws(WhatIfError) -> RoomComputation {
        guard let room = history.rooms.first(where: { $0.roomID == roomID }) else { throw .noReadings(roomID: roomID) }
        let (again, perHeating, kind, meterID) = try HeatingResimulation.prepare(room, meters: history.meters)
        var heated: [(window: WhatIfWindows.Window, goals: [Double?], stretch: HeatingResimulation.Outcome)] = []
        for window in nights where heated.count < WhatIfEngine.resimulatedDays {
            let goals = window.hours.map { hour in wishes.last { isWithin($0.hours, hour) }?.celsius }
            let stretch = again.resimulate(
                window.hours, goals: goals, constants: again.twin.constants, part: windows.slots.first?.weight ?? 1)
            if let stretch { heated.append((window, goals, stretch)) }
        }
        guard heated.count >= PredictionInterval.minimumCount else {
            throw .tooFewPeriods(have: heated.count, needed: PredictionInterval.minimumCount)
        }
        return RoomComputation(
            roomID: roomID, setPoints: Array(Set(wishes.map(\.celsius))).sorted(), simulator: again, perHeating: perHeating, kind: kind,
            meterID: meterID, windows: heated.map(\.window), goals: heated.map(\.goals), outcomes: heated.map(\.stretch),
            entities: [room.inside.entityID, room.outside.entityID] + [meterID].compactMap(\.self))
    }

    /// An hour belongs to a range if its middle does.
    private func isWithin(_ hours: QuietHours?, _ hour: Date) -> Bool {
        hours?.contains(hour.addingTimeInterval(1800), in: history.house.zone) ?? true
    }

    private mutating func compareMeters() {
        let switched = question.changes.compactMap { change -> (deviceID: String, isOn: Bool, hours: QuietHours?)? in
            if case .power(let deviceID, let isOn, let hours) = change { (deviceID, isOn, hours) } else { nil }
        }
        let isAboutRooms = question.changes.contains { if case .temperature = $0 { true } else { false } }
        let heated = Set(rooms.compactMap(\.meterID))
        for change in switched where !history.meters.contains(where: { $0.deviceID == change.deviceID }) {
            energyError = energyError ?? .noMeter(deviceID: change.deviceID)
        }
        for meter in history.meters where !heated.contains(meter.entityID) && meter.metering.energy != .solar {
            let own = switched.filter { $0.deviceID == meter.deviceID }
            // The meters of the changed devices; those of the whole house if no changed device uses energy.
            guard !own.isEmpty || (switched.isEmpty && !isAboutRooms && meter.metering.energy == .electricity) else { continue }
            do { meters.append(try compareMeter(meter, own)) } catch { energyError = energyError ?? error }
        }
    }

    private func compareMeter(
        _ meter: WhatIfInputs.MeterHistory, _ switched: [(deviceID: String, isOn: Bool, hours: QuietHours?)]
    ) throws(WhatIfError) -> MeterComputation {
        let amounts = HourBuckets.amounts(meter)
        let running = Self.runningAmount(amounts)
        var (kept, before, after): ([WhatIfWindows.Window], [[Double]], [[Double]]) = ([], [], [])
        for window in weeks {
            let hours = window.hours.map { amounts[$0] }
            guard hours.allSatisfy({ $0 != nil }) else { continue }
            let weighted = zip(hours, windows.slots).map { ($0 ?? 0) * $1.weight }
            var changed = weighted
            for (place, hour) in window.hours.enumerated() {
                for change in switched where isWithin(change.hours, hour) {
                    if !change.isOn {
                        changed[place] = 0
                    } else if let running {
                        changed[place] = max(weighted[place], running * windows.slots[place].weight)
                    } else {
                        throw .neverOn(deviceID: change.deviceID)
                    }
                }
            }
            kept.append(window)
            before.append(weighted)
            after.append(changed)
        }
        guard kept.count >= PredictionInterval.minimumCount else {
            throw .tooFewPeriods(have: kept.count, needed: PredictionInterval.minimumCount)
        }
        return MeterComputation(entityID: meter.entityID, kind: meter.metering.energy, windows: kept, before: before, after: after)
    }

    /// The consumption in an hour in which it is on throughout: the mean of the hours with at least 70 % of the fifth highest. Nil with
    /// fewer than five hours, which prove nothing.
    private static func runningAmount(_ amounts: [Date: Double]) -> Double? {
        let fullest = amounts.values.sorted(by: >)
        guard fullest.count >= 5, fullest[4] > 0 else { return nil }
        let full = fullest.filter { $0 >= 0.7 * fullest[4] }
        return full.reduce(0, +) / Double(full.count)
    }
}
