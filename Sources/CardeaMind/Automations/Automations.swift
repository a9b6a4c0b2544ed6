import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// What the house does by itself. Whoever writes an automation answers for it: it may do what they may, at the moment it is done.
public final class Automations: Sendable {
    let store: Store
    let senses: any Senses
    let hands: any Hands
    let now: @Sendable () -> Date
    let lexicon: Lexicon
    let logger: Logger
    let inner: Mutex<Inner>
    /// Counts what is changed of them, by whomever: the hub itself takes out what waits for somebody who left.
    let watch: TableWatch
    /// Rings when something waits to be done.
    let bell = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    public enum Problem: Error {
        case notFound
        case field(AutomationProblem)
        /// What is wrong with the action at this place.
        case action(HandsObjection)
        case full
        /// Somebody else changed it meanwhile.
        case stale(Automation)
        /// A trial looks back over 1 to 30 days.
        case days
    }

    /// All that changes while it lives.
    struct Inner {
        /// Nil before it has looked for the first time.
        var engine: AutomationEngine?
        /// The last happening that it has taken in.
        var through: Int64 = 0
        /// How often they had been changed when they were last read; nil before that.
        var readAt: Int?
        /// What is to be done and has not been written down yet.
        var unnoted: [AutomationEngine.Firing] = []
        var jobs: [Job] = []
    }

    /// A run that has been written down and waits to be done.
    struct Job: Sendable {
        let run: Int64
        let automation: Automation
        let at: Date
        let result: AutomationRun.Result
    }

    init(
        store: Store, senses: any Senses, hands: any Hands, now: @escaping @Sendable () -> Date, lexicon: Lexicon, logger: Logger
    ) {
        self.store = store
        self.senses = senses
        self.hands = hands
        self.now = now
        self.lexicon = lexicon
        self.logger = logger
        watch = store.watch(["automations"])
        inner = Mutex(Inner())
    }

    // MARK: Looking

    /// All of them, by name.
    public func all() async throws -> [Automation] { try await store.read { try AutomationRecords.all($0) } }

    public func one(_ id: String) async throws -> Automation {
        guard let automation = try await store.read({ try AutomationRecords.one(id, $0) }) else { throw Problem.notFound }
        return automation
    }

    /// What came of it, newest first.
    ///
    /// - Parameters:
    ///   - run: only those before this one.
    ///   - limit: 1 to 200.
    public func history(of id: String, before run: String? = nil, limit: Int = 50) async throws -> (runs: [AutomationRun], hasMore: Bool) {
        let limit = min(max(limit, 1), 200)
        return try await store.read { db in
            guard try AutomationRecords.one(id, db) != nil else { throw Problem.notFound }
            let runs = try AutomationRecords.runs(of: id, before: run.flatMap(Int64.init), limit: limit + 1, db)
            return (Array(runs.prefix(limit)), runs.count > limit)
        }
    }

    // MARK: Writing

    /// Somebody who writes one, and will answer for it.
    public struct Author: Sendable {
        let person: Person
        let record: Recorder
        /// Does a write of theirs, and lets it stand if they may have it so.
        let write: @Sendable (Database, (Database) throws -> Void) throws -> Void
        /// What is wrong with a name, in words that follow it; nil where nothing is.
        let nameProblem: @Sendable (String) async throws -> String?
        let objection: @Sendable (_ actions: [AutomationAction], _ kept: [AutomationAction]) async throws -> HandsObjection?

        /// - Parameters:
        ///   - write: does the write that it is given, in its transaction, and throws where what comes of it must not stand.
        ///   - nameProblem: what is wrong with a name that no automation has yet, in words that follow it; nil where nothing is.
        ///   - objection: the first of the actions that they may not do, or that cannot be done; that they may not is put on record by
        ///     it. Nil where all can. What the automation did before is given with them.
        public init(
            _ person: Person, record: Recorder, write: @escaping @Sendable (Database, (Database) throws -> Void) throws -> Void,
            nameProblem: @escaping @Sendable (String) async throws -> String?,
            objection: @escaping @Sendable (_ actions: [AutomationAction], _ kept: [AutomationAction]) async throws -> HandsObjection?
        ) {
            self.person = person
            self.record = record
            self.write = write
            self.nameProblem = nameProblem
            self.objection = objection
        }
    }

    public func add(_ draft: AutomationDraft, by author: Author) async throws -> Automation {
        let draft = try await checked(draft, instead: nil, by: author)
        let moment = now()
        let automation = Automation(
            id: "automation_" + UUID().uuidString.lowercased(), name: draft.name, owner: author.person.id, isOn: draft.isOn,
            triggers: draft.triggers, conditions: draft.conditions, actions: draft.actions, createdAt: moment, changedAt: moment)
        try await store.write { db in
            guard try AutomationRecords.count(db) < Automation.most else { throw Problem.full }
            try author.write(db) { try AutomationRecords.write(automation, in: $0) }
            try author.record(.automationChanged, subject: automation.id, data: ["removed": false], in: db)
        }
        return automation
    }

