import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Observation

/// Taking a pass: the link that was sent, or the ten characters that were read aloud.
@MainActor @Observable
public final class GuestPairingScreen {
    public enum State: Sendable {
        case entering
        case asking
        /// Somebody in the house has to say yes; `askAgain` hears whether they did.
        case waiting(PendingApproval)
        case paired(GuestPassAnswer, at: HubAddress)
        case failed(Problem)
    }

    /// Gone as soon as the house has taken it.
    public var typed = "" { didSet { forgetProblem() } }
    public private(set) var state: State = .entering

    private let hub: HubAddress?
    private let tokens: any SecureTokenStore
    private let keys: (any GuestKeyStore)?
    private let surroundings: Surroundings
    private let connect: @Sendable (HubAddress) throws -> CardeaClient
    private var asked: (client: CardeaClient, code: Secret, key: GuestKey?, claimSecret: Secret?, isOfUsed: Bool)?
    /// A link that the house knows and that was used.
    private var used: (client: CardeaClient, code: Secret)?
    /// A pass that the phone could not keep yet. Its code is spent, so trying again keeps it, and asks nobody.
    private var unkept: (pass: GuestAccess.Taken, key: GuestKey?, hub: HubAddress)?

    /// - Parameters:
    ///   - hub: the house that a code alone is for; nil where none is known.
    ///   - keys: where the phone's own key is kept, to which the pass is bound; nil where the phone can keep none.
    ///   - connect: makes the client of the house at an address.
    public init(
        hub: HubAddress?, tokens: any SecureTokenStore, keys: (any GuestKeyStore)? = nil, surroundings: Surroundings = .live,
        connect: @escaping @Sendable (HubAddress) throws -> CardeaClient
    ) {
        self.hub = hub
        self.tokens = tokens
        self.keys = keys
        self.surroundings = surroundings
        self.connect = connect
    }

    public var canSubmit: Bool {
        switch state {
        case .asking, .paired: false
        case .entering, .waiting, .failed: unkept != nil || !typed.allSatisfy(\.isWhitespace)
        }
    }

    public func submit() async {
        guard canSubmit else { return }
        if unkept != nil { return await keep() }
        do {
            let given = try GuestCode(typed)
            guard let address = given.hub ?? hub else {
                throw Problem(title: "Which house?", text: "A code alone does not say which house it is for. Paste the whole link.")
            }
            await ask(try connect(address), given.code, keys.map { _ in GuestKey() })
        } catch {
            state = Problem(error).map { .failed($0) } ?? .entering
        }
    }

    /// Asks whether somebody has said yes, with the same code.
    public func askAgain() async {
        guard case .waiting = state, let asked else { return }
        await ask(asked.client, asked.code, asked.key, claimSecret: asked.claimSecret, isOfUsed: asked.isOfUsed)
    }

    /// Whether the house can be asked for the pass of a link that was used. A phone that lost its pass has it again once somebody says yes.
    public var canAskForUsed: Bool { if case .failed = state { used != nil } else { false } }

    /// Asks for it; no use of the pass is counted.
    public func askForUsed() async {
        guard canAskForUsed, let used else { return }
        await ask(used.client, used.code, keys.map { _ in GuestKey() }, isOfUsed: true)
    }

    private func ask(_ client: CardeaClient, _ code: Secret, _ key: GuestKey?, claimSecret: Secret? = nil, isOfUsed: Bool = false) async {
        let before = state
        state = .asking
        used = nil
        do {
            switch try await client.guestAccess.pair(
                code: code, key: key, claimSecret: claimSecret, asksAgain: isOfUsed, keyVerifies: key != nil)
            {
            case .waiting(let pending):
                asked = (client, code, key, pending.claimSecret ?? claimSecret, isOfUsed)
                typed = ""
                state = .waiting(pending)
            case .granted(let taken):
                asked = nil
                typed = ""
                unkept = (taken, key, client.hub)
                await keep()
            }
        } catch {
            if case .waiting = before, case GuestAccessError.client(let error) = error, error.isRetryable || error == .cancelled {
                state = before
                return
            }
            if !isOfUsed, code.isOf(.guestLink), case .refused(let refusal) = error, refusal.code == "pairing_code_invalid" {
                used = (client, code)
            }
            let words = RefusalWords(HouseClock(zone: .current, now: surroundings.now()))
            state = Problem(error, words: words).map { .failed($0) } ?? .entering
        }
    }

    private func keep() async {
        guard let (taken, key, hub) = unkept else { return }
        do {
            if taken.isBound, let key { try await keys?.save(key) } else { try await keys?.delete() }
            try await tokens.save(taken.token)
            unkept = nil
            state = .paired(taken.pass, at: hub)
        } catch {
            state = .failed(
                Problem(
                    title: "Not kept yet",
                    text: "The pass is yours, but this phone could not keep it. Try again before you close this page.",
                    canRetry: true))
        }
    }

    private func forgetProblem() {
        if case .failed = state, unkept == nil { state = .entering }
    }
}

/// What a guest was given: a link, or ten characters read aloud.
public struct GuestCode: Sendable {
    /// The house the link leads to; nil for a code alone.
    public let hub: HubAddress?
    public let code: Secret

    public init(_ typed: String) throws {
        let link: HouseLink
        do throws(HouseLink.Problem) {
            link = try HouseLink(typed, page: "g")
        } catch {
            if case .address(let problem) = error { throw problem }
            throw Problem(title: "Not a link to a pass", text: "A link to a pass ends in /g#… and its code. Copy the whole of it.")
        }
        guard let code = PassCode.clean(link.code.reveal()) else {
            throw link.hub == nil
                ? Problem(
                    title: "Not a code of a house",
                    text: "A code has \(SpokenCode.length) letters and digits. Ask for it again, or for a link.")
                : Problem(title: "This link is not whole", text: "Ask for it again, or type the code.")
        }
        (hub, self.code) = (link.hub, code)
    }
}
