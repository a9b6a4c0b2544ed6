import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// A tap becomes a command: what was read is judged, used up, and asked for at the gate, in one transaction.
public struct Taps: Sendable {
    let store: Store
    let sealing: SealingKey
    let commands: Commands
    let once: OnceOnly
    let surroundings: Surroundings
    let logger: Logger
    private let looked = Looked()

    init(store: Store, sealing: SealingKey, commands: Commands, once: OnceOnly, surroundings: Surroundings, logger: Logger) {
        self.logger = logger
        self.once = once
        self.store = store
        self.sealing = sealing
        self.commands = commands
        self.surroundings = surroundings
    }

    public enum Outcome: Sendable {
        /// Nothing was asked for; whose button it would have been, where that is known.
        case refused(TagRefusal, Button?)
        /// The tap is good, and the gate or the device says no.
        case denied(CommandRefusal, Button)
        case taken(Command, Button)
    }

    /// - Parameters:
    ///   - link: what the phone read.
    ///   - isConfirmed: whoever tapped has said yes on their screen.
    ///   - call: the tap's own name. Handed in again under it, as where its answer was cut off, it is answered again and uses nothing up.
    public func tap(
        _ link: String, isConfirmed: Bool, by principal: Principal, call: CallName? = nil, origin: Origin
    ) async throws -> (outcome: Outcome, isReplay: Bool) {
        let link = PastedText.tagLink(link)
        let now = surroundings.now()
        logger.notice("a tap was received")
        let came = try await store.onRecord("tag.tap", by: principal, origin: origin, at: now) {
            try await commands.admit { db in
                try People.require(.controlDevices, of: principal, in: db)
                var taken: [Command] = []
                let kept = try once.run(call, by: principal.key, at: now, in: db) { db in
                    let outcome = try judge(link, isConfirmed: isConfirmed, by: principal, origin: origin, at: now, in: db)
                    if case .taken(let command, _) = outcome { taken.append(command) }
                    return Kept(outcome)
                }
                return ((outcome: try kept.answer.outcome(taken.first, db), isReplay: kept.isReplay), taken)
            }
        }
        tell(came.outcome, isReplay: came.isReplay)
        return came
    }

    /// What became of it, in the log: by ids, and never by the link.
    private func tell(_ outcome: Outcome, isReplay: Bool) {
        if isReplay { return logger.notice("a tap was handed in again and is answered as before") }
        var about: Logger.Metadata = [:]
        switch outcome {
        case .refused(let refusal, let button):
            about["button"] = button.map { "\($0.id)" }
            about["reason"] = "\(refusal.rawValue)"
            logger.notice("a tap comes to nothing", metadata: about)
        case .denied(let refusal, let button):
            about["button"] = "\(button.id)"
            logger.notice("a tap is good", metadata: about)
            about["reason"] = refusal.auditName.map { "\($0)" }
            logger.notice("its button is refused", metadata: about)
        case .taken(let command, let button):
            about["button"] = "\(button.id)"
            logger.notice("a tap is good", metadata: about)
            about["command"] = "\(command.id)"
            logger.notice("its button is pressed", metadata: about)
        }
    }

    /// What the link would do if it were tapped by this person now. Nothing is used up: it is for a screen that asks first.
    ///
    /// Whoever may read a tag in after a restore is given no reason either: their yes is what reads it in.
    public func look(_ link: String, by principal: Principal, origin: Origin) async throws -> Look {
        let link = PastedText.tagLink(link)
        let now = surroundings.now()
        return try await store.attempt("tag.look", by: principal, origin: origin, at: now) { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard try Throttles.wait([(.tap, principal.key)], at: now, in: db) == nil else {
                return Look(button: nil, refusal: .tooMany)
            }
            var tap = Tap(now: now, policy: try TagSettingsRecord.read(db).policy, isConfirmed: true, principal: principal, isLook: true)
            do {
                let button = try tap.read(link, by: sealing, in: db)
                looked.note(link, by: principal, at: now)
                return Look(button: button, isEnough: tap.isEnough)
            } catch let refusal as TagRefusal {
                // A look tells as much of a guess as a tap does.
                try Throttles.fail(.tap, principal.key, at: now, in: db)
                return Look(button: tap.button, refusal: refusal)
            }
        }
    }

