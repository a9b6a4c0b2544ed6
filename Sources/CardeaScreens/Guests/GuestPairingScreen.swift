import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Observation

/// Takes a pass by its link, or by ten characters that were read aloud.
@MainActor @Observable
public final class GuestPairingScreen {
    public enum State: Sendable {
        case entering
        case submitting
        /// A resident must approve; `checkApproval` asks for the result.
        case waiting(PendingApproval)
        case paired(GuestPassAnswer, at: HubAddress)
        case failed(UserFacingError)
    }

    /// Cleared once the house has accepted it.
    public var input = "" { didSet { clearError() } }
    public private(set) var state: State = .entering

    private let hub: HubAddress?
    private let tokens: any SecureTokenStore
    private let keys: (any GuestKeyStore)?
    private let environment: ClientEnvironment
    private let connect: @Sendable (HubAddress) throws -> CardeaClient
    private var pendingRequest: (client: CardeaClient, code: Secret, key: GuestKey?, claimSecret: Secret?, isOfUsed: Bool)?
    /// A valid link that was already used.
    private var usedLink: (client: CardeaClient, code: Secret)?
    /// A pass that the phone could not store yet. Its code is spent, so trying again only stores it, without a request.
    private var unsavedPass: (pass: GuestAccess.RedeemedPass, key: GuestKey?, hub: HubAddress)?

    /// - Parameters:
    ///   - hub: the house that a code alone is for; nil if none is known.
    ///   - keys: where the phone's own key is kept, to which the pass is bound; nil if the phone can keep none.
    ///   - connect: makes the client of the house at an address.
    public init(
        hub: HubAddress?, tokens: any SecureTokenStore, keys: (any GuestKeyStore)? = nil, environment: ClientEnvironment = .live,
        connect: @escaping @Sendable (HubAddress) throws -> CardeaClient
    ) {
        self.hub = hub
        self.tokens = tokens
        self.keys = keys
        self.environment = environment
        self.connect = connect
    }

    public var canSubmit: Bool {
        switch state {
        case .submitting, .paired: false
        case .entering, .waiting, .failed: unsavedPass != nil || !input.allSatisfy(\.isWhitespace)
        }
    }

    public func submit() async {
        guard canSubmit else { return }
        if unsavedPass != nil { return await store() }
        do {
            let given = try GuestCodeInput(input)
            guard let address = given.hub ?? hub else {
                throw UserFacingError(title: "Which house?", text: "A code alone does not say which house it is for. Paste the whole link.")
            }
            await redeem(try connect(address), given.code, keys.map { _ in GuestKey() })
        } catch {
            state = UserFacingError(error).map { .failed($0) } ?? .entering
        }
    }

    /// Asks whether a resident has approved, with the same code.
    public func checkApproval() async {
        guard case .waiting = state, let pendingRequest else { return }
        await redeem(
            pendingRequest.client, pendingRequest.code, pendingRequest.key, claimSecret: pendingRequest.claimSecret,
            isOfUsed: pendingRequest.isOfUsed)
    }

    /// True if a pass can be requested for a link that was already used. A phone that lost its pass gets it back once a resident approves.
    public var canRequestUsed: Bool { if case .failed = state { usedLink != nil } else { false } }

    /// Requests it; no use of the pass is counted.
    public func requestUsed() async {
        guard canRequestUsed, let usedLink else { return }
        await redeem(usedLink.client, usedLink.code, keys.map { _ in GuestKey() }, isOfUsed: true)
    }

    private func redeem(_ client: CardeaClient, _ code: Secret, _ key: GuestKey?, claimSecret: Secret? = nil, isOfUsed: Bool = false) async
    {
        let before = state
        state = .submitting
        usedLink = nil
        do {
            switch try await client.guestAccess.pair(
                code: code, key: key, claimSecret: claimSecret, asksAgain: isOfUsed, keyVerifies: key != nil)
            {
            case .waiting(let pending):
                pendingRequest = (client, code, key, pending.claimSecret ?? claimSecret, isOfUsed)
                input = ""
                state = .waiting(pending)
            case .granted(let taken):
                pendingRequest = nil
                input = ""
                unsavedPass = (taken, key, client.hub)
                await store()
            }
        } catch {
            if case .waiting = before, case GuestAccessError.client(let error) = error, error.isRetryable || error == .cancelled {
                state = before
                return
            }
            if !isOfUsed, code.hasPrefix(.guestLink), case .refused(let refusal) = error, refusal.code == "pairing_code_invalid" {
                usedLink = (client, code)
            }
            let words = RefusalText(HouseClock(zone: .current, now: environment.now()))
            state = UserFacingError(error, words: words).map { .failed($0) } ?? .entering
        }
    }

    private func store() async {
        guard let (taken, key, hub) = unsavedPass else { return }
        do {
            if taken.isBound, let key { try await keys?.save(key) } else { try await keys?.delete() }
            try await tokens.save(taken.token)
            unsavedPass = nil
            state = .paired(taken.pass, at: hub)
        } catch {
            state = .failed(
                UserFacingError(
                    title: "Not kept yet",
                    text: "The pass is yours, but this phone could not keep it. Try again before you close this page.",
                    canRetry: true))
        }
    }

    private func clearError() {
        if case .failed = state, unsavedPass == nil { state = .entering }
    }
}

/// The code given to a guest: a link, or ten characters read aloud.
public struct GuestCodeInput: Sendable {
    /// The house the link leads to; nil for a code alone.
    public let hub: HubAddress?
    public let code: Secret

    public init(_ typed: String) throws {
        let link: HouseLink
        do throws(HouseLink.LinkError) {
            link = try HouseLink(typed, page: "g")
        } catch {
            if case .address(let problem) = error { throw problem }
            throw UserFacingError(title: "Not a link to a pass", text: "A link to a pass ends in /g#… and its code. Copy the whole of it.")
        }
        guard let code = PassCode.normalized(link.code.reveal()) else {
            throw link.hub == nil
                ? UserFacingError(
                    title: "Not a code of a house",
                    text: "A code has \(TypedPassCode.length) letters and digits. Ask for it again, or for a link.")
                : UserFacingError(title: "This link is not whole", text: "Ask for it again, or type the code.")
        }
        (hub, self.code) = (link.hub, code)
    }
}
