import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// One tap while it is judged.
struct TapEvaluation {
    let now: Date
    let policy: TagPolicy
    let isConfirmed: Bool
    /// Nothing is used up.
    let isPreview: Bool
    /// This link was opened a while ago, when it was still the latest.
    var wasViewedEarlier = false
    /// The person who held their phone to it.
    let presenter: Principal
    /// The principal whose rights apply to the button.
    private(set) var principal: Principal
    private(set) var tag: Tag?
    private(set) var button: Button?
    /// The house leaves it to the touch.
    private(set) var needsNoConfirmation = false

    init(now: Date, policy: TagPolicy, isConfirmed: Bool, principal: Principal, isPreview: Bool = false) {
        self.now = now
        self.policy = policy
        self.isConfirmed = isConfirmed
        self.isPreview = isPreview
        presenter = principal
        self.principal = principal
    }

    /// The button that it presses.
    ///
    /// - Throws: `TagRefusal`
    mutating func resolveButton(_ text: String, by sealing: SealingKey, in db: Database) throws -> Button {
        guard policy.isOn else { throw TagRefusal.off }
        let link: TagLink
        do { link = try TagLink(text) } catch { throw TagRefusal.malformed }
        switch link {
        case .live(let link): return try resolveSignedLink(link, by: sealing, in: db)
        case .staticTag(let id): return try resolveStaticTag(id, in: db)
        case .touch(let id, let values): return try resolveTouch(id, values, by: sealing, in: db)
        }
    }

    private mutating func resolveSignedLink(_ link: SignedActionLink, by sealing: SealingKey, in db: Database) throws -> Button {
        guard let button = try ButtonRecords.numbered(link.index, db), let secret = try ButtonRecords.secret(of: button.id, by: sealing, db)
        else { throw TagRefusal.unknown }
        do {
            try link.check(secret, at: now)
        } catch {
            throw error == .stale ? TagRefusal.stale : TagRefusal.forged
        }
        self.button = button
        // A restored house does not know which earlier links were used.
        if let restored = try BackupRecords.read(db).restoredAt, Date(timeIntervalSince1970: Double(link.timestamp)) <= restored {
            throw TagRefusal.stale
        }
        try requireAllowed(.live, button, in: db)
        let end = Date(timeIntervalSince1970: Double(link.timestamp + SignedActionLink.clockTolerance))
        let use =
            try isPreview
            ? SingleUseLinkRecords.peek(link.digest, db)
            : SingleUseLinkRecords.consume(link.digest, for: button.id, at: now, until: end, in: db)
        guard case .first(let maker, let version) = use else { throw TagRefusal.used }
        // The link means the button's action at the time it was made.
        guard version == nil || version == button.actionVersion else { throw TagRefusal.outdated }
        if let maker { principal = .person(id: maker, sessionID: "") }
        return button
    }

    private mutating func resolveStaticTag(_ id: String, in db: Database) throws -> Button {
        // Other kinds prove their touches: a request without a proof is a copied address.
        guard let tag = try TagRecords.one(id, db), tag.kind == .static else { throw TagRefusal.unknown }
        return try pressButton(tag, in: db)
    }

    private mutating func resolveTouch(_ id: String?, _ values: [String: String], by sealing: SealingKey, in db: Database) throws -> Button
    {
        let (tag, touch) = try verifiedTouch(id, values, by: sealing, in: db)
        self.tag = tag
        button = try ButtonRecords.one(tag.buttonID, db)
        if try TagRecords.isUnsynced(tag.id, db) {
            // A person who may resynchronize the tag is asked on the screen, and does it by confirming.
            if isPreview, try mayResynchronize(db), let button { return button }
            throw try resynchronize(tag, touch, in: db)
        }
        let isNew =
            try isPreview
            ? tag.counter.map { $0 < Int(touch.counter) } ?? true : TagRecords.advanceCounter(tag.id, to: touch.counter, in: db)
        guard isNew else {
            if tag.counter == Int(touch.counter) { throw TagRefusal.used }
            // Two people who touch it one after the other and confirm in reverse order are no copy.
            if isPreview || wasViewedEarlier { throw TagRefusal.replayed }
            try raiseCopyAlarm(tag, in: db)
            throw TagRefusal.replayed
        }
        return try pressButton(tag, in: db)
    }