    /// Makes one another. Whoever does answers for it from then on; only to switch off what is somebody else's leaves it theirs.
    public func replace(
        _ id: String, with draft: AutomationDraft, seen: SeenVersion, by author: Author
    ) async throws -> Automation {
        let known = try await one(id)
        var off = AutomationDraft(known)
        off.isOn = false
        let isOnlyOff = draft == off
        let draft = isOnlyOff ? draft : try await checked(draft, instead: known, by: author)
        let moment = now()
        let automation = try await store.write { db in
            guard var automation = try AutomationRecords.one(id, db) else { throw Problem.notFound }
            // What was looked at before is looked at again where it counts.
            guard seen.allows(automation.version), !isOnlyOff || automation.version == known.version else {
                throw Problem.stale(automation)
            }
            if !isOnlyOff { automation.owner = author.person.id }
            automation.name = draft.name
            (automation.triggers, automation.conditions, automation.actions) = (draft.triggers, draft.conditions, draft.actions)
            if draft.isOn || !isOnlyOff { automation.offBecause = nil }
            automation.isOn = draft.isOn
            automation.version += 1
            automation.changedAt = moment
            let changed = automation
            try author.write(db) { try AutomationRecords.write(changed, in: $0) }
            try author.record(.automationChanged, subject: id, data: ["removed": false], in: db)
            return automation
        }
        return automation
    }

    public func remove(_ id: String, seen: SeenVersion, record: Recorder) async throws {
        try await store.write { db in
            guard let automation = try AutomationRecords.one(id, db) else { throw Problem.notFound }
            guard seen.allows(automation.version) else { throw Problem.stale(automation) }
            try AutomationRecords.remove(id, in: db)
            try record(.automationChanged, subject: id, data: ["removed": true], in: db)
        }
    }

    /// As it is kept: nobody keeps what they could not do themselves, or what means nothing in this house.
    private func checked(_ draft: AutomationDraft, instead before: Automation?, by author: Author) async throws -> AutomationDraft {
        let checked: AutomationDraft
        do throws(AutomationProblem) { checked = try draft.checked() } catch { throw Problem.field(error) }
        let house = try await senses.house()
        if let problem = Self.stranger(in: checked, to: house) { throw Problem.field(problem) }
        if checked.name != before?.name, let words = try await author.nameProblem(checked.name) {
            throw Problem.field(AutomationProblem("name", words))
        }
        if let objection = try await author.objection(checked.actions, before?.actions ?? []) { throw Problem.action(objection) }
        return checked
    }

    /// A name that means nothing in this house. Cameras come and go, and what they see has names that the house does not choose.
    private static func stranger(in draft: AutomationDraft, to house: HousePicture) -> AutomationProblem? {
        let entities = Set(house.devices.flatMap { $0.entities.map(\.id) })
        for (place, trigger) in draft.triggers.enumerated() {
            let field = "triggers.\(place)"
            switch trigger {
            case .state(let entity, _, _), .number(let entity, _):
                guard entities.contains(entity) else { return AutomationProblem("\(field).entity_id", "is no part of a device here") }
            case .refused(let device?), .offline(let device):
                guard house.devices.contains(where: { $0.id == device }) else {
                    return AutomationProblem("\(field).device_id", "is no device here")
                }
            case .presence(.leaves(let person)), .presence(.arrives(let person)):
                guard house.people.contains(where: { $0.key == "person:\(person)" }) else {
                    return AutomationProblem("\(field).person_id", "is nobody who lives here")
                }
            case .presence, .time, .seen, .refused(nil): break
            }
        }
        for (place, condition) in draft.conditions.enumerated() where !condition.entities.isSubset(of: entities) {
            return AutomationProblem("conditions.\(place)", "names an entity that is no part of a device here")
        }
        if let place = draft.conditions.firstIndex(where: { $0.lacksSources(house.integrations) }) {
            return AutomationProblem("conditions.\(place)", "names entities of one integration alone, which is one source")
        }
        return nil
    }

    // MARK: Trying

    /// What one would have done over the last days, and notes that it was tried. Nothing is moved by it.
    ///
    /// - Parameters:
    ///   - days: 1 to 30.
    ///   - sight: what of the past counts.
    public func dryRun(_ id: String, days: Int, seenBy sight: Sight) async throws -> AutomationTrial {
        guard (1...30).contains(days) else { throw Problem.days }
        let (automation, house, moment) = (try await one(id), try await senses.house(), now())
        let entities = house.entities.filter { !automation.entities.isDisjoint(with: $0.value) }
        let devices = Set(entities.keys)
        var (from, beginning, past) = try await store.read { db in
            let from = try HappeningRecords.readable(
                of: automation, on: devices, from: moment.addingTimeInterval(-86_400 * Double(days)), to: moment, db)
            let (beginning, past) = try HappeningRecords.past(of: automation, on: devices, from: from, to: moment, seenBy: sight, db)
            return (from, beginning, past)
        }
        beginning.entities = entities
        beginning.residents = Set(house.people.map(\.key))
        beginning.integrations = house.integrations
        for trigger in automation.triggers {
            guard case .number(let entity, _) = trigger else { continue }
            let hours = try await senses.hours(of: entity, from: from, to: moment)
            past += hours.flatMap { AutomationTrial.past(of: $0, entity) }.filter { $0.at <= moment }
        }
        past.sort { $0.at < $1.at }
        let trial = AutomationTrial(of: automation, from: from, to: moment, zone: house.zone, beginning: beginning, past: past)
        try await store.write { db in
            // Removed meanwhile, it has no history any more.
            guard try AutomationRecords.one(id, db) != nil else { throw Problem.notFound }
            _ = try AutomationRecords.insert(id, at: moment, trigger: nil, event: nil, .tried, in: db)
        }
        return trial
    }
}
