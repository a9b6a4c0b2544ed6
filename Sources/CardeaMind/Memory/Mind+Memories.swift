import CardeaModel
import CardeaStore
import Foundation
import Synchronization

/// The memory of the house as a whole: what it was told, what it learned, and what happened.
extension Mind {
    /// Searches memories.
    public func findMemories(_ search: MemorySearch, by requester: MemoryRequester) async throws -> MemorySearchResult {
        try await findMemories(search, by: requester, hasHappenings: true)
    }

    func findMemories(
        _ search: MemorySearch, by requester: MemoryRequester, hasHappenings: Bool
    ) async throws -> MemorySearchResult {
        let house = try await houseReader.house()
        let stored = try await memories.candidates(search)
        var found = Dictionary(stored.map { ($0.memory.id, $0) }) { one, _ in one }
        for memory in habitMemories(in: house, by: requester).keys { found[memory.id] = StoredMemory(memory: memory, version: 0) }
        let happened: (found: [Memory], read: Int, since: Date?) =
            hasHappenings ? try await searchEvents(search, in: house, by: requester) : ([], 0, nil)
        for memory in happened.found { found[memory.id] = StoredMemory(memory: memory, version: 0) }
        var whole = search
        whole.limit = 200
        // The search compares the text that the requester reads.
        let seen = found.values.map(\.memory).filter(requester.visibility.sees).map { $0.rendered(in: requester.degrees) }
        let hits = whole.hits(in: seen, at: time.now())
        let corrections = state.withLock { $0.habits?.corrections ?? [:] }
        let shown = hits.prefix(search.limit).compactMap { hit in found[hit.memory.id] }.map { one in
            visibleMemory(one.memory, one.version, corrections, house, requester)
        }
        return MemorySearchResult(memories: shown, total: hits.count, readCount: happened.read, since: happened.since)
    }

    /// The memory with this id, as far as the requester may see it.
    public func memory(_ id: String, by requester: MemoryRequester) async throws -> VisibleMemory {
        let house = try await houseReader.house()
        let corrections = state.withLock { $0.habits?.corrections ?? [:] }
        if let key = HabitKey(memoryID: id) {
            guard let memory = habitMemories(in: house, by: requester).first(where: { $0.value == key })?.key else {
                throw MemoryError.notFound
            }
            return visibleMemory(memory, 0, corrections, house, requester)
        }
        if let number = Int64(id.dropFirst(HouseEvent.prefix.count)), id.hasPrefix(HouseEvent.prefix) {
            guard let event = try await eventStore.event(number, seenBy: requester.visibility) else { throw MemoryError.notFound }
            let told = try await eventMemories([event], in: house, by: requester)
            guard let one = told.first else { throw MemoryError.notFound }
            return visibleMemory(one, 0, corrections, house, requester)
        }
        if id.hasPrefix(ReadingEvidence.prefix) {
            guard let one = try await readingMemory(id, in: house, by: requester) else { throw MemoryError.notFound }
            return visibleMemory(one, 0, corrections, house, requester)
        }
        guard let stored = try await memories.one(id), requester.visibility.sees(stored.memory) else { throw MemoryError.notFound }
        memories.record(use: id)
        return visibleMemory(stored.memory, stored.version, corrections, house, requester)
    }

    /// Stores a memory told by a person.
    ///
    /// - Parameter id: its id from then on. Sent again under the same id, it is the same memory.
    public func addMemory(
        _ draft: MemoryDraft, id: String, by requester: MemoryRequester, record: ChangeRecorder
    ) async throws -> VisibleMemory {
        let house = try await houseReader.house()
        // A device that the requester may not see counts as missing.
        let known = Set(house.seen(by: requester.visibility).devices.map(\.id))
        try Self.require(draft.relatedDevices, in: known)
        let stored = try await memories.add(draft, by: requester.key, id: id, record: record)
        return visibleMemory(stored.memory, stored.version, [:], house, requester)
    }

    /// Changes the text of a memory, or corrects a habit.
    public func changeMemory(
        _ id: String, _ change: MemoryChange, seen: ExpectedVersion, by requester: MemoryRequester, record: ChangeRecorder
    ) async throws -> VisibleMemory {
        let house = try await houseReader.house()
        if let key = HabitKey(memoryID: id) {
            guard !change.changesContent, let correction = change.correction else { throw MemoryError.learned }
            try await correctHabit(key, correction, in: house, by: requester, record: record)
            return try await memory(id, by: requester)
        }
        if Self.isReadOnly(id) { throw MemoryError.readOnly }
        if change.correction != nil { throw MemoryError.correction(.doesNotFit) }
        if let devices = change.relatedDevices {
            try Self.require(devices, in: Set(house.seen(by: requester.visibility).devices.map(\.id)))
        }
        let stored = try await memories.change(id, change, seen: seen, by: requester, record: record)
        return visibleMemory(stored.memory, stored.version, [:], house, requester)
    }

