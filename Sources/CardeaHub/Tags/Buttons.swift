import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// One action at a touch. A person who presses a button must hold the right to its action; the button itself gives none.
public struct Buttons: Sendable {
    let store: Store
    let sealing: SealingKey
    let commands: Commands
    let devices: Devices
    let publisher: ButtonPublisher
    let idempotency: IdempotencyStore
    let environment: HubEnvironment

    /// The wanted values of a button.
    public struct Draft: Sendable {
        public var title: String
        public var behavior: Behavior
        public var isEnabled: Bool
        public var answersTags: Bool
        public var countdown: Int

        public enum Behavior: Sendable {
            /// It asks a device of the house.
            case command(CommandBatches.Item)
            case publish(ButtonPublication, TimestampKey)
        }

        /// The key for `%T`, which is never shown and so cannot be typed again.
        public enum TimestampKey: Sendable {
            case unchanged, none
            case new(TagKey)
        }

        public init(title: String, action: CommandBatches.Item, isEnabled: Bool = true, answersTags: Bool = true, countdown: Int = 0) {
            self.init(title: title, behavior: .command(action), isEnabled: isEnabled, answersTags: answersTags, countdown: countdown)
        }

        public init(title: String, behavior: Behavior, isEnabled: Bool = true, answersTags: Bool = true, countdown: Int = 0) {
            self.title = title
            self.behavior = behavior
            self.isEnabled = isEnabled
            self.answersTags = answersTags
            self.countdown = countdown
        }
    }

    public enum ButtonError: Error {
        case notFound
        case title(Name.NameError)
        case countdown
        case action(CommandRefusal)
        case publication(ButtonPublication.PublicationError)
        /// It publishes nothing that could be signed.
        case unsigned
        /// It is switched off.
        case isOff
        /// There are as many as the house keeps, or every number has been given.
        case full
        /// Another person changed it meanwhile.
        case stale(Button)
    }

    /// Limits buttons, so that they cannot fill the disk.
    static let limit = 200

    // MARK: Reading

    public func all(seenBy principal: Principal) async throws -> [Button] {
        try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            return try ButtonRecords.all(db).map { $0.redacted(to: person) }
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Button {
        try await store.read { db in
            let person = try People.require(.controlDevices, of: principal, in: db)
            guard let button = try ButtonRecords.one(id, db) else { throw ButtonError.notFound }
            return button.redacted(to: person)
        }
    }

    // MARK: Making and changing

    public func add(_ draft: Draft, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin) async throws -> (
        Button, isReplay: Bool
    ) {
        let (now, id) = (environment.now(), "button_" + environment.newID())
        let (changed, isReplay) = try await store.auditedWrite("button.add", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                let person = try People.require(.modifySettings, of: principal, in: context.db)
                let (title, wish) = try resolve(draft, of: nil, id, by: person, in: context)
                let button = Button(
                    id: id, index: try Self.nextNumber(context.db), title: title, action: wish.action, publication: wish.publication,
                    isEnabled: draft.isEnabled,
                    answersTags: draft.answersTags, countdown: draft.countdown, createdAt: now, changedAt: now)
                try ButtonRecords.insert(button, secret: .make(), by: sealing, in: context.db)
                try save(wish, of: button, at: now, in: context.db)
                try AccessChanges.record(.button, id, in: context)
                try Self.record("button.add", id, in: context)
                return id
            }
            guard let button = try ButtonRecords.one(outcome.answer, context.db) else { throw ButtonError.notFound }
            return (CommittedChange(button: button, device: try DeviceRecords.one(button.id, context.db)), outcome.isReplay)
        } committed: { [devices] changed, _ in
            changed.updateCache(in: devices)
        }
        return (changed.button, isReplay)
    }

    /// The button that asks a device for just this, and that tags press; made if the house has none.
    ///
    /// - Parameter id: of a new one.
    static func findOrCreate(
        _ item: CommandBatches.Item, called id: String, sealing: SealingKey, in context: TransactionContext
    ) throws -> Button {
        let action = try action(item, by: try People.require(.controlDevices, of: context.principal, in: context.db), in: context)
        let existing = try ButtonRecords.all(context.db).first { $0.action == action && $0.isEnabled && $0.answersTags }
        if let existing { return existing }
        try People.require(.modifySettings, of: context.principal, in: context.db)
        let device = try DeviceRecords.one(item.deviceID, context.db).orThrow(ButtonError.action(.deviceNotFound)).name
        let does = "\(device): \(action.verb.rawValue.replacing("_", with: " "))"
        let button = Button(
            id: id, index: try nextNumber(context.db), title: (try? Name.check(does)) ?? device, action: action, createdAt: context.now,
            changedAt: context.now)
        try ButtonRecords.insert(button, secret: .make(), by: sealing, in: context.db)
        try AccessChanges.record(.button, id, in: context)
        try record("button.add", id, in: context)
        return button
    }