    /// Notifies the people who look after the house, once until one of them has seen it.
    private func raiseCopyAlarm(_ tag: Tag, in db: Database) throws {
        try TagRecords.markAlarmed(tag.id, at: now, in: db)
        try Journal.append(.tagChanged, subject: tag.id, data: ["alarm": true], at: now, in: db)
        guard tag.alarmedAt == nil, let button else { return }
        let name = tag.label ?? button.title
        try Journal.append(
            .mindChanged, subject: "tag:\(tag.id):\(now.milliseconds)",
            data: [
                "notice": .string(NoticeKind.unusual.rawValue),
                "words": .string("The tag “\(name)” may have been copied. Check it under Tags & buttons."),
                "needs": .string(Right.modifySettings.rawValue),
            ], at: now, in: db)
    }

    /// After a restore the stored touch counter is out of date, so an old link may look new. A touch by a person who may change settings
    /// gives the tag's present counter, which is valid from then on. That touch does nothing else.
    private func resynchronize(_ tag: Tag, _ touch: SUNMessage.Touch, in db: Database) throws -> TagRefusal {
        guard try !isPreview && mayResynchronize(db) else { return .unsynced }
        guard try TagRecords.advanceCounter(tag.id, to: touch.counter, in: db) else { return .replayed }
        try TagRecords.markSynced(tag.id, in: db)
        try Journal.append(.tagChanged, subject: tag.id, at: now, in: db)
        return .synced
    }

    private func mayResynchronize(_ db: Database) throws -> Bool {
        try presenter.personID.flatMap { try PeopleRecords.one($0, db) }?.rights.contains(.modifySettings) == true
    }

    /// The tag that has made this link, and its touch.
    private func verifiedTouch(
        _ id: String?, _ values: [String: String], by sealing: SealingKey, in db: Database
    ) throws -> (Tag, SUNMessage.Touch) {
        let known =
            try id.map { id in try TagRecords.keys(of: id, by: sealing, db).map { [(id: id, keys: $0)] } ?? [] }
            ?? TagRecords.allKeys(by: sealing, db)
        var isMisspelt = false
        for (holder, keys) in known {
            let message: SUNMessage?
            do {
                message = try keys.message(values)
            } catch {
                if error == .unsupported { throw TagRefusal.unsupported }
                // Read by this tag's parameter names. Another tag may use other names.
                isMisspelt = true
                continue
            }
            guard let message, let touch = try? message.touch(keys.meta) else { continue }
            guard let tag = try TagRecords.one(uid: touch.uid, db), tag.id == holder else { continue }
            do { try message.check(touch, keys.file) } catch { throw TagRefusal.forged }
            return (tag, touch)
        }
        throw isMisspelt ? TagRefusal.malformed : .unknown
    }

    private mutating func pressButton(_ tag: Tag, in db: Database) throws -> Button {
        self.tag = tag
        guard let button = try ButtonRecords.one(tag.buttonID, db) else { throw TagRefusal.unknown }
        self.button = button
        guard tag.state == .active else { throw TagRefusal.unwritten }
        if tag.isOutdated { throw TagRefusal.outdated }
        if let last = tag.lastUsedAt, (0..<Tag.cooldown).contains(now.timeIntervalSince(last)) { throw TagRefusal.cooldown }
        try requireAllowed(tag.kind, button, in: db)
        if !isPreview { try TagRecords.markUsed(tag.id, at: now, in: db) }
        return button
    }

    /// Requires that this kind of tag may ask for the button's action.
    private mutating func requireAllowed(_ kind: TagKind, _ button: Button, in db: Database) throws {
        guard button.isEnabled, button.answersTags else { throw TagRefusal.buttonOff }
        // The gate reports a missing device; until then it counts as a door.
        let target = try DeviceRecords.one(button.action.deviceID, db).flatMap { device in
            try? DeviceAction.target(button.action.verb, on: button.action.entityID, of: device)
        }
        let risk = target.map { $0.entity.risk(of: $0.verb) } ?? .open
        needsNoConfirmation = policy.allowsWithoutConfirmation(kind, risk)
        switch policy.decide(kind, risk, isConfirmed: isConfirmed) {
        case .act: return
        case .confirm: throw TagRefusal.unconfirmed
        case .refuse(let refusal): throw refusal
        }
    }
}