    /// What a tap would do.
    public struct Look: Hashable, Sendable {
        public let button: Button?
        /// Why it would come to nothing. That a yes is wanted first is no reason.
        public let refusal: TagRefusal?
        /// The house leaves it to the touch: no yes is wanted on the screen.
        public let isEnough: Bool

        init(button: Button?, refusal: TagRefusal? = nil, isEnough: Bool = false) {
            self.button = button
            self.refusal = refusal
            self.isEnough = isEnough
        }
    }

    /// What is kept under the caller's name.
    private struct Kept: Codable, Sendable {
        var refusal: TagRefusal?
        var denial: CommandRefusal?
        var commandID: String?
        var buttonID: String?

        init(_ outcome: Outcome) {
            switch outcome {
            case .refused(let refusal, let button): (self.refusal, buttonID) = (refusal, button?.id)
            case .denied(let denial, let button): (self.denial, buttonID) = (denial, button.id)
            case .taken(let command, let button): (commandID, buttonID) = (command.id, button.id)
            }
        }

        /// - Parameter taken: the command that was taken on just now.
        func outcome(_ taken: Command?, _ db: Database) throws -> Outcome {
            let button = try buttonID.flatMap { try ButtonRecords.one($0, db) }
            if let refusal { return .refused(refusal, button) }
            if let denial, let button { return .denied(denial, button) }
            // A button that has gone since then can say no more than that it has.
            guard let button, let command = try taken ?? commandID.flatMap({ try CommandRecords.one($0, db) }) else {
                return .refused(.unknown, button)
            }
            return .taken(command, button)
        }
    }

    private func judge(
        _ link: String, isConfirmed: Bool, by principal: Principal, origin: Origin, at now: Date, in db: Database
    ) throws -> Outcome {
        guard try Throttles.wait([(.tap, principal.key)], at: now, in: db) == nil else { return .refused(.tooMany, nil) }
        var tap = Tap(now: now, policy: try TagSettingsRecord.read(db).policy, isConfirmed: isConfirmed, principal: principal)
        tap.waited = looked.has(link, by: principal, at: now)
        do {
            let button = try tap.read(link, by: sealing, in: db)
            try record(tap, nil, origin: origin, at: now, in: db)
            let ask = button.ask(by: tap.principal, tag: tap.tag?.id, call: nil, origin: origin)
            switch try commands.admission(of: ask).run(db) {
            case .taken(let command), .replay(let command): return .taken(command, button)
            case .refused(let refusal): return .denied(refusal, button)
            case .reading: return .denied(.readOnly, button)
            }
        } catch let refusal as TagRefusal {
            // Asking whether they meant it is no refusal.
            if refusal != .unconfirmed {
                if refusal != .synced { try Throttles.fail(.tap, principal.key, at: now, in: db) }
                try record(tap, refusal, origin: origin, at: now, in: db)
            }
            return .refused(refusal, tap.button)
        }
    }

    private func record(_ tap: Tap, _ refusal: TagRefusal?, origin: Origin, at now: Date, in db: Database) throws {
        var entry = AuditTrail.Entry(who: .init(tap.tapper), action: "tag.tap", result: refusal == nil ? .done : .refused)
        entry.deviceID = tap.button?.action.deviceID
        entry.grantID = tap.tag.map { "tag:\($0.id)" }
        entry.reason = refusal?.auditReason
        try AuditTrail.append(entry, origin: origin, at: now, in: db)
    }
}

/// Links that somebody has before them on a screen, good when they were looked at.
private final class Looked: Sendable {
    private static let memory: TimeInterval = 600
    private static let most = 256
    private let seen = Mutex<[String: Date]>([:])

