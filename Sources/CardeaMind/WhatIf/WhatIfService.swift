import CardeaModel
import Foundation

/// Answers what-if questions for one requester from the data they may see. It looks up and calculates; it holds nothing that can act.
public struct WhatIfService: Sendable {
    let houseReader: any HouseReader
    let records: any CommandHistoryReader
    let houseHistory: any HouseHistory
    let models: ThermalTwinCache
    /// The words for the answer.
    let words: WhatIfText
    let now: @Sendable () -> Date
    /// The automations of the house.
    let automations: @Sendable () async throws -> [Automation]

    init(
        houseReader: any HouseReader, records: any CommandHistoryReader, houseHistory: any HouseHistory, models: ThermalTwinCache,
        words: WhatIfText,
        now: @escaping @Sendable () -> Date, automations: @escaping @Sendable () async throws -> [Automation]
    ) {
        self.houseReader = houseReader
        self.records = records
        self.houseHistory = houseHistory
        self.models = models
        self.words = words
        self.now = now
        self.automations = automations
    }

    public init(
        houseReader: any HouseReader, records: any CommandHistoryReader, houseHistory: any HouseHistory, automations: [Automation] = [],
        now: @escaping @Sendable () -> Date
    ) {
        self.init(
            houseReader: houseReader, records: records, houseHistory: houseHistory, models: ThermalTwinCache(), words: WhatIfText(),
            now: now
        ) { automations }
    }

    /// The question as it was understood, and its result.
    public struct Answer: Sendable {
        public let question: WhatIfQuestion
        public let result: WhatIfResult
        /// The house as the requester sees it, for names in the answer.
        public let house: HouseSnapshot
        /// The answer in sentences.
        public let words: String
    }

    /// - Throws: `WhatIfFieldError` for a question that cannot be read.
    public func answer(_ draft: WhatIfRequest, seenBy visibility: RequesterVisibility, preferences: Preferences) async throws -> Answer {
        let (now, house) = (now(), try await houseReader.house().seen(by: visibility))
        let question = try WhatIfQuestion.parse(draft, in: house, seenBy: visibility, at: now)
        return try await answer(question, in: house, seenBy: visibility, preferences: preferences, at: now)
    }

    private func answer(
        _ question: WhatIfQuestion, in house: HouseSnapshot, seenBy visibility: RequesterVisibility, preferences: Preferences, at now: Date
    ) async throws -> Answer {
        let gathering = WhatIfDataLoader(houseHistory: houseHistory, twins: models, house: house, visibility: visibility, now: now)
        var history = WhatIfInputs(house: house, preferences: preferences, seesEnergy: visibility.seesEnergy)
        try await loadHistory(question, gathering, into: &history)
        let words = words.converted(preferences.temperatureUnit)
        let result = WhatIfEngine(history, at: now, in: words).answer(question)
        return Answer(question: question, result: result, house: house, words: words.reply(to: question, result))
    }

    // MARK: Evidence

    private func loadHistory(_ question: WhatIfQuestion, _ gathering: WhatIfDataLoader, into history: inout WhatIfInputs) async throws {
        var (rooms, devices, watched): (Set<String>, Set<String>, [String]) = ([], [], [])
        var isAboutAccess = false
        for change in question.changes {
            switch change {
            case .temperature(let roomID, _, _): rooms.insert(roomID)
            case .power(let deviceID, _, _): devices.insert(deviceID)
            case .access: isAboutAccess = true
            case .watch(let entityID, _): watched.append(entityID)
            }
        }
        let asksForUse = question.metrics.contains(.energy) || question.metrics.contains(.cost)
        var meters = gathering.house.devices.filter { devices.contains($0.id) }.flatMap { gathering.meters(of: $0) }
        if rooms.isEmpty, devices.isEmpty, asksForUse { meters = gathering.houseMeters() }
        for meter in meters { history.meters.append(try await gathering.loadMeter(meter)) }
        for room in rooms.sorted() {
            guard let found = try await gathering.loadRoom(room) else { continue }
            history.rooms.append(found.room)
            history.meters += found.meters.filter { new in !history.meters.contains { $0.entityID == new.entityID } }
        }
        if question.metrics.contains(.access) {
            if isAboutAccess { history.replay = try await replay(question, gathering) }
            for device in gathering.house.devices where device.entities.contains(where: { watched.contains($0.id) }) {
                history.events += try await gathering.events(of: device.id, days: question.lookbackDays)
                for entity in device.entities where watched.contains(entity.id) {
                    history.events += try await gathering.initialStateEvents(of: entity.id, on: device.id, days: question.lookbackDays)
                }
            }
            if !watched.isEmpty { history.watchRules = try await currentWatchRules(watched, seenBy: gathering.visibility) }
        }
    }