    /// Deletes a memory. A deleted habit is not learned again.
    public func deleteMemory(_ id: String, seen: ExpectedVersion, by requester: MemoryRequester, record: ChangeRecorder) async throws {
        if let key = HabitKey(memoryID: id) {
            return try await correctHabit(key, .correct(.forgotten), in: try await houseReader.house(), by: requester, record: record)
        }
        if Self.isReadOnly(id) { throw MemoryError.readOnly }
        try await memories.delete(id, seen: seen, by: requester, record: record)
    }

    /// Returns true for events and readings, which cannot be changed.
    private static func isReadOnly(_ id: String) -> Bool { id.hasPrefix(HouseEvent.prefix) || id.hasPrefix(ReadingEvidence.prefix) }

    private static func require(_ devices: [String], in known: Set<String>) throws {
        if let stranger = devices.first(where: { !known.contains($0) }) { throw MemoryError.noDevice(stranger) }
    }

    private func visibleMemory(
        _ memory: Memory, _ version: Int, _ corrections: [HabitKey: AttributedHabitCorrection], _ house: HouseSnapshot,
        _ requester: MemoryRequester
    ) -> VisibleMemory {
        let key = HabitKey(memoryID: memory.id)
        let isMine = key.map { $0.subject == requester.key } ?? (memory.person == requester.key)
        return VisibleMemory(
            memory: memory.rendered(in: requester.degrees), version: version, correction: key.flatMap { corrections[$0] },
            canChange: !Self.isReadOnly(memory.id) && (requester.managesHouse || isMine),
            authorName: memory.person.flatMap { person in house.people.first { $0.key == person }?.name },
            containsTemperatures: memory.containsTemperatures)
    }

    // MARK: Habits

    private func habitMemories(in house: HouseSnapshot, by requester: MemoryRequester) -> [Memory: HabitKey] {
        let habits = state.withLock { $0.habits }
        let all = habits?.all(in: house, seenBy: requester.visibility, lexicon) ?? []
        let told = all.map { habit in
            let learnedAt = habits?.learned[habit.key] ?? habit.correction?.at ?? time.now()
            return (Memory(of: habit, learnedAt: learnedAt, lexicon, degrees: requester.degrees), habit.key)
        }
        return Dictionary(told) { one, _ in one }
    }

    private func correctHabit(
        _ key: HabitKey, _ correction: MemoryChange.Correction, in house: HouseSnapshot, by requester: MemoryRequester,
        record: ChangeRecorder
    ) async throws {
        let before = state.withLock { $0.habits }
        guard let before, before.all(in: house, seenBy: requester.visibility).contains(where: { $0.key == key }) else {
            throw MemoryError.notFound
        }
        guard requester.managesHouse || key.subject == requester.key else { throw MemoryError.notAllowed }
        let now = time.now()
        let deviceClass = house.devices.lazy.flatMap(\.entities).first { $0.id == key.subject }?.deviceClass
        func corrected(_ habits: inout Habits) throws {
            switch correction {
            case .relearn: habits.removeCorrection(key)
            case .correct(let correction):
                do { try habits.correct(key, correction, of: deviceClass, by: requester.key, at: now) } catch {
                    throw MemoryError.correction(error)
                }
            }
        }
        var trial = before
        try corrected(&trial)
        // Recorded in the journal first; then applied, and saved with the rest of the mind.
        var data: [String: JSONValue] = ["removed": false]
        // The hours at which a person is home are visible to that person only.
        if key.aspect == .home { data["person_id"] = .string(String(key.subject.dropFirst("person:".count))) }
        try await store.write { [data] in try record(.memoryChanged, subject: key.memoryID, data: data, in: $0) }
        try state.withLock { inner in
            if var habits = inner.habits {
                try corrected(&habits)
                inner.habits = habits
            }
        }
        try await saveState()
    }

    // MARK: Events

    /// The most events that a search reads in full, and the most that the database scans for it.
    static let (searchReach, searchDepth) = (5000, 200_000)

