import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// The automations of the house. The author of an automation is responsible for it: it may do what they may, at the moment it runs.
public final class Automations: AutomationRunner, Sendable {
    let store: Store
    let houseReader: any HouseReader
    let actuator: any HouseActuator
    let now: @Sendable () -> Date
    let lexicon: Lexicon
    let logger: Logger
    let state: Mutex<MutableState>
    /// Counts changes of the automations' table from any source: the hub itself removes entries of people who left.
    let watch: TableChangeCounter
    /// Yields when a job is waiting.
    let wakeups = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    public enum AutomationServiceError: Error {
        case notFound
        case field(AutomationError)
        /// The action at this position is invalid.
        case action(RejectedAction)
        case limitReached
        /// The automation was changed meanwhile.
        case stale(Automation)
        /// A dry run needs 1 to 30 days.
        case invalidDayCount
    }

    /// The mutable state.
    struct MutableState {
        /// Nil before the first evaluation.
        var engine: AutomationEvaluator?
        /// The number of the last event that was processed.
        var lastEventNumber: Int64 = 0
        /// The change count when they were last read; nil before that.
        var readCommitCount: Int?
        /// Activations that have not been recorded yet.
        var unrecorded: [AutomationEvaluator.Activation] = []
        var jobs: [Job] = []
    }

    /// A recorded run that is waiting to be done.
    struct Job: Sendable {
        let run: Int64
        let automation: Automation
        let at: Date
        let result: AutomationRun.Result
    }

    /// - Parameter lexicon: the sentences of its notifications.
    public init(
        store: Store, houseReader: any HouseReader, actuator: any HouseActuator, now: @escaping @Sendable () -> Date, lexicon: Lexicon,
        logger: Logger
    ) {
        self.store = store
        self.houseReader = houseReader
        self.actuator = actuator
        self.now = now
        self.lexicon = lexicon
        self.logger = logger
        watch = store.observe(["automations"])
        state = Mutex(MutableState())
    }

    // MARK: Reading

    /// All automations, by name.
    public func all() async throws -> [Automation] { try await store.read { try AutomationRecords.all($0) } }

    public func one(_ id: String) async throws -> Automation {
        guard let automation = try await store.read({ try AutomationRecords.one(id, $0) }) else { throw AutomationServiceError.notFound }
        return automation
    }

    /// The runs of an automation, newest first.
    ///
    /// - Parameters:
    ///   - run: only the runs before this one.
    ///   - limit: 1 to 200.
    public func history(of id: String, before run: String? = nil, limit: Int = 50) async throws -> (runs: [AutomationRun], hasMore: Bool) {
        let limit = min(max(limit, 1), 200)
        return try await store.read { db in
            guard try AutomationRecords.one(id, db) != nil else { throw AutomationServiceError.notFound }
            let runs = try AutomationRecords.runs(of: id, before: run.flatMap(Int64.init), limit: limit + 1, db)
            return (Array(runs.prefix(limit)), runs.count > limit)
        }
    }

    // MARK: Writing

    /// The author of an automation, who is responsible for it.
    public struct Author: Sendable {
        let person: Person
        let record: ChangeRecorder
        /// Does a write of theirs, and commits it if they may make it.
        let write: @Sendable (Database, (Database) throws -> Void) throws -> Void
        /// Returns the problem with a name, in words that follow it; nil if there is none.
        let describeNameProblem: @Sendable (String) async throws -> String?
        let validate: @Sendable (_ actions: [AutomationAction], _ previous: [AutomationAction]) async throws -> RejectedAction?

        /// - Parameters:
        ///   - write: does the given write in its transaction, and throws if its result must not be committed.
        ///   - nameProblem: the problem with a new name, in words that follow it; nil if there is none.
        ///   - objection: the first action that the author may not do, or that is not possible; nil if there is none. A denial is put on
        ///     record by it. It also gets the actions that the automation had before.
        public init(
            _ person: Person, record: ChangeRecorder, write: @escaping @Sendable (Database, (Database) throws -> Void) throws -> Void,
            nameProblem: @escaping @Sendable (String) async throws -> String?,
            objection: @escaping @Sendable (_ actions: [AutomationAction], _ previous: [AutomationAction]) async throws -> RejectedAction?
        ) {
            self.person = person
            self.record = record
            self.write = write
            self.describeNameProblem = nameProblem
            self.validate = objection
        }
    }

    public func add(_ draft: AutomationDraft, by author: Author) async throws -> Automation {
        let draft = try await checked(draft, instead: nil, by: author)
        let moment = now()
        let automation = Automation(
            id: "automation_" + UUID().uuidString.lowercased(), name: draft.name, owner: author.person.id, isOn: draft.isOn,
            triggers: draft.triggers, conditions: draft.conditions, actions: draft.actions, createdAt: moment, changedAt: moment)
        try await store.write { db in
            guard try AutomationRecords.count(db) < Automation.limit else { throw AutomationServiceError.limitReached }
            try author.write(db) { try AutomationRecords.write(automation, in: $0) }
            try author.record(.automationChanged, subject: automation.id, data: ["removed": false], in: db)
        }
        return automation
    }

