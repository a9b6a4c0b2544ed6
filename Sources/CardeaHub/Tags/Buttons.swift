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
    let devices: Devices
    let publisher: ButtonPublisher
    let once: OnceOnly
    let surroundings: Surroundings

    /// What somebody wants a button to be.
    public struct Draft: Sendable {
        public var title: String
        public var deed: Deed
        public var isEnabled: Bool
        public var answersTags: Bool
        public var countdown: Int

        public enum Deed: Sendable {
            /// It asks a device of the house.
            case ask(Batches.Item)
            case publish(Publication, TimestampKey)
        }

        /// The key for `%T`, which is never shown and so cannot be typed again.
        public enum TimestampKey: Sendable {
            case asItIs, none
            case new(TagKey)
        }

        public init(title: String, action: Batches.Item, isEnabled: Bool = true, answersTags: Bool = true, countdown: Int = 0) {
            self.init(title: title, deed: .ask(action), isEnabled: isEnabled, answersTags: answersTags, countdown: countdown)
        }

        public init(title: String, deed: Deed, isEnabled: Bool = true, answersTags: Bool = true, countdown: Int = 0) {
            self.title = title
            self.deed = deed
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
        case publication(Publication.Problem)
        /// It publishes nothing that could be signed.
        case unsigned
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
            let person = try People.require(.controlDevices, of: principal, in: db)
            return try ButtonRecords.all(db).map { $0.shown(to: person) }
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Button {
        try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            guard let button = try ButtonRecords.one(id, db) else { throw Problem.notFound }
            return button.shown(to: person)
        }
    }

    // MARK: Making and changing

    public func add(_ draft: Draft, by principal: Principal, call: CallName?, origin: Origin) async throws -> (Button, isReplay: Bool) {
        let (now, id) = (surroundings.now(), "button_" + surroundings.newID())
        let (changed, isReplay) = try await store.attempt("button.add", by: principal, origin: origin, at: now) { db in
            let outcome = try once.run(call, by: principal.key, at: now, in: db) { db in
                let person = try People.require(.modifySettings, of: principal, in: db)
                let (title, wish) = try wished(draft, of: nil, id, by: person, origin: origin, at: now, in: db)
                let button = Button(
                    id: id, index: try Self.nextNumber(db), title: title, action: wish.action, publication: wish.publication,
                    isEnabled: draft.isEnabled,
                    answersTags: draft.answersTags, countdown: draft.countdown, createdAt: now, changedAt: now)
                try ButtonRecords.insert(button, secret: .make(), by: sealing, in: db)
                try keep(wish, of: button, at: now, in: db)
                try AccessChanges.note(.button, id, by: principal, at: now, in: db)
                try Self.tell("button.add", id, by: principal, origin: origin, at: now, in: db)
                return id
            }
            guard let button = try ButtonRecords.one(outcome.answer, db) else { throw Problem.notFound }
            return (Changed(button: button, device: try DeviceRecords.one(button.id, db)), outcome.isReplay)
        } committed: { [devices] changed, _ in
            changed.show(in: devices)
        }
        return (changed.button, isReplay)
    }

    /// The button that asks a device for just this, and that tags press; made where the house has none.
    ///
    /// - Parameter id: of a new one.
    static func asking(
        _ item: Batches.Item, called id: String, by principal: Principal, sealing: SealingKey, origin: Origin, at now: Date,
        in db: Database
    ) throws -> Button {
        let action = try action(item, by: try People.require(.controlDevices, of: principal, in: db), origin: origin, at: now, in: db)
        let standing = try ButtonRecords.all(db).first { $0.action == action && $0.isEnabled && $0.answersTags }
        if let standing { return standing }
        try People.require(.modifySettings, of: principal, in: db)
        let device = try DeviceRecords.one(item.deviceID, db).orThrow(Problem.action(.deviceNotFound)).name
        let does = "\(device): \(action.verb.rawValue.replacing("_", with: " "))"
        let button = Button(
            id: id, index: try nextNumber(db), title: (try? Name.check(does)) ?? device, action: action, createdAt: now, changedAt: now)
        try ButtonRecords.insert(button, secret: .make(), by: sealing, in: db)
        try AccessChanges.note(.button, id, by: principal, at: now, in: db)
        try tell("button.add", id, by: principal, origin: origin, at: now, in: db)
        return button
    }

    /// Where it does something else from now on, what was made for it before presses it no more until it is renewed.
    public func replace(
        _ id: String, with draft: Draft, seen: SeenVersion, by principal: Principal, origin: Origin
    ) async throws -> Button {
        let now = surroundings.now()
        return try await store.attempt("button.change", by: principal, origin: origin, at: now) { db in
            let person = try People.require(.modifySettings, of: principal, in: db)
            var button = try Self.found(id, seen, db)
            let (title, wish) = try wished(draft, of: button, id, by: person, origin: origin, at: now, in: db)
            let isSame = wish.action == button.action && wish.publication == button.publication
            if button.publication != nil, !isSame { try ButtonDevice.closeToGuests(id, in: db) }
            button.actionVersion += isSame ? 0 : 1
            (button.title, button.action, button.publication) = (title, wish.action, wish.publication)
            (button.isEnabled, button.answersTags, button.countdown) = (draft.isEnabled, draft.answersTags, draft.countdown)
            button.version += 1
            button.changedAt = now
            try ButtonRecords.update(button, in: db)
            try keep(wish, of: button, at: now, in: db)
            if button.isEnabled { try AccessChanges.note(.button, id, by: principal, at: now, in: db) }
            try Self.tell("button.change", id, by: principal, origin: origin, at: now, in: db)
            return Changed(button: button, device: try DeviceRecords.one(id, db))
        } committed: { [devices] in
            $0.show(in: devices)
        }.button
    }

    /// Switches it on or off; all else stays.
    public func turn(_ id: String, on isOn: Bool, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        try await store.attempt("button.change", by: principal, origin: origin, at: now) { db in
            try People.require(.modifySettings, of: principal, in: db)
            var button = try Self.found(id, .any, db)
            guard button.isEnabled != isOn else { return }
            button.isEnabled = isOn
            button.version += 1
            button.changedAt = now
            try ButtonRecords.update(button, in: db)
            if isOn { try AccessChanges.note(.button, id, by: principal, at: now, in: db) }
            try Self.tell("button.change", id, by: principal, origin: origin, at: now, in: db)
        }
    }

    public func remove(_ id: String, seen: SeenVersion, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        _ = try await store.attempt("button.remove", by: principal, origin: origin, at: now) { db in
            try People.require(.modifySettings, of: principal, in: db)
            let button = try Self.found(id, seen, db)
            try db.execute(sql: "DELETE FROM buttons WHERE id = ?", arguments: [id])
            try ButtonDevice.withdraw(id, at: now, in: db)
            try Self.tell("button.remove", id, by: principal, origin: origin, at: now, in: db)
            return Changed(button: button, device: nil)
        } committed: { [devices] in
            $0.show(in: devices)
        }
    }

    /// A new key for the envelopes of what it publishes. The one before is worth nothing from now on, so the device is to be given this one.
    public func newSigningKey(
        _ id: String, by principal: Principal, origin: Origin
    ) async throws -> (key: Secret, publication: Publication) {
        let now = surroundings.now()
        let made = ButtonSecret.make()
        let publication = try await store.attempt("button.signing_key", by: principal, origin: origin, at: now) { db in
            try People.require(.modifySettings, of: principal, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            guard let button = try ButtonRecords.one(id, db) else { throw Problem.notFound }
            guard let publication = button.publication, publication.isSigned else { throw Problem.unsigned }
            var keys = try ButtonRecords.keys(of: id, by: sealing, db)
            keys.signing = made
            try ButtonRecords.keep(keys, of: id, by: sealing, in: db)
            try Self.tell("button.signing_key", id, by: principal, origin: origin, at: now, in: db)
            return publication
        }
        return (made.hex, publication)
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

    private static func nextNumber(_ db: Database) throws -> Int {
        guard try ButtonRecords.count(db) < limit, let number = try ButtonRecords.nextNumber(db) else { throw Problem.full }
        return number
    }

    private static func action(
        _ item: Batches.Item, kept: [DeviceAction] = [], by person: Person, origin: Origin, at now: Date, in db: Database
    ) throws -> DeviceAction {
        do {
            return try item.action(kept: kept, by: person, isLocal: origin.isLocal, at: now, in: db)
        } catch let refusal as CommandRefusal {
            throw Problem.action(refusal)
        }
    }

    /// What a draft wants a button to do.
    private struct Wish {
        let action: DeviceAction
        var publication: Publication?
        var keys = ButtonRecords.Keys()
    }

    private func wished(
        _ draft: Draft, of before: Button?, _ id: String, by person: Person, origin: Origin, at now: Date, in db: Database
    ) throws -> (title: String, wish: Wish) {
        let title: String
        do { title = try Name.check(draft.title) } catch { throw Problem.title(error) }
        guard Button.countdowns.contains(draft.countdown) else { throw Problem.countdown }
        switch draft.deed {
        case .ask(let item):
            let kept = before.map { [$0.action] } ?? []
            return (title, Wish(action: try Self.action(item, kept: kept, by: person, origin: origin, at: now, in: db)))
        case .publish(var publication, let timestampKey):
            var keys = before == nil ? ButtonRecords.Keys() : try ButtonRecords.keys(of: id, by: sealing, db)
            switch timestampKey {
            case .asItIs: break
            case .none: keys.timestamp = nil
            case .new(let key): keys.timestamp = key
            }
            publication.hasTimestampKey = keys.timestamp != nil
            do { try publication.check() } catch { throw Problem.publication(error) }
            return (title, Wish(action: DeviceAction(deviceID: id, verb: .press), publication: publication, keys: keys))
        }
    }

    private func keep(_ wish: Wish, of button: Button, at now: Date, in db: Database) throws {
        guard let publication = wish.publication else { return try ButtonDevice.withdraw(button.id, at: now, in: db) }
        try ButtonRecords.keep(wish.keys, of: button.id, by: sealing, in: db)
        try ButtonDevice.announce(button, publication, isUp: publisher.isUp(publication.via), at: now, in: db)
    }

    /// What is to be shown of a change after its commit.
    private struct Changed: Sendable {
        let button: Button
        /// Of one that publishes.
        let device: Device?

        func show(in devices: Devices) {
            if let device { devices.keep([device]) } else { devices.forget(button.id) }
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
    /// Its message is empty for whoever may not change it: it may be all that a device asks of whoever opens it. One that is kept is never empty.
    fileprivate func shown(to person: Person) -> Button {
        var shown = self
        if !person.rights.contains(.modifySettings) { shown.publication?.message = "" }
        return shown
    }

    /// The command that it is.
    ///
    /// - Parameter tag: the id of the tag that pressed it.
    func ask(by principal: Principal, tag: String? = nil, call: CallName?, origin: Origin) -> CommandAsk {
        CommandAsk(
            principal: principal, target: .device(id: action.deviceID, entityID: action.entityID, verb: action.verb), value: action.value,
            transition: action.transition, call: call, origin: origin, isKept: true, means: tag.map { .tag($0) } ?? .button(id))
    }
}
