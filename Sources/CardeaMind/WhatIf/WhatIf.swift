import CardeaModel
import Foundation

/// Answers what would be, from what was.
///
/// What a meter counts is compared with the same hours of past weeks. A room's heating is taken from the days before, because weather
/// is more like yesterday's than like last month's: each of those days is heated again as asked, by the room's thermal twin, and the spread
/// of the days and the twin's own uncertainty together are the error that is shown. Doors are replayed. Nothing here can act.
public struct WhatIf: Sendable {
    public let history: WhatIfHistory
    public let now: Date
    /// In whose words it is told.
    let words: WhatIfWords

    public init(_ history: WhatIfHistory, at now: Date, in words: WhatIfWords = WhatIfWords()) {
        self.history = history
        self.now = now
        self.words = words
    }

    /// Days that are heated again, at most, and how far back they may lie.
    static let (heatedDays, heatedReach) = (14, 35)
    /// Weeks in which the same hours are looked at.
    static let weeks = 8

    public func answer(_ question: WhatIfQuestion) -> WhatIfResult {
        var work = WhatIfWork(question: question, history: history, now: now, words: words)
        return work.result()
    }
}

/// One question being worked out.
struct WhatIfWork {
    let question: WhatIfQuestion
    let history: WhatIfHistory
    let now: Date
    let words: WhatIfWords
    let windows: WhatIfWindows
    let nights: [WhatIfWindows.Window]
    let weeks: [WhatIfWindows.Window]

    var rooms: [RoomWork] = []
    var meters: [MeterWork] = []
    var energyProblem: WhatIfProblem?
    var roomProblem: WhatIfProblem?
    var answers: [WhatIfMetric: WhatIfResult.Answer] = [:]
    var problems: [WhatIfMetric: WhatIfProblem] = [:]
    var recommendations: [WhatIfResult.Recommendation] = []

    /// A room whose past days were heated again.
    struct RoomWork {
        let roomID: String
        /// °C that were asked for, each once.
        let wishes: [Double]
        let again: HeatingAgain
        let perHeating: Double?
        let kind: EnergyKind
        let meterID: String?
        let windows: [WhatIfWindows.Window]
        /// By window and slot, °C at which the room is held; nil where it is heated as it was.
        let goals: [[Double?]]
        let stretches: [HeatingAgain.Stretch]
        let entities: [String]
    }

    /// A meter over the same hours of past weeks, as they were and with the device on or off.
    struct MeterWork {
        let entityID: String
        let kind: EnergyKind
        let windows: [WhatIfWindows.Window]
        /// By window, by slot.
        let before: [[Double]]
        let after: [[Double]]
    }

    init(question: WhatIfQuestion, history: WhatIfHistory, now: Date, words: WhatIfWords) {
        self.question = question
        self.history = history
        self.now = now
        self.words = words
        windows = WhatIfWindows(from: question.from, duration: question.duration, zone: history.house.zone)
        nights = windows.past(step: 1, atMost: WhatIf.heatedReach, within: WhatIf.heatedReach, before: now)
        weeks = windows.past(step: 7, atMost: WhatIf.weeks, within: WhatIf.weeks * 7 + 31, before: now)
    }

    mutating func result() -> WhatIfResult {
        heatRooms()
        readMeters()
        if question.metrics.contains(.energy) || question.metrics.contains(.cost) { tellEnergy() }
        if question.metrics.contains(.temperature) { tellTemperature() }
        if question.metrics.contains(.comfort) { tellComfort() }
        let (replay, notices) = question.metrics.contains(.access) ? tellAccess() : (nil, [:])
        recommend()
        let watched = notices.keys.map { ($0, words.name($0, in: history.house)) }
        return WhatIfResult(
            about: about, answers: answers, problems: problems, recommendations: recommendations, basis: basis, replay: replay,
            notices: notices, watched: Dictionary(watched) { first, _ in first })
    }

    // MARK: What is looked at

    private mutating func heatRooms() {
        let wishes = question.changes.compactMap { change -> Wish? in
            if case .temperature(let roomID, let celsius, let hours) = change {
                Wish(roomID: roomID, celsius: celsius, hours: hours)
            } else {
                nil
            }
        }
        var seen: Set<String> = []
        for roomID in wishes.map(\.roomID) where seen.insert(roomID).inserted {
            do { rooms.append(try heat(roomID, wishes.filter { $0.roomID == roomID })) } catch { roomProblem = roomProblem ?? error }
        }
    }

