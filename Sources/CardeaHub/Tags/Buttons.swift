import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// One thing at a touch. Who presses a button must hold the right to what it does; the button itself gives none.
public struct Buttons: Sendable {
    let store: Store
    let sealing: SealingKey
    let commands: Commands
    let once: OnceOnly
    let surroundings: Surroundings

    /// What somebody wants a button to be.
    public struct Draft: Sendable {
        public var title: String
        public var action: Batches.Item
        public var isEnabled: Bool
        public var answersTags: Bool
        public var countdown: Int

        public init(title: String, action: Batches.Item, isEnabled: Bool = true, answersTags: Bool = true, countdown: Int = 0) {
            self.title = title
            self.action = action
            self.isEnabled = isEnabled
            self.answersTags = answersTags
            self.countdown = countdown
        }
    }

    public enum Problem: Error {
        case notFound
        case title(Name.Problem)
        case countdown
        case action(CommandRefusal)
        /// It is switched off.
        case isOff
        /// There are as many as the house keeps, or every number has been given.
        case full
        /// Somebody else changed it meanwhile.
        case stale(Button)
    }

    /// So that nobody fills the disk with buttons.
    static let limit = 200

    // MARK: Looking

    public func all(seenBy principal: Principal) async throws -> [Button] {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try ButtonRecords.all(db)
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Button {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard let button = try ButtonRecords.one(id, db) else { throw Problem.notFound }
            return button
        }
    }

    // MARK: Making and changing

    public func add(_ draft: Draft, by principal: Principal, call: CallName?, origin: Origin) async throws -> (Button, isReplay: Bool) {
        let (now, id) = (surroundings.now(), "button_" + surroundings.newID())
        return try await store.attempt("button.add", by: principal, origin: origin, at: now) { db in
            let outcome = try once.run(call, by: principal.key, at: now, in: db) { db in
                let person = try People.require(.modifySettings, of: principal, in: db)
                let (title, action) = try Self.checked(draft, by: person, isLocal: origin.isLocal, at: now, in: db)
                guard try ButtonRecords.count(db) < Self.limit, let number = try ButtonRecords.nextNumber(db) else { throw Problem.full }
                let button = Button(
                    id: id, index: number, title: title, action: action, isEnabled: draft.isEnabled, answersTags: draft.answersTags,
                    countdown: draft.countdown, createdAt: now, changedAt: now)
                try ButtonRecords.insert(button, secret: .make(), by: sealing, in: db)
                try Self.tell("button.add", id, by: principal, origin: origin, at: now, in: db)
                return id
            }
            guard let button = try ButtonRecords.one(outcome.answer, db) else { throw Problem.notFound }
            return (button, outcome.isReplay)
        }
    }

    /// Where it does something else from now on, what was made for it before presses it no more until it is renewed.
    public func replace(
        _ id: String, with draft: Draft, seen: SeenVersion, by principal: Principal, origin: Origin
    ) async throws -> Button {
        let now = surroundings.now()
        return try await store.attempt("button.change", by: principal, origin: origin, at: now) { db in
            let person = try People.require(.modifySettings, of: principal, in: db)
            var button = try Self.found(id, seen, db)
            let (title, action) = try Self.checked(draft, by: person, isLocal: origin.isLocal, at: now, in: db)
            button.actionVersion += action == button.action ? 0 : 1
            (button.title, button.action) = (title, action)
            (button.isEnabled, button.answersTags, button.countdown) = (draft.isEnabled, draft.answersTags, draft.countdown)
            button.version += 1
            button.changedAt = now
            try ButtonRecords.update(button, in: db)
            try Self.tell("button.change", id, by: principal, origin: origin, at: now, in: db)
            return button
        }
    }

    public func remove(_ id: String, seen: SeenVersion, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        try await store.attempt("button.remove", by: principal, origin: origin, at: now) { db in
            try People.require(.modifySettings, of: principal, in: db)
            _ = try Self.found(id, seen, db)
            try db.execute(sql: "DELETE FROM buttons WHERE id = ?", arguments: [id])
            try Self.tell("button.remove", id, by: principal, origin: origin, at: now, in: db)
        }
    }

    // MARK: Pressing

    /// Asks for what the button does, as whoever presses it.
    public func press(_ id: String, by principal: Principal, call: CallName?, origin: Origin) async throws -> CommandResult {
        let outcome = try await store.onRecord("button.press", by: principal, origin: origin, at: surroundings.now()) {
            try await commands.admit { db in
                try People.require(.controlDevices, of: principal, in: db)
                guard let button = try ButtonRecords.one(id, db) else { throw Problem.notFound }
                guard button.isEnabled else { throw Problem.isOff }
                let outcome = try commands.admission(of: button.ask(by: principal, call: call, origin: origin)).run(db)
                return (outcome, outcome.taken.map { [$0] } ?? [])
            }
        }
        return try outcome.result()
    }

    // MARK: Rules

    private static func found(_ id: String, _ seen: SeenVersion, _ db: Database) throws -> Button {
        guard let button = try ButtonRecords.one(id, db) else { throw Problem.notFound }
        guard seen.allows(button.version) else { throw Problem.stale(button) }
        return button
    }

    private static func checked(
        _ draft: Draft, by person: Person, isLocal: Bool, at now: Date, in db: Database
    ) throws -> (String, DeviceAction) {
        let title: String
        do { title = try Name.check(draft.title) } catch { throw Problem.title(error) }
        guard Button.countdowns.contains(draft.countdown) else { throw Problem.countdown }
        do {
            return (title, try draft.action.action(by: person, isLocal: isLocal, at: now, in: db))
        } catch let refusal as CommandRefusal {
            throw Problem.action(refusal)
        }
    }

    static func tell(
        _ action: String, _ id: String, by principal: Principal, origin: Origin, at now: Date, in db: Database
    ) throws {
        let seq = try Journal.append(
            .buttonChanged, subject: id, data: action == "button.remove" ? ["removed": true] : [:], at: now, in: db)
        try AuditTrail.append(.init(who: .init(principal), action: action, result: .done, journalSeq: seq), origin: origin, at: now, in: db)
    }
}

extension Button {
    /// The command that it is.
    func ask(by principal: Principal, call: CallName?, origin: Origin) -> CommandAsk {
        CommandAsk(
            principal: principal, target: .device(id: action.deviceID, entityID: action.entityID, verb: action.verb), value: action.value,
            transition: action.transition, call: call, origin: origin)
    }
}