    func note(_ link: String, by principal: Principal, at now: Date) {
        seen.withLock { seen in
            seen = seen.filter { now.timeIntervalSince($0.value) < Self.memory }
            if seen.count < Self.most { seen["\(principal.key) \(link)"] = now }
        }
    }

    func has(_ link: String, by principal: Principal, at now: Date) -> Bool {
        seen.withLock { $0["\(principal.key) \(link)"].map { now.timeIntervalSince($0) < Self.memory } ?? false }
    }
}

/// One tap while it is judged.
private struct Tap {
    let now: Date
    let policy: TagPolicy
    let isConfirmed: Bool
    /// Nothing is used up.
    let isLook: Bool
    /// This link was looked at a while ago, when it was still the latest.
    var waited = false
    /// Who held their phone to it.
    let tapper: Principal
    /// By whose right the button is pressed.
    private(set) var principal: Principal
    private(set) var tag: Tag?
    private(set) var button: Button?
    /// The house leaves it to the touch.
    private(set) var isEnough = false

    init(now: Date, policy: TagPolicy, isConfirmed: Bool, principal: Principal, isLook: Bool = false) {
        self.now = now
        self.policy = policy
        self.isConfirmed = isConfirmed
        self.isLook = isLook
        tapper = principal
        self.principal = principal
    }

    /// The button that it presses.
    ///
    /// - Throws: `TagRefusal`
    mutating func read(_ text: String, by sealing: SealingKey, in db: Database) throws -> Button {
        guard policy.isOn else { throw TagRefusal.off }
        let link: TagLink
        do { link = try TagLink(text) } catch { throw TagRefusal.malformed }
        switch link {
        case .live(let link): return try live(link, by: sealing, in: db)
        case .place(let id): return try place(id, in: db)
        case .touch(let id, let values): return try touch(id, values, by: sealing, in: db)
        }
    }

    private mutating func live(_ link: LiveLink, by sealing: SealingKey, in db: Database) throws -> Button {
        guard let button = try ButtonRecords.numbered(link.index, db), let secret = try ButtonRecords.secret(of: button.id, by: sealing, db)
        else { throw TagRefusal.unknown }
        do {
            try link.check(secret, at: now)
        } catch {
            throw error == .stale ? TagRefusal.stale : TagRefusal.forged
        }
        self.button = button
        // Which of the links that were made before were used, a house that was put back does not know.
        if let restored = try BackupRecords.read(db).restoredAt, Date(timeIntervalSince1970: Double(link.timestamp)) <= restored {
            throw TagRefusal.stale
        }
        try allow(.live, button, in: db)
        let end = Date(timeIntervalSince1970: Double(link.timestamp + LiveLink.tolerance))
        let use =
            try isLook
            ? LiveLinkRecords.look(link.digest, db) : LiveLinkRecords.use(link.digest, for: button.id, at: now, until: end, in: db)
        guard case .first(let maker, let version) = use else { throw TagRefusal.used }
        // Its maker meant what the button did then.
        guard version == nil || version == button.actionVersion else { throw TagRefusal.outdated }
        if let maker { principal = .person(id: maker, sessionID: "") }
        return button
    }

    private mutating func place(_ id: String, in db: Database) throws -> Button {
        // What names a tag that proves its touches, and does not prove one, is a copy of its address.
        guard let tag = try TagRecords.one(id, db), tag.kind == .static else { throw TagRefusal.unknown }
        return try press(tag, in: db)
    }

