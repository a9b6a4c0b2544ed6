import CardeaModel
import CardeaStore
import Foundation
import Synchronization

/// What a search found.
public struct Recalled: Sendable {
    /// The most relevant first.
    public let memories: [RecalledMemory]
    /// Of those that fit; counted to 200.
    public let total: Int
    /// Happenings that were read to find them.
    public let read: Int
    /// Before this, what happened was only looked for by names; nil where all of it was.
    public let since: Date?
}

/// What the house remembers, as one: what it was told, what it learned, and what happened.
extension Mind {
    /// Looks for memories.
    public func recall(_ search: MemorySearch, by asker: Rememberer) async throws -> Recalled {
        try await recall(search, by: asker, hasHappenings: true)
    }

    func recall(
        _ search: MemorySearch, by asker: Rememberer, hasHappenings: Bool
    ) async throws -> Recalled {
        let house = try await senses.house()
        let kept = try await memories.candidates(search)
        var found = Dictionary(kept.map { ($0.memory.id, $0) }) { one, _ in one }
        for memory in learned(in: house, by: asker).keys { found[memory.id] = KeptMemory(memory: memory, version: 0) }
        let happened: (found: [Memory], read: Int, since: Date?) =
            hasHappenings ? try await happened(search, in: house, by: asker) : ([], 0, nil)
        for memory in happened.found { found[memory.id] = KeptMemory(memory: memory, version: 0) }
        var whole = search
        whole.limit = 200
        // What they look for is what they read.
        let seen = found.values.map(\.memory).filter(asker.sight.sees).map { $0.told(in: asker.degrees) }
        let hits = whole.hits(in: seen, at: time.now())
        let corrections = inner.withLock { $0.habits?.corrections ?? [:] }
        let shown = hits.prefix(search.limit).compactMap { hit in found[hit.memory.id] }.map { one in
            recalled(one.memory, one.version, corrections, house, asker)
        }
        return Recalled(memories: shown, total: hits.count, read: happened.read, since: happened.since)
    }

    /// One of them, as far as they may see it.
    public func memory(_ id: String, by asker: Rememberer) async throws -> RecalledMemory {
        let house = try await senses.house()
        let corrections = inner.withLock { $0.habits?.corrections ?? [:] }
        if let key = HabitKey(memoryID: id) {
            guard let memory = learned(in: house, by: asker).first(where: { $0.value == key })?.key else {
                throw MemoryProblem.notFound
            }
            return recalled(memory, 0, corrections, house, asker)
        }
        if let number = Int64(id.dropFirst(Happening.prefix.count)), id.hasPrefix(Happening.prefix) {
            guard let happening = try await memory.happening(number, seenBy: asker.sight) else { throw MemoryProblem.notFound }
            let told = try await told([happening], in: house, by: asker)
            guard let one = told.first else { throw MemoryProblem.notFound }
            return recalled(one, 0, corrections, house, asker)
        }
        if id.hasPrefix(ReadingEvidence.prefix) {
            guard let one = try await read(id, in: house, by: asker) else { throw MemoryProblem.notFound }
            return recalled(one, 0, corrections, house, asker)
        }
        guard let kept = try await memories.one(id), asker.sight.sees(kept.memory) else { throw MemoryProblem.notFound }
        memories.note(use: id)
        return recalled(kept.memory, kept.version, corrections, house, asker)
    }

    /// Remembers what somebody says.
    ///
    /// - Parameter id: by which it is known from then on. Told again under the same one, it is the same memory.
    public func remember(
        _ draft: MemoryDraft, id: String, by asker: Rememberer, record: Recorder
    ) async throws -> RecalledMemory {
        let house = try await senses.house()
        // A device that they may not see is one that there is not.
        let known = Set(house.seen(by: asker.sight).devices.map(\.id))
        try Self.require(draft.relatedDevices, in: known)
        let kept = try await memories.add(draft, by: asker.key, id: id, record: record)
        return recalled(kept.memory, kept.version, [:], house, asker)
    }

    /// Has a memory say something else, or a habit be what a person says it is.
    public func change(
        _ id: String, _ change: MemoryChange, seen: SeenVersion, by asker: Rememberer, record: Recorder
    ) async throws -> RecalledMemory {
        let house = try await senses.house()
        if let key = HabitKey(memoryID: id) {
            guard !change.isOfWords, let correction = change.correction else { throw MemoryProblem.learned }
            try await correct(key, correction, in: house, by: asker, record: record)
            return try await memory(id, by: asker)
        }
        if Self.isAsItHappened(id) { throw MemoryProblem.asItHappened }
        if change.correction != nil { throw MemoryProblem.correction(.doesNotFit) }
        if let devices = change.relatedDevices {
            try Self.require(devices, in: Set(house.seen(by: asker.sight).devices.map(\.id)))
        }
        let kept = try await memories.change(id, change, seen: seen, by: asker, record: record)
        return recalled(kept.memory, kept.version, [:], house, asker)
    }