    /// Searches events back to the beginning, or until the wanted number is found, latest first. Matches by a name are found however old
    /// they are; others as far back as can be read while the requester waits.
    private func searchEvents(
        _ search: MemorySearch, in house: HouseSnapshot, by requester: MemoryRequester
    ) async throws -> (found: [Memory], read: Int, since: Date?) {
        let visibility = requester.visibility
        guard search.types?.contains(.episodic) ?? true else { return ([], 0, nil) }
        let kinds = search.category.map(Memory.kinds(ofCategory:))
        guard kinds?.isEmpty != true else { return ([], 0, nil) }
        var wanted = HouseEventFilter(
            devices: search.devices, kinds: kinds, from: search.from, to: search.to,
            limit: search.words.isEmpty ? min(search.limit * 2, 400) : 1000)
        guard !search.words.isEmpty else {
            let page = try await eventStore.events(wanted, seenBy: visibility)
            return (try await eventMemories(page, in: house, by: requester), page.count, nil)
        }
        let stems = Set(MemorySearch.stems(search.words))
        guard !stems.isEmpty else { return ([], 0, nil) }
        var words = try await textMatch(stems, in: house, seenBy: visibility)
        var (found, seen, read, since): ([Memory], Set<String>, Int, Date?) = ([], [], 0, nil)
        if case .quoted(_, let border) = words.others { since = border }
        while found.count < search.limit, !words.isEmpty {
            try Task.checkCancellation()
            let page = try await eventStore.events(wanted, matching: words, seenBy: visibility)
            read += page.count
            let fresh = page.filter { seen.insert($0.id).inserted }
            found += try await eventMemories(fresh, in: house, by: requester).filter { search.matches($0, by: stems) }
            // If the page is not full, everything has been read.
            guard page.count >= wanted.limit, !fresh.isEmpty, let last = page.last else { break }
            // The last moment is read again, since it may have several events.
            wanted.to = last.at.addingTimeInterval(0.001)
            if read >= Self.searchReach {
                // Matches by name get twice the depth: all of them are found, unless they are of another category.
                if words.others != nil { since = last.at }
                words.others = nil
                if read >= 2 * Self.searchReach {
                    since = last.at
                    break
                }
            }
        }
        // With enough hits the search depth does not matter, nor does the time before `from`.
        let isCut = found.count < search.limit && since.map { $0 > search.from ?? .distantPast } ?? false
        return (found, read, isCut ? since : nil)
    }

    /// The events that may contain one of these words: those with the word in their name, and all others if the house itself uses the
    /// word.
    private func textMatch(
        _ stems: Set<String>, in house: HouseSnapshot, seenBy visibility: RequesterVisibility
    ) async throws -> HouseEventRecords.TextMatch {
        let named = try await eventStore.participants(latest: Self.searchDepth)
        let names = Dictionary(house.devices.map { ($0.id, $0.name) }) { one, _ in one }
        func says(_ text: String?) -> Bool { text.map { !stems.isDisjoint(with: MemorySearch.stems($0)) } ?? false }
        let answering = questionAnswerer(in: house)
        let actors = answering.actors(among: named.actors, saying: stems, in: house, seenBy: visibility, at: time.now())
        let isOwn =
            Memory.eventCategories.contains(where: says)
            || stems.contains { stem in
                stem.contains(where: \.isNumber) || lexicon.stems.contains(stem)
            }
        return HouseEventRecords.TextMatch(
            devices: named.devices.filter { says($0) || says(names[$0]) }, actors: actors,
            others: isOwn ? .all : .quoted(stems, since: named.since))
    }

    /// A sensor's hourly readings as a memory, which is made when it is read.
    private func readingMemory(_ id: String, in house: HouseSnapshot, by requester: MemoryRequester) async throws -> Memory? {
        guard let evidence = ReadingEvidence(memoryID: id) else { return nil }
        let hours = try await eventStore.hours(of: evidence.entityID, from: evidence.from, to: evidence.to, seenBy: requester.visibility)
        let line = questionAnswerer(in: house).describeReadings(
            of: evidence, hours, in: house, seenBy: requester.visibility, at: time.now(), degrees: requester.degrees)
        return line.map { Memory(of: evidence, hours, text: $0.text, device: $0.device) }
    }

    private func eventMemories(_ events: [HouseEvent], in house: HouseSnapshot, by requester: MemoryRequester) async throws -> [Memory] {
        let lines = questionAnswerer(in: house).describeEvents(
            of: events, in: house, seenBy: requester.visibility, at: time.now(), degrees: requester.degrees)
        let names = Dictionary(house.devices.map { ($0.id, $0.name) }) { one, _ in one }
        return zip(events, lines).map { event, line in
            Memory(of: event, sentence: line, title: event.deviceID.flatMap { names[$0] })
        }
    }

    // MARK: In conversation

