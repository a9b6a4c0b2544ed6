import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The triggers of buttons outside the house's screens: tags on walls, and links that work once.
public struct Tags: Sendable {
    let store: Store
    let sealing: SealingKey
    let idempotency: IdempotencyStore
    let environment: HubEnvironment

    /// The wanted values of a tag.
    public struct Draft: Sendable {
        public var target: PressTarget
        public var label: String?
        public var technology: Technology
        /// It is still to be written, in place of another one if there is one.
        public var pending: Pending?

        public struct Pending: Sendable {
            public var replaces: String?

            public init(replaces: String? = nil) {
                self.replaces = replaces
            }
        }

        public enum Technology: Sendable {
            /// Plain memory.
            case memory
            /// A tag that proves its touches. The house makes any omitted key.
            case sun(uid: Data, meta: TagKey?, file: TagKey?, names: SUNKeys.ParameterNames)
        }

        public init(pressing pressed: PressTarget, label: String?, nature: Technology, pending: Pending? = nil) {
            self.target = pressed
            self.pending = pending
            self.label = label
            self.technology = nature
        }
    }

    /// The target of a tag or a link.
    public enum PressTarget: Sendable {
        case button(String)
        /// One action of one device: the button for it, which is made if the house has none.
        case grant(CommandBatches.Item)
    }

    /// A tag that was added, and the keys that the house made for it: they are to be written on the tag.
    public struct NewTag: Sendable {
        public let tag: Tag
        public let meta: TagKey?
        public let file: TagKey?
        public let isReplay: Bool
    }

    /// A link that is good once.
    public struct IssuedLink: Codable, Sendable {
        public let buttonID: String
        /// `idx=…&ts=…&sig=…`, for `smp://action?` or the house's own page.
        public var query: Secret { Secret(text) }
        private let text: String
        public let goodUntil: Date

        init(buttonID: String, query: Secret, goodUntil: Date) {
            self.buttonID = buttonID
            text = query.reveal()
            self.goodUntil = goodUntil
        }
    }

    public enum TagError: Error {
        case notFound
        case noButton
        case label(Name.NameError)
        /// No seven octets.
        case uid
        /// No three plain words.
        case names
        /// Both keys are one and the same.
        case sameKeys
        /// Another tag of the house has this UID.
        case uidInUse
        /// The button has as many as it may.
        case full
        /// The content read back is not what this tag was to hold, or it was not written in time.
        case notReadBack
        /// It proves nothing, or is still to be written: there are no keys to change.
        case keyless
        /// The tag to replace does not belong to this button.
        case noReplacedTag
        /// The button was changed since it was read.
        case changed
        /// Too many links of one button at one moment.
        case tooMany
    }

    // MARK: Reading

    public func all(seenBy principal: Principal) async throws -> [Tag] {
        let now = environment.now()
        return try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try TagRecords.all(db).filter { $0.state == .active || now.timeIntervalSince($0.createdAt) <= Tag.writeDeadline }
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> Tag {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard let tag = try TagRecords.one(id, db) else { throw TagError.notFound }
            return tag
        }
    }