    /// Forgets a memory. A habit is not learned any more from then on.
    public func forget(_ id: String, seen: SeenVersion, by asker: Rememberer, record: Recorder) async throws {
        if let key = HabitKey(memoryID: id) {
            return try await correct(key, .correct(.forgotten), in: try await senses.house(), by: asker, record: record)
        }
        if Self.isAsItHappened(id) { throw MemoryProblem.asItHappened }
        try await memories.forget(id, seen: seen, by: asker, record: record)
    }

    /// What happened and what was read is nobody's to change.
    private static func isAsItHappened(_ id: String) -> Bool { id.hasPrefix(Happening.prefix) || id.hasPrefix(ReadingEvidence.prefix) }

    private static func require(_ devices: [String], in known: Set<String>) throws {
        if let stranger = devices.first(where: { !known.contains($0) }) { throw MemoryProblem.noDevice(stranger) }
    }

    private func recalled(
        _ memory: Memory, _ version: Int, _ corrections: [HabitKey: CorrectedHabit], _ house: HousePicture, _ asker: Rememberer
    ) -> RecalledMemory {
        let key = HabitKey(memoryID: memory.id)
        let isMine = key.map { $0.subject == asker.key } ?? (memory.person == asker.key)
        return RecalledMemory(
            memory: memory.told(in: asker.degrees), version: version, correction: key.flatMap { corrections[$0] },
            mayChange: !Self.isAsItHappened(memory.id) && (asker.keepsHouse || isMine),
            toldBy: memory.person.flatMap { person in house.people.first { $0.key == person }?.name }, isInDegrees: memory.isInDegrees)
    }

    // MARK: What was learned

    private func learned(in house: HousePicture, by asker: Rememberer) -> [Memory: HabitKey] {
        let habits = inner.withLock { $0.habits }
        let all = habits?.all(in: house, seenBy: asker.sight, lexicon) ?? []
        let told = all.map { habit in
            let learnedAt = habits?.learned[habit.key] ?? habit.correction?.at ?? time.now()
            return (Memory(of: habit, learnedAt: learnedAt, lexicon, degrees: asker.degrees), habit.key)
        }
        return Dictionary(told) { one, _ in one }
    }

    private func correct(
        _ key: HabitKey, _ correction: MemoryChange.Correction, in house: HousePicture, by asker: Rememberer, record: Recorder
    ) async throws {
        let before = inner.withLock { $0.habits }
        guard let before, before.all(in: house, seenBy: asker.sight).contains(where: { $0.key == key }) else {
            throw MemoryProblem.notFound
        }
        guard asker.keepsHouse || key.subject == asker.key else { throw MemoryProblem.notTheirs }
        let now = time.now()
        let deviceClass = house.devices.lazy.flatMap(\.entities).first { $0.id == key.subject }?.deviceClass
        func corrected(_ habits: inout Habits) throws {
            switch correction {
            case .relearn: habits.relearn(key)
            case .correct(let correction):
                do { try habits.correct(key, correction, of: deviceClass, by: asker.key, at: now) } catch {
                    throw MemoryProblem.correction(error)
                }
            }
        }
        var trial = before
        try corrected(&trial)
        // On record first; then it is so, and is kept with the rest of the mind.
        var data: [String: JSONValue] = ["removed": false]
        // When somebody is usually at home is for nobody else's ears.
        if key.aspect == .home { data["person_id"] = .string(String(key.subject.dropFirst("person:".count))) }
        try await store.write { [data] in try record(.memoryChanged, subject: key.memoryID, data: data, in: $0) }
        try inner.withLock { inner in
            if var habits = inner.habits {
                try corrected(&habits)
                inner.habits = habits
            }
        }
        try await keepItself()
    }

    // MARK: What happened

    /// Happenings that a search reads to see whether they say what is looked for, and those that the database looks through for it.
    static let (searchReach, searchDepth) = (5000, 200_000)

