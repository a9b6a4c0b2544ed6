import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Observation

/// A guest's pass on their phone: what it is good for, and using it.
///
/// A pass that is bound to this phone is used by the phone's key, which is given out only to who confirms it: a program that does not ask
/// has nothing to sign with. Token and key leave the phone's keychain when the house says that the pass is over, and for no other reason.
@MainActor @Observable
public final class GuestPassScreen {
    /// What whoever holds the phone is asked to confirm before every use (Seed 000).
    public static let confirmationPrompt = "Confirm guest access action"

    public private(set) var state: PassState = .loading
    /// The pass as the house last told; nil where it has not, or there is none.
    public private(set) var pass: GuestPassAnswer?
    /// Somebody in the house has to say yes; `askAgain` hears whether they did.
    public private(set) var pending: PendingApproval?
    /// What came of it, or why the pass is over, in a sentence.
    public private(set) var message: String?

    private let access: GuestAccess
    private let tokens: any SecureTokenStore
    private let keys: (any GuestKeyStore)?
    private let presenceVerifier: any PresenceVerifier
    private let environment: ClientEnvironment
    private var loads = LatestOnly()
    private var pendingAction: PendingAction?
    private var isSending = false

    /// One wish, under one name however often the house is asked.
    private struct PendingAction {
        let action: GuestAction
        let text: CommandText
        /// In hand for as long as the wish lasts: one confirmation is for one wish, however often the house is asked.
        let key: GuestKey?
    }

    /// - Parameter keys: where the phone's own key is kept; nil where the phone can keep none.
    public init(
        access: GuestAccess, tokens: any SecureTokenStore, keys: (any GuestKeyStore)? = nil, presence: any PresenceVerifier,
        environment: ClientEnvironment = .live
    ) {
        self.access = access
        self.tokens = tokens
        self.keys = keys
        self.presenceVerifier = presence
        self.environment = environment
    }

    // MARK: Looking

    /// Asks the house how the pass stands.
    public func load() async {
        guard transition(.viewed) else { return }
        let turn = loads.begin()
        var shown: Secret?
        do {
            shown = try await tokens.load()
            guard let shown else {
                if loads.isLatest(turn) { end("There is no pass on this phone. Ask the house for a link or a code.") }
                return
            }
            var pass = try await access.pass(token: shown)
            // A pass is shown however it stands. That it is over, and its token with it, the house says in another answer.
            if [.expired, .revoked, .usedUp].contains(pass.status) { pass = try await access.validate(token: shown) }
            guard loads.isLatest(turn) else { return }
            self.pass = pass
            transition(.validated)
        } catch {
            if let shown, Self.isPassOver(error) { return await end(error, shown) }
            guard loads.isLatest(turn) else { return }
            if let problem = UserFacingError(error, words: refusalText) {
                transition(.failed(problem.text))
            } else if pass != nil {
                transition(.validated)
            }
        }
    }

    /// What was said has been read.
    public func dismissMessage() {
        guard pass != nil, transition(.dismissed) else { return }
        message = nil
    }

    // MARK: Using it

    /// Does what the pass allows, once whoever holds the phone has confirmed it.
    ///
    /// - Parameter entity: which of the pass's things; nil where the action says it.
    public func execute(_ action: String, at entity: GuestPassAnswer.PassEntity? = nil, value: JSONValue? = nil) async {
        guard let pass, transition(.tapped) else { return }
        message = nil
        let key: GuestKey?
        do {
            guard case .confirmed(let unlocked) = try await confirm(pass) else {
                transition(.cancelled)
                return
            }
            key = unlocked
        } catch {
            let text = UserFacingError(error, words: refusalText)?.text ?? "Not confirmed."
            return show(.failed(text), text)
        }
        let kind = (entity ?? pass.entities.first { $0.allowedActions.contains(action) })?.entityType
        let doors: Set<EntityKind> = [.lock, .cover, .button]
        let wish = PendingAction(
            action: GuestAction(action, entityID: entity?.entityID, value: value, key: environment.makeIdempotencyKey()),
            text: CommandText(ActionName(action)?.verb, door: kind.flatMap { doors.contains($0) ? $0 : nil }), key: key)
        self.pendingAction = wish
        await send(wish)
    }

    private enum ConfirmationResult {
        /// With the key of a pass that is bound to one.
        case confirmed(GuestKey?)
        case declined
    }