    /// Replaces a button's definition. If its action changes, tags and links made before stop working until they are renewed.
    public func replace(
        _ id: String, with draft: Draft, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin
    ) async throws -> Button {
        let now = environment.now()
        return try await store.auditedWrite("button.change", by: principal, origin: origin, at: now) { context in
            let person = try People.require(.modifySettings, of: principal, in: context.db)
            var button = try Self.fetchCurrent(id, seen, context.db)
            let (title, wish) = try resolve(draft, of: button, id, by: person, in: context)
            let isSame = wish.action == button.action && wish.publication == button.publication
            if button.publication != nil, !isSame { try ButtonDevice.closeToGuests(id, in: context.db) }
            button.actionVersion += isSame ? 0 : 1
            (button.title, button.action, button.publication) = (title, wish.action, wish.publication)
            (button.isEnabled, button.answersTags, button.countdown) = (draft.isEnabled, draft.answersTags, draft.countdown)
            button.version += 1
            button.changedAt = now
            try ButtonRecords.update(button, in: context.db)
            try save(wish, of: button, at: now, in: context.db)
            if button.isEnabled { try AccessChanges.record(.button, id, in: context) }
            try Self.record("button.change", id, in: context)
            return CommittedChange(button: button, device: try DeviceRecords.one(id, context.db))
        } committed: { [devices] in
            $0.updateCache(in: devices)
        }.button
    }

    /// Enables or disables it; nothing else changes.
    public func setEnabled(_ id: String, on isOn: Bool, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("button.change", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            var button = try Self.fetchCurrent(id, .any, context.db)
            guard button.isEnabled != isOn else { return }
            button.isEnabled = isOn
            button.version += 1
            button.changedAt = now
            try ButtonRecords.update(button, in: context.db)
            if isOn { try AccessChanges.record(.button, id, in: context) }
            try Self.record("button.change", id, in: context)
        }
    }

    public func remove(_ id: String, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        _ = try await store.auditedWrite("button.remove", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            let button = try Self.fetchCurrent(id, seen, context.db)
            try context.db.execute(sql: "DELETE FROM buttons WHERE id = ?", arguments: [id])
            try ButtonDevice.withdraw(id, at: now, in: context.db)
            try Self.record("button.remove", id, in: context)
            return CommittedChange(button: button, device: nil)
        } committed: { [devices] in
            $0.updateCache(in: devices)
        }
    }

    /// Makes a new key for the envelopes that the button publishes. The earlier one is invalid from now on, so the device needs this one.
    public func newSigningKey(
        _ id: String, by principal: Principal, origin: RequestOrigin
    ) async throws -> (key: Secret, publication: ButtonPublication) {
        let now = environment.now()
        let made = ButtonSecret.make()
        let publication = try await store.auditedWrite("button.signing_key", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            guard let button = try ButtonRecords.one(id, context.db) else { throw ButtonError.notFound }
            guard let publication = button.publication, publication.isSigned else { throw ButtonError.unsigned }
            var keys = try ButtonRecords.keys(of: id, by: sealing, context.db)
            keys.signing = made
            try ButtonRecords.saveKeys(keys, of: id, by: sealing, in: context.db)
            try Self.record("button.signing_key", id, in: context)
            return publication
        }
        return (made.hex, publication)
    }

    // MARK: Pressing

    /// Requests the button's action, as the person who presses it.
    public func press(_ id: String, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin) async throws -> CommandResult {
        let outcome = try await store.audited("button.press", by: principal, origin: origin, at: environment.now()) {
            try await commands.admit { db in
                try People.require(.controlDevices, of: principal, in: db)
                guard let button = try ButtonRecords.one(id, db) else { throw ButtonError.notFound }
                guard button.isEnabled else { throw ButtonError.isOff }
                let outcome = try commands.makeAdmission(of: button.commandRequest(by: principal, call: call, origin: origin)).admit(db)
                return (outcome, outcome.admitted.map { [$0] } ?? [])
            }
        }
        return try outcome.result()
    }

