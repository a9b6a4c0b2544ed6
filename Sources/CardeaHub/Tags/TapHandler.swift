import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// Turns a tap into a command: the link is evaluated, used up, and submitted to the gate, in one transaction.
public struct TapHandler: Sendable {
    let store: Store
    let sealing: SealingKey
    let commands: Commands
    let idempotency: IdempotencyStore
    let environment: HubEnvironment
    let logger: Logger
    private let viewedLinks = ViewedLinks()

    init(store: Store, sealing: SealingKey, commands: Commands, idempotency: IdempotencyStore, environment: HubEnvironment, logger: Logger)
    {
        self.logger = logger
        self.idempotency = idempotency
        self.store = store
        self.sealing = sealing
        self.commands = commands
        self.environment = environment
    }

    public enum Outcome: Sendable {
        /// No command was submitted; with the button it would have been for, if that is known.
        case refused(TagRefusal, Button?)
        /// The tap is good, and the gate or the device says no.
        case denied(CommandRefusal, Button)
        case admitted(Command, Button)
    }

    /// - Parameters:
    ///   - link: the link that the phone read.
    ///   - isConfirmed: true if the person has confirmed on their screen.
    ///   - call: the tap's idempotency key. A repeated tap, for example after a lost answer, gets the same answer and uses nothing up.
    public func handle(
        _ link: String, isConfirmed: Bool, by principal: Principal, call: IdempotencyKey? = nil, origin: RequestOrigin
    ) async throws -> (outcome: Outcome, isReplay: Bool) {
        let link = PastedText.tagLink(link)
        let now = environment.now()
        logger.notice("tap received")
        let came = try await store.audited("tag.tap", by: principal, origin: origin, at: now) {
            try await commands.admit { db in
                let context = TransactionContext(db: db, now: now, origin: origin, principal: principal)
                try People.require(.controlDevices, of: principal, in: db)
                var taken: [Command] = []
                let kept = try idempotency.run(call, in: context) {
                    let outcome = try evaluate(link, isConfirmed: isConfirmed, in: context)
                    if case .admitted(let command, _) = outcome { taken.append(command) }
                    return StoredOutcome(outcome)
                }
                return ((outcome: try kept.answer.outcome(taken.first, db), isReplay: kept.isReplay), taken)
            }
        }
        log(came.outcome, isReplay: came.isReplay)
        return came
    }

    /// Logs the outcome by ids, never with the link.
    private func log(_ outcome: Outcome, isReplay: Bool) {
        if isReplay { return logger.notice("repeated tap answered from the stored result") }
        var about: Logger.Metadata = [:]
        switch outcome {
        case .refused(let refusal, let button):
            about["button"] = button.map { "\($0.id)" }
            about["reason"] = "\(refusal.rawValue)"
            logger.notice("tap rejected", metadata: about)
        case .denied(let refusal, let button):
            about["button"] = "\(button.id)"
            logger.notice("tap accepted", metadata: about)
            about["reason"] = refusal.auditReasonName.map { "\($0)" }
            logger.notice("button press refused", metadata: about)
        case .admitted(let command, let button):
            about["button"] = "\(button.id)"
            logger.notice("tap accepted", metadata: about)
            about["command"] = "\(command.id)"
            logger.notice("button pressed", metadata: about)
        }
    }

    /// Returns the effect that the link would have if this person tapped it now, for a screen that asks first. It uses up nothing.
    ///
    /// After a restore it reports no refusal to a person who may read the tag in: their confirmation does so.
    public func preview(_ link: String, by principal: Principal, origin: RequestOrigin) async throws -> Preview {
        let link = PastedText.tagLink(link)
        let now = environment.now()
        return try await store.auditedWrite("tag.look", by: principal, origin: origin, at: now) { context in
            try People.require(.controlDevices, of: principal, in: context.db)
            guard try ThrottleRecords.wait([(.tap, principal.key)], at: now, in: context.db) == nil else {
                return Preview(button: nil, refusal: .tooMany)
            }
            var tap = TapEvaluation(
                now: now, policy: try TagSettingsRecords.read(context.db).policy, isConfirmed: true, principal: principal, isPreview: true)
            do {
                let button = try tap.resolveButton(link, by: sealing, in: context.db)
                viewedLinks.insert(link, by: principal, at: now)
                return Preview(button: button, isEnough: tap.needsNoConfirmation)
            } catch let refusal as TagRefusal {
                // A preview reveals as much about a guess as a tap does.
                try ThrottleRecords.recordFailure(.tap, principal.key, at: now, in: context.db)
                return Preview(button: tap.button, refusal: refusal)
            }
        }
    }