    /// Words are looked for back to the beginning, or until so many are found as are asked for: the latest ones. What says them by a name is
    /// found however long ago it was; the rest as far back as can be read while somebody waits.
    private func happened(
        _ search: MemorySearch, in house: HousePicture, by asker: Rememberer
    ) async throws -> (found: [Memory], read: Int, since: Date?) {
        let sight = asker.sight
        guard search.types?.contains(.episodic) ?? true else { return ([], 0, nil) }
        let kinds = search.category.map(Memory.kinds(ofCategory:))
        guard kinds?.isEmpty != true else { return ([], 0, nil) }
        var wanted = HappeningFilter(
            devices: search.devices, kinds: kinds, from: search.from, to: search.to,
            limit: search.words.isEmpty ? min(search.limit * 2, 400) : 1000)
        guard !search.words.isEmpty else {
            let page = try await memory.happenings(wanted, seenBy: sight)
            return (try await told(page, in: house, by: asker), page.count, nil)
        }
        let stems = Set(MemorySearch.stems(search.words))
        guard !stems.isEmpty else { return ([], 0, nil) }
        var words = try await mayTell(stems, in: house, seenBy: sight)
        var (found, seen, read, since): ([Memory], Set<String>, Int, Date?) = ([], [], 0, nil)
        if case .quoted(_, let border) = words.others { since = border }
        while found.count < search.limit, !words.isEmpty {
            try Task.checkCancellation()
            let page = try await memory.happenings(wanted, telling: words, seenBy: sight)
            read += page.count
            let fresh = page.filter { seen.insert($0.id).inserted }
            found += try await told(fresh, in: house, by: asker).filter { search.finds($0, by: stems) }
            // Where it ends by itself, it has read all that there was to read.
            guard page.count >= wanted.limit, !fresh.isEmpty, let last = page.last else { break }
            // The last moment is asked for again, since several things may have happened in it.
            wanted.to = last.at.addingTimeInterval(0.001)
            if read >= Self.searchReach {
                // What names what is looked for is worth twice the way: all of it is found, but where it is of another category.
                if words.others != nil { since = last.at }
                words.others = nil
                if read >= 2 * Self.searchReach {
                    since = last.at
                    break
                }
            }
        }
        // Whoever has as much as they asked for does not ask how far it was looked for; and nobody asked for what was before `from`.
        let isCut = found.count < search.limit && since.map { $0 > search.from ?? .distantPast } ?? false
        return (found, read, isCut ? since : nil)
    }

    /// Which happenings may say one of these words: whatever has it in its name; and of the rest all, where the house itself has the word.
    private func mayTell(
        _ stems: Set<String>, in house: HousePicture, seenBy sight: Sight
    ) async throws -> HappeningRecords.Told {
        let named = try await memory.named(latest: Self.searchDepth)
        let names = Dictionary(house.devices.map { ($0.id, $0.name) }) { one, _ in one }
        func says(_ text: String?) -> Bool { text.map { !stems.isDisjoint(with: MemorySearch.stems($0)) } ?? false }
        let answering = answering(in: house)
        let actors = answering.actors(among: named.actors, saying: stems, in: house, seenBy: sight, at: time.now())
        let isOwn =
            Memory.happeningCategories.contains(where: says)
            || stems.contains { stem in
                stem.contains(where: \.isNumber) || lexicon.stems.contains(stem)
            }
        return HappeningRecords.Told(
            devices: named.devices.filter { says($0) || says(names[$0]) }, actors: actors,
            others: isOwn ? .all : .quoted(stems, since: named.since))
    }

    /// A sensor's hours, as a memory that is made when it is looked at.
    private func read(_ id: String, in house: HousePicture, by asker: Rememberer) async throws -> Memory? {
        guard let evidence = ReadingEvidence(memoryID: id) else { return nil }
        let hours = try await memory.hours(of: evidence.entityID, from: evidence.from, to: evidence.to, seenBy: asker.sight)
        let line = answering(in: house).line(
            of: evidence, hours, in: house, seenBy: asker.sight, at: time.now(), degrees: asker.degrees)
        return line.map { Memory(of: evidence, hours, told: $0.told, device: $0.device) }
    }

    private func told(_ happenings: [Happening], in house: HousePicture, by asker: Rememberer) async throws -> [Memory] {
        let lines = answering(in: house).lines(
            of: happenings, in: house, seenBy: asker.sight, at: time.now(), degrees: asker.degrees)
        let names = Dictionary(house.devices.map { ($0.id, $0.name) }) { one, _ in one }
        return zip(happenings, lines).map { happening, line in
            Memory(of: happening, told: line, title: happening.deviceID.flatMap { names[$0] })
        }
    }

    // MARK: In conversation