    /// Replaces an automation. The author owns it from then on. Switching off another person's automation without other changes leaves it
    /// theirs.
    public func replace(
        _ id: String, with draft: AutomationDraft, seen: ExpectedVersion, by author: Author
    ) async throws -> Automation {
        let known = try await one(id)
        var off = AutomationDraft(known)
        off.isOn = false
        let isOnlyOff = draft == off
        let draft = isOnlyOff ? draft : try await checked(draft, instead: known, by: author)
        let moment = now()
        let automation = try await store.write { db in
            guard var automation = try AutomationRecords.one(id, db) else { throw AutomationServiceError.notFound }
            // Checked again within the transaction.
            guard seen.allows(automation.version), !isOnlyOff || automation.version == known.version else {
                throw AutomationServiceError.stale(automation)
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

    public func remove(_ id: String, seen: ExpectedVersion, record: ChangeRecorder) async throws {
        try await store.write { db in
            guard let automation = try AutomationRecords.one(id, db) else { throw AutomationServiceError.notFound }
            guard seen.allows(automation.version) else { throw AutomationServiceError.stale(automation) }
            try AutomationRecords.remove(id, in: db)
            try record(.automationChanged, subject: id, data: ["removed": true], in: db)
        }
    }

    /// Checks a draft before it is stored: the author must be allowed to do its actions, and its references must exist.
    private func checked(_ draft: AutomationDraft, instead before: Automation?, by author: Author) async throws -> AutomationDraft {
        let checked: AutomationDraft
        do throws(AutomationError) { checked = try draft.checked() } catch { throw AutomationServiceError.field(error) }
        let house = try await houseReader.house()
        if let problem = Self.unknownReference(in: checked, to: house) { throw AutomationServiceError.field(problem) }
        if checked.name != before?.name, let words = try await author.describeNameProblem(checked.name) {
            throw AutomationServiceError.field(AutomationError("name", words))
        }
        if let objection = try await author.validate(checked.actions, before?.actions ?? []) {
            throw AutomationServiceError.action(objection)
        }
        return checked
    }

    /// Returns an error for a reference to something that does not exist in the house. Cameras come and go, and the types of their
    /// sightings are not chosen by the house, so those are not checked.
    private static func unknownReference(in draft: AutomationDraft, to house: HouseSnapshot) -> AutomationError? {
        let entities = Set(house.devices.flatMap { $0.entities.map(\.id) })
        for (place, trigger) in draft.triggers.enumerated() {
            let field = "triggers.\(place)"
            switch trigger {
            case .state(let entity, _, _), .number(let entity, _):
                guard entities.contains(entity) else {
                    return AutomationError("\(field).entity_id", "must be an entity of a device of this house")
                }
            case .refused(let device?), .offline(let device):
                guard house.devices.contains(where: { $0.id == device }) else {
                    return AutomationError("\(field).device_id", "must be the id of a device of this house")
                }
            case .presence(.leaves(let person)), .presence(.arrives(let person)):
                guard house.people.contains(where: { $0.key == "person:\(person)" }) else {
                    return AutomationError("\(field).person_id", "must be the id of a resident of this house")
                }
            case .presence, .time, .seen, .refused(nil): break
            }
        }
        for (place, condition) in draft.conditions.enumerated() where !condition.entities.isSubset(of: entities) {
            return AutomationError("conditions.\(place)", "has an unknown entity. Use entities of this house")
        }
        if let place = draft.conditions.firstIndex(where: { $0.lacksSources(house.integrationsByEntity) }) {
            return AutomationError("conditions.\(place)", "needs entities of at least two integrations")
        }
        return nil
    }

    // MARK: Dry run

    /// Simulates the automation over the last days, and records that it was tried. Nothing is moved.
    ///
    /// - Parameters:
    ///   - days: 1 to 30.
    ///   - visibility: the past events that count.
    public func dryRun(_ id: String, days: Int, seenBy visibility: RequesterVisibility) async throws -> AutomationDryRun {
        guard (1...30).contains(days) else { throw AutomationServiceError.invalidDayCount }
        let (automation, house, moment) = (try await one(id), try await houseReader.house(), now())
        let entities = house.entityIDsByDevice.filter { !automation.entities.isDisjoint(with: $0.value) }
        let devices = Set(entities.keys)
        var (from, beginning, past) = try await store.read { db in
            let from = try HouseEventRecords.earliestReadable(
                of: automation, on: devices, from: moment.addingTimeInterval(-86_400 * Double(days)), to: moment, db)
            let (beginning, past) = try HouseEventRecords.dryRunInput(
                of: automation, on: devices, from: from, to: moment, seenBy: visibility, db)
            return (from, beginning, past)
        }
        beginning.entities = entities
        beginning.residents = Set(house.people.map(\.key))
        beginning.integrations = house.integrationsByEntity
        for trigger in automation.triggers {
            guard case .number(let entity, _) = trigger else { continue }
            let hours = try await houseReader.hours(of: entity, from: from, to: moment)
            past += hours.flatMap { AutomationDryRun.readings(of: $0, entity) }.filter { $0.at <= moment }
        }
        past.sort { $0.at < $1.at }
        let trial = AutomationDryRun(of: automation, from: from, to: moment, zone: house.zone, beginning: beginning, past: past)
        try await store.write { db in
            // A removed automation has no history.
            guard try AutomationRecords.one(id, db) != nil else { throw AutomationServiceError.notFound }
            _ = try AutomationRecords.insert(id, at: moment, trigger: nil, event: nil, .tried, in: db)
        }
        return trial
    }
}