    /// "Remember that the boiler was serviced": it is done only when the person says yes to it, and "today" is kept as its date. "What do
    /// you remember about the boiler?"
    func reply(_ ask: QueryIntent, _ visibility: RequesterVisibility, in house: HouseSnapshot, degrees: TemperatureUnit) async throws
        -> Reply
    {
        switch ask {
        case .remember(let text):
            let content = AnswerFormatter.capitalized(String(replacingRelativeDays(text, in: house.zone).prefix(Memory.contentLimit)))
            var reply = Reply(lexicon.answerText(.shallRemember, [.words: lexicon.answerText(.quoted, [.name: content])]))
            reply.suggestions = [Suggestion(action: .memory(content), words: lexicon.answerText(.rememberThis, [.words: content]))]
            return reply
        case .recall(let text):
            let requester = MemoryRequester(visibility: visibility, keepsHouse: false, degrees: degrees)
            // Events are searched in another way: here only memories from people and habits are searched.
            let search = MemorySearch(words: text, limit: 60)
            let recalled = try await findMemories(search, by: requester, hasHappenings: false)
            let found = recalled.memories.prefix(3)
            guard !found.isEmpty else { return Reply(lexicon.answerText(.nothingRemembered), confidence: 0) }
            var reply = Reply(
                found.map { one in
                    let words = one.memory.content.hasSuffix(".") ? one.memory.content : one.memory.content + "."
                    return one.authorName.map { lexicon.answerText(.toldBy, [.who: $0, .words: words]) } ?? words
                }.joined(separator: " "))
            for one in found where one.version > 0 { memories.record(use: one.memory.id) }
            reply.events = found.map(\.memory.id)
            reply.moreEvents = recalled.total - found.count
            reply.devices = Array(Set(found.flatMap(\.memory.relatedDevices))).sorted()
            return reply
        default: return Reply(lexicon.answerText(.noMemory), confidence: 0)
        }
    }
}

extension HouseEvent {
    static let prefix = "happening_"
}

extension HabitKey {
    private static let prefix = "habit_"

    var memoryID: String { Self.prefix + aspect.rawValue + "_" + subject }

    /// Nil if `id` is not the id of a habit.
    init?(memoryID id: String) {
        guard id.hasPrefix(Self.prefix) else { return nil }
        let parts = id.dropFirst(Self.prefix.count).split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let aspect = Aspect(rawValue: String(parts[0])), !parts[1].isEmpty else { return nil }
        self.init(String(parts[1]), aspect)
    }
}

extension Memory {
    /// - Parameter degrees: the reader's temperature unit. The memory is made when it is read.
    init(of habit: Habit, learnedAt: Date, _ lexicon: Lexicon, degrees: TemperatureUnit) {
        self.init(
            id: habit.key.memoryID, createdAt: learnedAt, type: habit.key.aspect == .level ? .semantic : .procedural, category: "habit",
            importance: 0.5, title: String((habit.words.names.first ?? lexicon.stateText(.aHabit)).prefix(100)),
            content: habit.words.text(in: degrees),
            details: ["days": .number(Double(habit.days))], source: .learned, confidence: habit.sureness,
            relatedDevices: [habit.deviceID].compactMap { $0 })
    }

    /// The categories of event memories, with the kinds of events in each.
    private static let kindsByCategory: [String: HouseEventFilter.Kind] = [
        "refusal": .asked, "command": .asked, "event": .seen, "presence": .presence, "reach": .standing, "state": .state,
    ]
    static var eventCategories: Dictionary<String, HouseEventFilter.Kind>.Keys { kindsByCategory.keys }

    static func kinds(ofCategory category: String) -> Set<HouseEventFilter.Kind> {
        Set([kindsByCategory[category.lowercased()]].compactMap(\.self))
    }

    /// - Parameters:
    ///   - sentence: made for an requester who may see the event.
    ///   - title: the name of its device.
    init(of event: HouseEvent, sentence: String, title: String?) {
        let (category, importance, source): (String, Double, Source) =
            switch event.fact {
            case .command(_, _, .some): ("refusal", 0.8, .internal)
            case .command: ("command", 0.5, .internal)
            case .sighting: ("event", 0.6, .sensor)
            case .presence: ("presence", 0.5, .sensor)
            case .deviceStatus: ("reach", 0.4, .sensor)
            case .state: ("state", 0.3, .sensor)
            }
        self.init(
            id: event.id, createdAt: event.at, type: .episodic, category: category, importance: importance,
            title: title ?? category.prefix(1).uppercased() + category.dropFirst(), content: sentence, source: source,
            relatedDevices: [event.deviceID].compactMap { $0 })
    }

    /// Makes a memory of a deviation, which is worth keeping for longer than everyday events.
    init(of deviation: Deviation, at now: Date, _ lexicon: Lexicon) {
        let stamp = MemoryConsolidation.Topic.fingerprint("\(deviation.id)|\(deviation.since.milliseconds)")
        self.init(
            id: "memory_\(stamp)", createdAt: now, type: .episodic, category: "unusual", importance: 0.6,
            title: String((deviation.words.names.first ?? lexicon.stateText(.notAsUsual)).prefix(100)), content: deviation.words.text,
            details: deviation.isEnergy ? [Memories.energyKey: true] : [:], source: .sensor, confidence: deviation.sureness,
            tags: ["unusual"], relatedDevices: [deviation.deviceID])
        if !deviation.words.warmths.isEmpty { details[Self.sentenceKey] = deviation.words.stored }
    }
}