    /// The rules that watch these entities now. Unknown if the requester may not see automations.
    private func currentWatchRules(_ watched: [String], seenBy visibility: RequesterVisibility) async throws -> [String: WatchRule.Baseline]
    {
        let tellers = visibility.seesAutomations ? try await automations() : nil
        return Dictionary(
            watched.map { entityID in (entityID, tellers.map { WatchRule.former(of: entityID, in: $0) } ?? .unknown) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The attempts of the last days by people whose actions the requester may see.
    private func replay(_ question: WhatIfQuestion, _ gathering: WhatIfDataLoader) async throws -> AccessReplay {
        let since = gathering.now.addingTimeInterval(-Double(question.lookbackDays) * 86_400)
        let whole = try await records.replay(since: since)
        let brought = try await houseHistory.importedCommands(since: since)
        let all = whole.attempts + AccessReplay.attempts(in: brought.events)
        return AccessReplay(
            all.filter { gathering.visibility.sees($0) }, under: whole.rules, since: [whole.since, brought.since].compactMap(\.self).max())
    }
}

extension RequesterVisibility {
    /// Returns whether the requester may know of an attempt.
    fileprivate func sees(_ attempt: AccessReplay.Attempt) -> Bool {
        let event = HouseEvent(
            id: attempt.id, at: attempt.at, deviceID: attempt.deviceID, entityID: attempt.entityID, actor: attempt.actor,
            fact: .command(attempt.verb, attempt.status, refusal: attempt.refusal))
        return redacted(event) != nil
    }
}

// MARK: Questions in plain words

extension WhatIfService {
    /// The default night for people without sleeping hours.
    private static let defaultNight = TimeOfDay(minutes: 22 * 60).flatMap { from in
        TimeOfDay(minutes: 6 * 60).map { QuietHours(from: from, to: $0) }
    }

    /// Answers a question in plain words: "What would it cost to keep 22 degrees all night?"
    ///
    /// - Parameter house: the house as the requester sees it.
    public func reply(
        to supposed: WhatIfIntent, in house: HouseSnapshot, seenBy visibility: RequesterVisibility, preferences: Preferences
    ) async throws -> Reply {
        let (now, words) = (now(), words.converted(preferences.temperatureUnit))
        guard let celsius = supposed.temperature, WhatIfChange.temperatures.contains(celsius) else {
            return Reply(words.allowedTemperatures(WhatIfChange.temperatures), confidence: 0)
        }
        let gathering = WhatIfDataLoader(houseHistory: houseHistory, twins: models, house: house, visibility: visibility, now: now)
        let meant = rooms(meantBy: supposed.subject, in: house)
        guard !meant.isEmpty else { return Reply(words.noHeatedRoom, confidence: 0) }
        var (known, unknown): ([Room], [Room]) = ([], [])
        for room in meant {
            if case .success = try await gathering.loadRoom(room.id)?.room.model { known.append(room) } else { unknown.append(room) }
        }
        let night = supposed.isNight ? house.quietHours ?? Self.defaultNight : nil
        let from = WhatIfQuestion.next([night].compactMap(\.self), after: now, in: house.zone)
        let question = WhatIfQuestion(
            scenario: "", changes: (known.isEmpty ? unknown : known).map { .temperature(roomID: $0.id, celsius: celsius, during: night) },
            // A room kept warm through the night needs no heating up in the morning, so the whole day is counted.
            from: from, duration: night == nil ? supposed.duration ?? 86_400 : 86_400,
            metrics: supposed.asksCost ? [.energy, .cost] : [.energy, .cost, .temperature])
        let answer = try await answer(question, in: house, seenBy: visibility, preferences: preferences, at: now)
        var reply = Reply(answer.words, confidence: answer.result.confidence)
        reply.whatIfQuestion = question
        if night != nil, !answer.result.answers.isEmpty {
            reply.response += " " + words.dayBoundaryNote(from: LocalHour.clock(LocalHour(from, in: house.zone).minute))
        }
        if !known.isEmpty, !unknown.isEmpty {
            reply.response += " " + words.excludedRooms(unknown)
        }
        let entities = Set(answer.result.basis.entities)
        reply.devices = house.devices.filter { $0.entities.contains { entities.contains($0.id) } }.map(\.id)
        if !answer.result.answers.isEmpty {
            (reply.events, reply.moreEvents) = try await evidence(of: answer.result.basis, in: house, seenBy: visibility)
        }
        for metric in [WhatIfMetric.cost, .energy] {
            if let told = answer.result.answers[metric] {
                reply.facts.append(.number(told.difference.value, unit: told.unit.isEmpty ? nil : told.unit, of: nil))
            }
        }
        return reply
    }

    /// The evidence to open for an answer: the hours that sensors reported in its windows, and the states of a thermostat that reports only
    /// when it heats.
    private func evidence(
        of basis: WhatIfResult.Basis, in house: HouseSnapshot, seenBy visibility: RequesterVisibility
    ) async throws -> (events: [String], more: Int) {
        guard let from = basis.windows.map(\.start).min(), let to = basis.windows.map(\.end).max() else { return ([], 0) }
        let kinds = Dictionary(house.devices.flatMap(\.entities).map { ($0.id, $0.kind) }) { first, _ in first }
        var (events, more): ([String], Int) = ([], 0)
        for entityID in basis.entities {
            if kinds[entityID] == .sensor {
                let hours = try await houseHistory.hours(of: entityID, from: from, to: to, seenBy: visibility)
                events += [ReadingEvidence(of: entityID, hours)?.id].compactMap(\.self)
            } else {
                let wanted = HouseEventFilter(entities: [entityID], kinds: [.state], from: from, to: to, limit: Self.evidenceLimit)
                let found = try await houseHistory.events(wanted, seenBy: visibility)
                events += found.reversed().map(\.id)
                if found.count == Self.evidenceLimit {
                    more += max(try await houseHistory.count(wanted, seenBy: visibility) - found.count, 0)
                }
            }
        }
        return (events, more)
    }

    /// The most events of one entity in the evidence: the latest.
    private static let evidenceLimit = 20

    /// The heated rooms that are meant: those that were named, or all of them.
    private func rooms(meantBy subject: DeviceReference, in house: HouseSnapshot) -> [Room] {
        let heated = Set(ThermalSensors.heatedRooms(of: house))
        let isRoomNamed = subject.named.joined().contains { if case .room = $0 { true } else { false } }
        // For a named device, its room and no other.
        let isThing = !subject.named.isEmpty && !isRoomNamed && subject.rooms.isEmpty
        let meant = isThing ? house.devices(meantBy: subject).compactMap(\.roomID) : house.rooms(meantBy: subject).map(\.id)
        return house.rooms.filter { meant.contains($0.id) && heated.contains($0.id) }
    }
}

extension WhatIfResult {
    /// 0 if nothing can be answered; higher if the differences are significant.
    var confidence: Double {
        guard let told = answers[.cost] ?? answers[.energy] ?? answers[.temperature] else { return 0 }
        return told.difference.excludesZero ? 0.9 : 0.6
    }
}
