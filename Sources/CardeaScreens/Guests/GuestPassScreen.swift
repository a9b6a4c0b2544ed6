import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Observation

/// A guest's pass on their phone: its rights, and their use.
///
/// A pass that is bound to this phone is used with the phone's key, which is released only after confirmation: a program that does not ask
/// cannot sign. Token and key are deleted from the phone's keychain when the hub answers that the pass has ended, and for no other reason.
@MainActor @Observable
public final class GuestPassScreen {
    /// The prompt that the person holding the phone must confirm before every use (Seed 000).
    public static let confirmationPrompt = "Confirm guest access action"

    public private(set) var state: PassState = .loading
    /// The last known state of the pass; nil if it is not known, or there is none.
    public private(set) var pass: GuestPassAnswer?
    /// A resident must approve; `checkApproval` asks for the result.
    public private(set) var pending: PendingApproval?
    /// The result of the last action, or the reason why the pass ended, in a sentence.
    public private(set) var message: String?

    private let access: GuestAccess
    private let tokens: any SecureTokenStore
    private let keys: (any GuestKeyStore)?
    private let presenceVerifier: any PresenceVerifier
    private let environment: ClientEnvironment
    private var loads = LatestOnly()
    private var pendingAction: PendingAction?
    private var isSending = false

    /// One action, with one key for all tries.
    private struct PendingAction {
        let action: GuestAction
        let text: CommandText
        /// Held for the duration of the action: one confirmation is for one action, however often it is sent.
        let key: GuestKey?
    }

    /// - Parameter keys: the store for the phone's own key; nil if the phone can store none.
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

    // MARK: Reading

    /// Reads the state of the pass from the house.
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
            // A pass is shown in any state. Its end, and its token's end, come in another answer.
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

    /// Dismisses the message after it was read.
    public func dismissMessage() {
        guard pass != nil, transition(.dismissed) else { return }
        message = nil
    }

    // MARK: Actions

    /// Performs an action of the pass, after the person holding the phone has confirmed it.
    ///
    /// - Parameter entity: the entity of the pass; nil if the action determines it.
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
        /// Confirmed; with the key of a pass that is bound to one.
        case confirmed(GuestKey?)
        case declined
    }

    /// Asks for confirmation. The key of a bound pass is released only with it.
    private func confirm(_ pass: GuestPassAnswer) async throws -> ConfirmationResult {
        guard pass.confirmation != nil, let keys else {
            return await presenceVerifier.confirm(Self.confirmationPrompt) ? .confirmed(nil) : .declined
        }
        return try await keys.unlock(Self.confirmationPrompt).map(ConfirmationResult.confirmed) ?? .declined
    }

    /// Asks whether a resident has approved: it sends the same action, which is done once.
    public func checkApproval() async {
        guard let pendingAction, pending != nil, !isSending else { return }
        await send(pendingAction)
    }

    /// Cancels an action that waits for approval.
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
                message = pending.message ?? "Someone who may let guests in has to say yes first."
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
        // It may have been sent.
        case GuestAccessError.client(.cancelled), is CancellationError: words.connectionLost
        case GuestAccessError.client(.noConnection): words.noConnection
        case GuestAccessError.refused(let answer) where answer.code == "action_execution_failed":
            words.failed(answer.details["reason"]?.string, useReturned: answer.details["use_returned"]?.bool)
        default: UserFacingError(error, words: self.refusalText)?.text ?? words.connectionLost
        }
    }

    // MARK: End of the pass

    private static func isPassOver(_ error: any Error) -> Bool { (error as? GuestAccessError)?.endsPass == true }

    /// Ends a pass that the house reports as ended: its token is deleted, unless a newer pass has replaced it.
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