    // MARK: Rules

    private static func fetchCurrent(_ id: String, _ seen: ExpectedVersion, _ db: Database) throws -> Button {
        guard let button = try ButtonRecords.one(id, db) else { throw ButtonError.notFound }
        guard seen.allows(button.version) else { throw ButtonError.stale(button) }
        return button
    }

    private static func nextNumber(_ db: Database) throws -> Int {
        guard try ButtonRecords.count(db) < limit, let number = try ButtonRecords.nextNumber(db) else { throw ButtonError.full }
        return number
    }

    private static func action(
        _ item: CommandBatches.Item, previous: [DeviceAction] = [], by person: Person, in context: TransactionContext
    ) throws -> DeviceAction {
        do {
            return try item.action(previous: previous, by: person, isLocal: context.origin.isLocal, at: context.now, in: context.db)
        } catch let refusal as CommandRefusal {
            throw ButtonError.action(refusal)
        }
    }

    /// The action that a draft resolves to.
    private struct ResolvedDraft {
        let action: DeviceAction
        var publication: ButtonPublication?
        var keys = ButtonRecords.Keys()
    }

    private func resolve(
        _ draft: Draft, of before: Button?, _ id: String, by person: Person, in context: TransactionContext
    ) throws -> (title: String, wish: ResolvedDraft) {
        let title: String
        do { title = try Name.check(draft.title) } catch { throw ButtonError.title(error) }
        guard Button.countdowns.contains(draft.countdown) else { throw ButtonError.countdown }
        switch draft.behavior {
        case .command(let item):
            let previous = before.map { [$0.action] } ?? []
            return (title, ResolvedDraft(action: try Self.action(item, previous: previous, by: person, in: context)))
        case .publish(var publication, let timestampKey):
            var keys = before == nil ? ButtonRecords.Keys() : try ButtonRecords.keys(of: id, by: sealing, context.db)
            switch timestampKey {
            case .unchanged: break
            case .none: keys.timestamp = nil
            case .new(let key): keys.timestamp = key
            }
            publication.hasTimestampKey = keys.timestamp != nil
            do { try publication.check() } catch { throw ButtonError.publication(error) }
            return (title, ResolvedDraft(action: DeviceAction(deviceID: id, verb: .press), publication: publication, keys: keys))
        }
    }

    private func save(_ wish: ResolvedDraft, of button: Button, at now: Date, in db: Database) throws {
        guard let publication = wish.publication else { return try ButtonDevice.withdraw(button.id, at: now, in: db) }
        try ButtonRecords.saveKeys(wish.keys, of: button.id, by: sealing, in: db)
        try ButtonDevice.announce(button, publication, isUp: publisher.isConnected(publication.via), at: now, in: db)
    }

    /// The change to publish after its commit.
    private struct CommittedChange: Sendable {
        let button: Button
        /// The device of a publishing button.
        let device: Device?

        func updateCache(in devices: Devices) {
            if let device { devices.updateCache([device]) } else { devices.removeFromCache(button.id) }
        }
    }

    static func record(_ action: String, _ id: String, in context: TransactionContext) throws {
        let seq = try Journal.append(
            .buttonChanged, subject: id, data: action == "button.remove" ? ["removed": true] : [:], at: context.now, in: context.db)
        try AuditLog.append(.init(who: .init(context.principal), action: action, result: .done, journalSeq: seq), in: context)
    }
}

extension Button {
    /// The message is hidden from people who may not change the button: it may be all that a device requires to open. A stored message is
    /// never empty.
    fileprivate func redacted(to person: Person) -> Button {
        var redacted = self
        if !person.rights.contains(.modifySettings) { redacted.publication?.message = "" }
        return redacted
    }

    /// The command that it is.
    ///
    /// - Parameter tag: the id of the tag that pressed it.
    func commandRequest(by principal: Principal, tag: String? = nil, call: IdempotencyKey?, origin: RequestOrigin) -> CommandRequest {
        CommandRequest(
            principal: principal, target: .device(id: action.deviceID, entityID: action.entityID, verb: action.verb), value: action.value,
            transition: action.transition, idempotencyKey: call, origin: origin, isPreset: true,
            trigger: tag.map { .tag($0) } ?? .button(id))
    }
}