    /// The effect that a tap would have.
    public struct Preview: Hashable, Sendable {
        public let button: Button?
        /// The reason why it would be refused. A required confirmation is no reason.
        public let refusal: TagRefusal?
        /// The touch is enough for the house: the screen asks for no confirmation.
        public let needsNoConfirmation: Bool

        init(button: Button?, refusal: TagRefusal? = nil, isEnough: Bool = false) {
            self.button = button
            self.refusal = refusal
            self.needsNoConfirmation = isEnough
        }
    }

    /// The outcome as it is stored under the caller's idempotency key.
    private struct StoredOutcome: Codable, Sendable {
        var refusal: TagRefusal?
        var denial: CommandRefusal?
        var commandID: String?
        var buttonID: String?

        init(_ outcome: Outcome) {
            switch outcome {
            case .refused(let refusal, let button): (self.refusal, buttonID) = (refusal, button?.id)
            case .denied(let denial, let button): (self.denial, buttonID) = (denial, button.id)
            case .admitted(let command, let button): (commandID, buttonID) = (command.id, button.id)
            }
        }

        /// - Parameter taken: the command that was taken on just now.
        func outcome(_ taken: Command?, _ db: Database) throws -> Outcome {
            let button = try buttonID.flatMap { try ButtonRecords.one($0, db) }
            if let refusal { return .refused(refusal, button) }
            if let denial, let button { return .denied(denial, button) }
            // A deleted button has no details to return.
            guard let button, let command = try taken ?? commandID.flatMap({ try CommandRecords.one($0, db) }) else {
                return .refused(.unknown, button)
            }
            return .admitted(command, button)
        }
    }

    private func evaluate(_ link: String, isConfirmed: Bool, in context: TransactionContext) throws -> Outcome {
        guard try ThrottleRecords.wait([(.tap, context.principal.key)], at: context.now, in: context.db) == nil else {
            return .refused(.tooMany, nil)
        }
        var tap = TapEvaluation(
            now: context.now, policy: try TagSettingsRecords.read(context.db).policy, isConfirmed: isConfirmed,
            principal: context.principal)
        tap.wasViewedEarlier = viewedLinks.contains(link, by: context.principal, at: context.now)
        do {
            let button = try tap.resolveButton(link, by: sealing, in: context.db)
            try audit(tap, nil, in: context)
            let ask = button.commandRequest(by: tap.principal, tag: tap.tag?.id, call: nil, origin: context.origin)
            switch try commands.makeAdmission(of: ask).admit(context.db) {
            case .admitted(let command), .replay(let command): return .admitted(command, button)
            case .refused(let refusal): return .denied(refusal, button)
            case .state: return .denied(.readOnly, button)
            }
        } catch let refusal as TagRefusal {
            // A request for confirmation is not a refusal.
            if refusal != .unconfirmed {
                if refusal != .synced { try ThrottleRecords.recordFailure(.tap, context.principal.key, at: context.now, in: context.db) }
                try audit(tap, refusal, in: context)
            }
            return .refused(refusal, tap.button)
        }
    }

    private func audit(_ tap: TapEvaluation, _ refusal: TagRefusal?, in context: TransactionContext) throws {
        var entry = AuditLog.Entry(who: .init(tap.presenter), action: "tag.tap", result: refusal == nil ? .done : .refused)
        entry.deviceID = tap.button?.action.deviceID
        entry.grantID = tap.tag.map { "tag:\($0.id)" }
        entry.reason = refusal?.auditReason
        try AuditLog.append(entry, in: context)
    }
}

/// Links shown on a screen that were valid when they were viewed.
private final class ViewedLinks: Sendable {
    private static let memoryDuration: TimeInterval = 600
    private static let limit = 256
    private let seen = Mutex<[String: Date]>([:])

    func insert(_ link: String, by principal: Principal, at now: Date) {
        seen.withLock { seen in
            seen = seen.filter { now.timeIntervalSince($0.value) < Self.memoryDuration }
            if seen.count < Self.limit { seen["\(principal.key) \(link)"] = now }
        }
    }

    func contains(_ link: String, by principal: Principal, at now: Date) -> Bool {
        seen.withLock { $0["\(principal.key) \(link)"].map { now.timeIntervalSince($0) < Self.memoryDuration } ?? false }
    }
}