    private mutating func touch(_ id: String?, _ values: [String: String], by sealing: SealingKey, in db: Database) throws -> Button {
        let (tag, touch) = try proven(id, values, by: sealing, in: db)
        self.tag = tag
        button = try ButtonRecords.one(tag.buttonID, db)
        if try TagRecords.isUnsynced(tag.id, db) {
            // Who may read it in is asked on the screen, and does it by saying yes.
            if isLook, try mayReadIn(db), let button { return button }
            throw try readIn(tag, touch, in: db)
        }
        let isNew = try isLook ? tag.counter.map { $0 < Int(touch.counter) } ?? true : TagRecords.raise(tag.id, to: touch.counter, in: db)
        guard isNew else {
            if tag.counter == Int(touch.counter) { throw TagRefusal.used }
            // Two of the house who touch it one after the other and say yes the other way round are no copy.
            if isLook || waited { throw TagRefusal.replayed }
            try alarm(tag, in: db)
            throw TagRefusal.replayed
        }
        return try press(tag, in: db)
    }

    /// Those who look after the house are told, once until one of them has seen it.
    private func alarm(_ tag: Tag, in db: Database) throws {
        try TagRecords.alarm(tag.id, at: now, in: db)
        try Journal.append(.tagChanged, subject: tag.id, data: ["alarm": true], at: now, in: db)
        guard tag.alarmedAt == nil, let button else { return }
        let name = tag.label ?? button.title
        try Journal.append(
            .mindChanged, subject: "tag:\(tag.id):\(now.milliseconds)",
            data: [
                "notice": .string(NoticeKind.unusual.rawValue),
                "words": .string("The tag “\(name)” may have been copied. Look at it under Tags & buttons."),
                "needs": .string(Right.modifySettings.rawValue),
            ], at: now, in: db)
    }

    /// After a restore the house's count of touches is an old one, and an old link may look new. The tag's own count, touched by somebody who
    /// may change settings, is the latest there is: from there on it is believed again. That touch does nothing else.
    private func readIn(_ tag: Tag, _ touch: SUNMessage.Touch, in db: Database) throws -> TagRefusal {
        guard try !isLook && mayReadIn(db) else { return .unsynced }
        guard try TagRecords.raise(tag.id, to: touch.counter, in: db) else { return .replayed }
        try TagRecords.synced(tag.id, in: db)
        try Journal.append(.tagChanged, subject: tag.id, at: now, in: db)
        return .synced
    }

    private func mayReadIn(_ db: Database) throws -> Bool {
        try tapper.personID.flatMap { try PeopleRecords.one($0, db) }?.rights.contains(.modifySettings) == true
    }

    /// The tag that has made this link, and its touch.
    private func proven(
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
                // By this tag's names. Another may call them otherwise.
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

    private mutating func press(_ tag: Tag, in db: Database) throws -> Button {
        self.tag = tag
        guard let button = try ButtonRecords.one(tag.buttonID, db) else { throw TagRefusal.unknown }
        self.button = button
        guard tag.state == .active else { throw TagRefusal.unwritten }
        if tag.isOutdated { throw TagRefusal.outdated }
        if let last = tag.lastUsedAt, (0..<Tag.cooldown).contains(now.timeIntervalSince(last)) { throw TagRefusal.cooldown }
        try allow(tag.kind, button, in: db)
        if !isLook { try TagRecords.used(tag.id, at: now, in: db) }
        return button
    }

    /// Whether this kind of tag may ask for what the button does.
    private mutating func allow(_ kind: TagKind, _ button: Button, in db: Database) throws {
        guard button.isEnabled, button.answersTags else { throw TagRefusal.buttonOff }
        // A device that is gone is for the gate to miss; until then it is taken for a door.
        let target = try DeviceRecords.one(button.action.deviceID, db).flatMap { device in
            try? DeviceAction.target(button.action.verb, on: button.action.entityID, of: device)
        }
        let risk = target.map { $0.entity.risk(of: $0.verb) } ?? .open
        isEnough = policy.isTouchEnough(kind, risk)
        switch policy.decide(kind, risk, isConfirmed: isConfirmed) {
        case .act: return
        case .confirm: throw TagRefusal.unconfirmed
        case .refuse(let refusal): throw refusal
        }
    }
}