    public func policy(seenBy principal: Principal) async throws -> (policy: TagPolicy, version: Int) {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return try TagSettingsRecords.read(db)
        }
    }

    // MARK: Making and changing

    public func add(_ draft: Draft, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin) async throws -> NewTag {
        let (now, id) = (environment.now(), "tag_" + environment.newID())
        return try await store.auditedWrite("tag.add", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                try People.require(.modifySettings, of: principal, in: context.db)
                let label = try Self.validatedLabel(draft.label)
                let button = try resolveButton(draft.target, in: context)
                try TagRecords.sweep(at: now, in: context.db)
                let (state, other) = (draft.pending == nil ? Tag.State.active : .pending, draft.pending?.replaces)
                if let other, try TagRecords.one(other, context.db).map({ $0.buttonID != button.id || $0.state != .active }) ?? true {
                    throw TagError.noReplacedTag
                }
                guard try TagRecords.count(of: button.id, state, context.db) < Tag.limitPerButton,
                    try TagRecords.count(of: button.id, .active, but: other, context.db) < Tag.limitPerButton
                else { throw TagError.full }
                var uid: Data?
                var keys: SUNKeys?
                if case .sun(let octets, let meta, let file, let names) = draft.technology {
                    uid = octets
                    let uid = octets
                    guard uid.count == 7 else { throw TagError.uid }
                    guard names.isValid else { throw TagError.names }
                    guard try TagRecords.one(uid: uid, context.db) == nil else { throw TagError.uidInUse }
                    let own = try TagKeyDerivation.keys(for: uid, of: id, by: sealing, in: context.db)
                    let both = SUNKeys(meta: meta ?? own.meta, file: file ?? own.file, names: names)
                    guard both.meta.octets != both.file.octets else { throw TagError.sameKeys }
                    keys = both
                }
                let tag = Tag(
                    id: id, kind: uid == nil ? .static : .sun, buttonID: button.id, buttonVersion: button.actionVersion, label: label,
                    state: state, replaces: other, uid: uid, createdAt: now)
                try TagRecords.insert(tag, keys: keys, by: sealing, in: context.db)
                try AccessChanges.record(.tag, id, in: context)
                try Self.record("tag.add", id, in: context)
                return id
            }
            guard let tag = try TagRecords.one(outcome.answer, context.db) else { throw TagError.notFound }
            guard case .sun(_, let meta, let file, _) = draft.technology else {
                return NewTag(tag: tag, meta: nil, file: nil, isReplay: outcome.isReplay)
            }
            // A repeated request with the same idempotency key returns the same keys.
            let own = try TagRecords.keys(of: tag.id, by: sealing, context.db)
            return NewTag(
                tag: tag, meta: meta == nil ? own?.meta : nil, file: file == nil ? own?.file : nil, isReplay: outcome.isReplay)
        }
    }

    /// Activates a pending tag that was written and read back, and ends the one that it replaces.
    ///
    /// - Parameter link: the link that was read back from it.
    public func promote(_ id: String, readBack link: String, by principal: Principal, origin: RequestOrigin) async throws -> Tag {
        let now = environment.now()
        return try await store.auditedWrite("tag.write", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard let tag = try TagRecords.one(id, context.db) else { throw TagError.notFound }
            let counter = try requireMatchingLink(link, by: tag, in: context.db)
            // A repeated call changes nothing.
            if tag.state == .active { return tag }
            guard now.timeIntervalSince(tag.createdAt) <= Tag.writeDeadline else { throw TagError.notFound }
            guard try TagRecords.count(of: tag.buttonID, .active, but: tag.replaces, context.db) < Tag.limitPerButton else {
                throw TagError.full
            }
            // The touch that proves it is used up. A touch already used as a tap still proves it; an older touch would be a stored link.
            if let counter, try !TagRecords.advanceCounter(id, to: counter, in: context.db), tag.counter != Int(counter) {
                throw TagError.notReadBack
            }
            try TagRecords.promote(tag, at: now, in: context.db)
            try Self.record("tag.write", id, in: context)
            return try TagRecords.one(id, context.db).orThrow(TagError.notFound)
        }
    }

    /// Requires that the link is this tag's. A tag with touch proofs must prove this touch: its plain address can be read off the screen.
    ///
    /// - Returns: the touch counter of such a tag.
    private func requireMatchingLink(_ link: String, by tag: Tag, in db: Database) throws -> UInt32? {
        switch try? TagLink(link) {
        case .staticTag(tag.id) where tag.kind == .static: return nil
        case .touch(tag.id, let values) where tag.kind == .sun:
            guard let keys = try TagRecords.keys(of: tag.id, by: sealing, db), let touch = Self.verifiedTouch(values, keys),
                touch.uid == tag.uid
            else { throw TagError.notReadBack }
            return touch.counter
        default: throw TagError.notReadBack
        }
    }

    /// Confirms that the tag still presses its button with its present action, and changes its label if one is given. A label alone renews
    /// nothing.
    ///
    /// - Parameter seen: the button's version that the person saw; nil for the present one.
    public func renew(_ id: String, label: String?, seen: Int? = nil, by principal: Principal, origin: RequestOrigin) async throws -> Tag {
        let now = environment.now()
        return try await store.auditedWrite("tag.change", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard let tag = try TagRecords.one(id, context.db), let button = try ButtonRecords.one(tag.buttonID, context.db) else {
                throw TagError.notFound
            }
            if let seen, seen != button.version { throw TagError.changed }
            let name = try Self.validatedLabel(label)
            if let name { try TagRecords.setLabel(id, name, in: context.db) }
            if name == nil || seen != nil {
                try TagRecords.renew(id, in: context.db)
                try AccessChanges.record(.tag, id, in: context)
            }
            try Self.record("tag.change", id, in: context)
            return try TagRecords.one(id, context.db).orThrow(TagError.notFound)
        }
    }

    /// Acknowledges the alarm that the tag may have been copied. The next alarm is notified again.
    public func acknowledgeAlarm(of id: String, by principal: Principal, origin: RequestOrigin) async throws -> Tag {
        let now = environment.now()
        return try await store.auditedWrite("tag.alarm_seen", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard let tag = try TagRecords.one(id, context.db) else { throw TagError.notFound }
            // A repeated call changes nothing.
            if tag.alarmedAt == nil { return tag }
            try TagRecords.clearAlarm(of: id, in: context.db)
            try Self.record("tag.alarm_seen", id, in: context)
            return try TagRecords.one(id, context.db).orThrow(TagError.notFound)
        }
    }

    public func remove(_ id: String, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("tag.remove", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard try TagRecords.one(id, context.db) != nil else { throw TagError.notFound }
            try context.db.execute(sql: "DELETE FROM tags WHERE id = ?", arguments: [id])
            try Self.record("tag.remove", id, in: context)
        }
    }

    /// A link that presses the button once, within two minutes, by its maker's own right.
    public func issueSignedLink(
        _ pressed: PressTarget, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin
    ) async throws -> (IssuedLink, isReplay: Bool) {
        let now = environment.now()
        return try await store.auditedWrite("tag.live", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                try makeSignedLink(pressed, in: context)
            }
            return (outcome.answer, outcome.isReplay)
        }
    }

    private func makeSignedLink(_ pressed: PressTarget, in context: TransactionContext)
        throws -> IssuedLink
    {
        let person = try People.require(.controlDevices, of: context.principal, in: context.db)
        let button = try resolveButton(pressed, in: context)
        let secret = try ButtonRecords.secret(of: button.id, by: sealing, context.db).orThrow(TagError.noButton)
        // Two links of the same second would be equal, so the second one gets the next second.
        for ahead in 0..<5 {
            let moment = context.now.addingTimeInterval(Double(ahead))
            let query = SignedActionLink.query(index: button.index, at: moment, secret)
            let link = try SignedActionLink("\(SignedActionLink.scheme)://action?\(query.reveal())")
            let end = moment.addingTimeInterval(Double(SignedActionLink.clockTolerance))
            guard try SingleUseLinkRecords.insert(link.digest, for: button, by: person.id, until: end, in: context.db) else { continue }
            try AuditLog.append(
                .init(who: .init(context.principal), action: "tag.live", deviceID: button.action.deviceID, result: .done), in: context)
            return IssuedLink(buttonID: button.id, query: query, goodUntil: end)
        }
        throw TagError.tooMany
    }

    private func resolveButton(_ pressed: PressTarget, in context: TransactionContext) throws -> Button {
        switch pressed {
        case .button(let id):
            guard let button = try ButtonRecords.one(id, context.db) else { throw TagError.noButton }
            return button
        case .grant(let item):
            return try Buttons.findOrCreate(
                item, called: "button_" + environment.newID(), sealing: sealing, in: context)
        }
    }

    /// Makes every live link of the button worthless that was made so far.
    public func invalidateSignedLinks(_ buttonID: String, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("tag.regenerate", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard try ButtonRecords.one(buttonID, context.db) != nil else { throw TagError.noButton }
            try ButtonRecords.updateSecret(.make(), of: buttonID, by: sealing, in: context.db)
            try Buttons.record("tag.regenerate", buttonID, in: context)
        }
    }

    public func updatePolicy(_ policy: TagPolicy, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin) async throws -> (
        TagPolicy, Int
    ) {
        let now = environment.now()
        return try await store.auditedWrite("tag.policy", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            let (before, version) = try TagSettingsRecords.read(context.db)
            guard seen.allows(version) else { throw StalePolicyError(policy: before, version: version) }
            try TagSettingsRecords.write(policy, version: version + 1, in: context.db)
            if policy.isOn { try AccessChanges.record(.tagPolicy, AccessChanges.policyID, in: context) }
            let seq = try Journal.append(.tagChanged, at: now, in: context.db)
            try AuditLog.append(.init(who: .init(principal), action: "tag.policy", result: .done, journalSeq: seq), in: context)
            return (policy, version + 1)
        }
    }

    /// Another person changed the policy meanwhile.
    public struct StalePolicyError: Error {
        public let policy: TagPolicy
        public let version: Int
    }

    private static func validatedLabel(_ text: String?) throws -> String? {
        guard let text else { return nil }
        do { return try Name.check(text) } catch { throw TagError.label(error) }
    }

    static func record(_ action: String, _ id: String, in context: TransactionContext) throws {
        let seq = try Journal.append(
            .tagChanged, subject: id, data: action == "tag.remove" ? ["removed": true] : [:], at: context.now, in: context.db)
        try AuditLog.append(
            .init(who: .init(context.principal), action: action, grantID: "tag:\(id)", result: .done, journalSeq: seq), in: context)
    }
}