    private struct Wish {
        let roomID: String
        let celsius: Double
        let hours: QuietHours?
    }

    /// - Parameter wishes: of this room; where two speak of the same hour, the later one counts.
    private func heat(_ roomID: String, _ wishes: [Wish]) throws(WhatIfProblem) -> RoomWork {
        guard let room = history.rooms.first(where: { $0.roomID == roomID }) else { throw .noReadings(roomID: roomID) }
        let (again, perHeating, kind, meterID) = try HeatingAgain.prepare(room, meters: history.meters)
        var heated: [(window: WhatIfWindows.Window, goals: [Double?], stretch: HeatingAgain.Stretch)] = []
        for window in nights where heated.count < WhatIf.heatedDays {
            let goals = window.hours.map { hour in wishes.last { isWithin($0.hours, hour) }?.celsius }
            let stretch = again.again(window.hours, goals: goals, constants: again.twin.constants, part: windows.slots.first?.weight ?? 1)
            if let stretch { heated.append((window, goals, stretch)) }
        }
        guard heated.count >= WhatIfSpread.fewest else { throw .tooThin(have: heated.count, needed: WhatIfSpread.fewest) }
        return RoomWork(
            roomID: roomID, wishes: Array(Set(wishes.map(\.celsius))).sorted(), again: again, perHeating: perHeating, kind: kind,
            meterID: meterID, windows: heated.map(\.window), goals: heated.map(\.goals), stretches: heated.map(\.stretch),
            entities: [room.inside.entityID, room.outside.entityID] + [meterID].compactMap(\.self))
    }

    /// An hour is within what its middle is within.
    private func isWithin(_ hours: QuietHours?, _ hour: Date) -> Bool {
        hours?.contains(hour.addingTimeInterval(1800), in: history.house.zone) ?? true
    }

    private mutating func readMeters() {
        let switched = question.changes.compactMap { change -> (deviceID: String, isOn: Bool, hours: QuietHours?)? in
            if case .power(let deviceID, let isOn, let hours) = change { (deviceID, isOn, hours) } else { nil }
        }
        let isAboutRooms = question.changes.contains { if case .temperature = $0 { true } else { false } }
        let heated = Set(rooms.compactMap(\.meterID))
        for change in switched where !history.meters.contains(where: { $0.deviceID == change.deviceID }) {
            energyProblem = energyProblem ?? .noMeter(deviceID: change.deviceID)
        }
        for meter in history.meters where !heated.contains(meter.entityID) && meter.metering.energy != .solar {
            let own = switched.filter { $0.deviceID == meter.deviceID }
            // Of what changes; of the whole house where nothing does that uses anything.
            guard !own.isEmpty || (switched.isEmpty && !isAboutRooms && meter.metering.energy == .electricity) else { continue }
            do { meters.append(try read(meter, own)) } catch { energyProblem = energyProblem ?? error }
        }
    }

    private func read(
        _ meter: WhatIfHistory.Meter, _ switched: [(deviceID: String, isOn: Bool, hours: QuietHours?)]
    ) throws(WhatIfProblem) -> MeterWork {
        let amounts = HourShelf.amounts(meter)
        let running = Self.running(amounts)
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
        guard kept.count >= WhatIfSpread.fewest else { throw .tooThin(have: kept.count, needed: WhatIfSpread.fewest) }
        return MeterWork(entityID: meter.entityID, kind: meter.metering.energy, windows: kept, before: before, after: after)
    }

    /// What it takes in an hour in which it is on throughout: the mean of the hours that come near the fifth fullest. Fewer than five such
    /// hours may have been anything.
    private static func running(_ amounts: [Date: Double]) -> Double? {
        let fullest = amounts.values.sorted(by: >)
        guard fullest.count >= 5, fullest[4] > 0 else { return nil }
        let full = fullest.filter { $0 >= 0.7 * fullest[4] }
        return full.reduce(0, +) / Double(full.count)
    }
}