    /// "Remember that the boiler was serviced": it is done only when the person says yes to it, and "today" is kept as its date. "What do you remember about the boiler?"
    func reply(_ ask: Ask, _ sight: Sight, in house: HousePicture, degrees: TemperatureUnit) async throws -> Reply {
        switch ask {
        case .remember(let text):
            let content = Telling.capital(String(dated(text, in: house.zone).prefix(Memory.contentLimit)))
            var reply = Reply(lexicon.say(.shallRemember, [.words: lexicon.say(.quoted, [.name: content])]))
            reply.suggestions = [Suggestion(act: .memory(content), words: lexicon.say(.rememberThis, [.words: content]))]
            return reply
        case .recall(let text):
            let asker = Rememberer(sight: sight, keepsHouse: false, degrees: degrees)
            // What happened is asked about in other words: here it is what people said, and what was learned.
            let search = MemorySearch(words: text, limit: 60)
            let recalled = try await recall(search, by: asker, hasHappenings: false)
            let found = recalled.memories.prefix(3)
            guard !found.isEmpty else { return Reply(lexicon.say(.nothingRemembered), confidence: 0) }
            var reply = Reply(
                found.map { one in
                    let words = one.memory.content.hasSuffix(".") ? one.memory.content : one.memory.content + "."
                    return one.toldBy.map { lexicon.say(.toldBy, [.who: $0, .words: words]) } ?? words
                }.joined(separator: " "))
            for one in found where one.version > 0 { memories.note(use: one.memory.id) }
            reply.events = found.map(\.memory.id)
            reply.moreEvents = recalled.total - found.count
            reply.devices = Array(Set(found.flatMap(\.memory.relatedDevices))).sorted()
            return reply
        default: return Reply(lexicon.say(.noMemory), confidence: 0)
        }
    }
}

extension Happening {
    static let prefix = "happening_"
}

extension HabitKey {
    private static let prefix = "habit_"

    var memoryID: String { Self.prefix + aspect.rawValue + "_" + subject }

    /// Nil where `id` is no habit's.
    init?(memoryID id: String) {
        guard id.hasPrefix(Self.prefix) else { return nil }
        let parts = id.dropFirst(Self.prefix.count).split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let aspect = Aspect(rawValue: String(parts[0])), !parts[1].isEmpty else { return nil }
        self.init(String(parts[1]), aspect)
    }
}

extension Memory {
    /// - Parameter degrees: of whoever reads it: it is made when it is looked at.
    init(of habit: Habit, learnedAt: Date, _ lexicon: Lexicon, degrees: TemperatureUnit) {
        self.init(
            id: habit.key.memoryID, createdAt: learnedAt, type: habit.key.aspect == .level ? .semantic : .procedural, category: "habit",
            importance: 0.5, title: String((habit.words.names.first ?? lexicon.tell(.aHabit)).prefix(100)),
            content: habit.words.text(in: degrees),
            details: ["days": .number(Double(habit.days))], source: .learned, confidence: habit.sureness,
            relatedDevices: [habit.deviceID].compactMap { $0 })
    }

    /// By which memories of what happened are sorted, and what kinds of happenings there are in each.
    private static let happened: [String: HappeningFilter.Kind] = [
        "refusal": .asked, "command": .asked, "event": .seen, "presence": .presence, "reach": .standing, "state": .state,
    ]
    static var happeningCategories: Dictionary<String, HappeningFilter.Kind>.Keys { happened.keys }

    static func kinds(ofCategory category: String) -> Set<HappeningFilter.Kind> {
        Set([happened[category.lowercased()]].compactMap(\.self))
    }

    /// - Parameters:
    ///   - told: as a sentence, made for whoever may be told of it.
    ///   - title: what its device is called.
    init(of happening: Happening, told: String, title: String?) {
        let (category, importance, source): (String, Double, Source) =
            switch happening.fact {
            case .asked(_, _, .some): ("refusal", 0.8, .internal)
            case .asked: ("command", 0.5, .internal)
            case .seen: ("event", 0.6, .sensor)
            case .presence: ("presence", 0.5, .sensor)
            case .standing: ("reach", 0.4, .sensor)
            case .state: ("state", 0.3, .sensor)
            }
        self.init(
            id: happening.id, createdAt: happening.at, type: .episodic, category: category, importance: importance,
            title: title ?? category.prefix(1).uppercased() + category.dropFirst(), content: told, source: source,
            relatedDevices: [happening.deviceID].compactMap { $0 })
    }

    /// What was not as usual is worth keeping for longer than what happened every day.
    init(of deviation: Deviation, at now: Date, _ lexicon: Lexicon) {
        let stamp = Consolidation.Matter.fingerprint("\(deviation.id)|\(deviation.since.milliseconds)")
        self.init(
            id: "memory_\(stamp)", createdAt: now, type: .episodic, category: "unusual", importance: 0.6,
            title: String((deviation.words.names.first ?? lexicon.tell(.notAsUsual)).prefix(100)), content: deviation.words.text,
            details: deviation.isEnergy ? [Memories.energy: true] : [:], source: .sensor, confidence: deviation.sureness,
            tags: ["unusual"], relatedDevices: [deviation.deviceID])
        if !deviation.words.warmths.isEmpty { details[Self.saying] = deviation.words.kept }
    }
}
