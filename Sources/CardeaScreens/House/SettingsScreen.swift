import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// The signed-in person and house, the state of the audit log as checked from this device, and signing out.
@MainActor @Observable
public final class SettingsScreen {
    public enum SignOutState: Hashable, Sendable {
        case idle
        /// Operations are still queued here; `signOut(evenSo: true)` signs out all the same.
        case confirmationRequired(String)
        case inProgress
        /// Signed out here. With a problem if the house could not be notified.
        case done(UserFacingError?)
        case failed(UserFacingError)
    }

    /// The signed-in person, as last reported by the house; nil if it has not reported one.
    public private(set) var person: PersonAnswer?
    public private(set) var signingOut: SignOutState = .idle
    /// The reason why the last `acceptAudit` failed; nil if it succeeded.
    public private(set) var problem: UserFacingError?

    private let client: CardeaClient
    private let replica: Replica
    private let loader: ContentLoader<HouseAnswer?>
    private var loads = LatestOnly()

    public init(client: CardeaClient, replica: Replica, environment: ClientEnvironment = .live) {
        self.client = client
        self.replica = replica
        loader = ContentLoader(replica, now: environment.now, tellsOfRecord: true, isEmpty: { $0 == nil }) { try await $0.house() }
    }

    /// The house's address.
    public var hub: HubAddress { client.hub }

    public var house: LoadState<HouseAnswer> { loader.state.unwrapped() }

    /// The alarm for the house's audit log as checked from this device: it was shortened, rewritten or signed with another key, or the
    /// stored checkpoint cannot be read. That alarm stays until `acceptAudit`. Or the house found an altered entry; that alarm stays until
    /// the house finds none. Nil if nothing is wrong, or if the person may not see the audit log.
    public var auditAlarm: UserFacingError? { loader.auditAlarm }

    /// Asks the house. A view calls this when it appears, on pull to refresh, and every 30 seconds while it is visible.
    public func refresh() async {
        let turn = loads.begin()
        await loader.refresh()
        guard loader.state.problem == nil else { return }
        // If the house does not answer, the last known person stays.
        guard let person = try? await client.people.me(), loads.isCurrent(turn) else { return }
        loads.complete(turn)
        if case .done = signingOut { return }
        self.person = person
    }

    /// Accepts the present audit log, as after a backup was restored. The earlier checkpoint is deleted once the house has shown a new one.
    /// If it does not, as when it cannot be reached, `problem` gives the reason and the alarm stays.
    public func acceptAudit() async {
        problem = nil
        do {
            if try await replica.canAcceptAudit() {
                try await replica.acceptAudit()
                if try await replica.canAcceptAudit() { problem = Self.auditNotVisible }
            }
        } catch {
            problem = UserFacingError(error)
        }
        await refresh()
    }

    /// Signs out. If operations are still queued here, asks first.
    public func signOut(evenSo: Bool = false) async {
        switch signingOut {
        case .inProgress, .done: return
        case .idle, .confirmationRequired, .failed: break
        }
        signingOut = .inProgress
        do {
            if !evenSo, let warning = Self.warning(try await replica.outboxEntries()) {
                signingOut = .confirmationRequired(warning)
                return
            }
            try await client.sessions.logout()
            clearSession(nil)
        } catch {
            // The tokens are deleted here even if the house cannot be notified.
            if (try? await client.sessions.isSignedIn()) == false {
                clearSession(error as? ClientError == .unauthorized ? nil : Self.untold)
            } else {
                signingOut = UserFacingError(error).map { .failed($0) } ?? .idle
            }
        }
    }

    /// Cancels signing out.
    public func cancelSignOut() {
        if case .confirmationRequired = signingOut { signingOut = .idle }
    }

    private func clearSession(_ problem: UserFacingError?) {
        person = nil
        signingOut = .done(problem)
    }

    private static func warning(_ queue: [OutboxEntry]) -> String? {
        let names = queue.compactMap { entry -> String? in
            if case .ended = entry.status { nil } else { entry.operation.name }
        }
        guard !names.isEmpty else { return nil }
        var seen = Set<String>()
        let what = DoorSummaryText.list(names.filter { seen.insert($0).inserted })
        return "Not sent yet: \(what). Nothing is sent while nobody is signed in, and anything that waits too long is dropped."
    }

    private static let auditNotVisible = UserFacingError(
        title: "You may not see the audit log",
        text: "The log was not accepted: only people who may see it can accept it. Ask an owner.")

    private static let untold = UserFacingError(
        title: "The session could not be ended",
        text: "You are signed out here, but the session is still open. End it from another phone before you give this one away.")
}