    /// Asks whoever holds the phone. The key of a bound pass comes only with their yes.
    private func confirm(_ pass: GuestPassAnswer) async throws -> ConfirmationResult {
        guard pass.confirmation != nil, let keys else {
            return await presenceVerifier.confirm(Self.confirmationPrompt) ? .confirmed(nil) : .declined
        }
        return try await keys.unlock(Self.confirmationPrompt).map(ConfirmationResult.confirmed) ?? .declined
    }

    /// Asks whether somebody has said yes: the same wish, which is done once.
    public func checkApproval() async {
        guard let pendingAction, pending != nil, !isSending else { return }
        await send(pendingAction)
    }

    /// Takes back what waits for somebody's yes.
    public func withdraw() async {
        guard let command = pending?.commandID, !isSending else { return }
        isSending = true
        defer { isSending = false }
        do {
            guard let token = try await tokens.load() else { return }
            let answer = try await access.withdraw(command, token: token)
            show(.cancelled, answer.useReturned == true ? "Taken back. The use was not counted." : "Taken back.")
        } catch GuestAccessError.refused(let refusal) where refusal.code == "not_waiting" {
            message = "Too late to take it back: the house has answered."
        } catch {
            message = "It could not be taken back. Somebody in the house may still say yes, and then it is done."
        }
    }

    private func send(_ wish: PendingAction) async {
        isSending = true
        defer { isSending = false }
        var shown: Secret?
        do {
            shown = try await tokens.load()
            guard let shown else { return end("There is no pass on this phone. Ask the house for a link or a code.") }
            switch try await access.perform(wish.action, token: shown, key: wish.key) {
            case .waiting(let pending):
                self.pending = pending
                message = pending.message ?? "The house has to say yes first."
            case .granted(let answer):
                if let used = answer.usedCount { pass?.usedCount = used }
                if let left = answer.remainingUses { pass?.remainingUses = left }
                show(.succeeded, wish.text.confirmed(answer.state))
            }
        } catch {
            if let shown, Self.isPassOver(error) { return await end(error, shown) }
            if pending != nil, case GuestAccessError.client(let error) = error, error.isRetryable || error == .cancelled {
                message = "The connection to the house was lost while you waited. Somebody there may still say yes, and then it is done."
                return
            }
            let text = text(of: error, wish.text)
            show(.failed(text), text)
        }
    }

    private func text(of error: any Error, _ words: CommandText) -> String {
        switch error {
        case GuestAccessError.outcomeUnknown(let answer): answer == nil ? words.connectionLost : words.unknown
        // It may have been on its way.
        case GuestAccessError.client(.cancelled), is CancellationError: words.connectionLost
        case GuestAccessError.client(.noConnection): words.noConnection
        case GuestAccessError.refused(let answer) where answer.code == "action_execution_failed":
            words.failed(answer.details["reason"]?.string, useReturned: answer.details["use_returned"]?.bool)
        default: UserFacingError(error, words: self.refusalText)?.text ?? words.connectionLost
        }
    }

    // MARK: Its end

    private static func isPassOver(_ error: any Error) -> Bool { (error as? GuestAccessError)?.endsPass == true }

    /// The house says that the pass is over: its token goes, unless a newer pass has taken its place.
    private func end(_ error: any Error, _ token: Secret) async {
        let text = UserFacingError(error, words: refusalText)?.text ?? "This pass is over."
        do {
            guard try await tokens.load()?.digest == token.digest else { return show(.failed(text), text) }
            try await tokens.delete()
            try await keys?.delete()
            end(text)
        } catch {
            end("\(text) It could not be removed from this phone.")
        }
    }

    private func end(_ text: String) {
        pass = nil
        show(.invalidated, text)
    }

    private func show(_ event: PassState.Event, _ text: String) {
        pending = nil
        pendingAction = nil
        message = text
        transition(event)
    }

    @discardableResult
    private func transition(_ event: PassState.Event) -> Bool {
        guard let next = state.next(event) else { return false }
        state = next
        return true
    }

    /// The house's refusals, by its clock.
    private var refusalText: RefusalText {
        let zone = pass.flatMap { TimeZone(identifier: $0.timeZone) } ?? .current
        return RefusalText(HouseClock(zone: zone, now: environment.now()), schedule: pass?.schedule?.schedule)
    }
}
