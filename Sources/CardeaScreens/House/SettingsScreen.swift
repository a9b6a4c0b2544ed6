import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// Who is signed in, at which house, whether its record is still the one that was seen before, and signing out.
@MainActor @Observable
public final class SettingsScreen {
    public enum SignOutState: Hashable, Sendable {
        case idle
        /// Something still waits here for the house; `signOut(evenSo: true)` leaves it.
        case confirmationRequired(String)
        case inProgress
        /// Signed out here. With a problem where the house could not be told.
        case done(UserFacingError?)
        case failed(UserFacingError)
    }

    /// Who is signed in, as the house last told; nil where it has not.
    public private(set) var person: PersonAnswer?
    public private(set) var signingOut: SignOutState = .idle
    /// Why the record could not be taken as it is now, when that was asked for last; nil where it was.
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

    /// What is wrong with the house's record of who did what, as it was seen from here: it was cut, written anew, is signed by another key,
    /// or what was seen of it cannot be read here any more. That stays until `acceptAudit`. Or the house found an entry altered, which stays
    /// until it finds none. Nil where nothing is, or it is not for this person.
    public var auditAlarm: UserFacingError? { loader.auditAlarm }

    /// Asks the house. A view does so when it appears, when it is pulled, and every half minute while it is looked at.
    public func refresh() async {
        let turn = loads.begin()
        await loader.refresh()
        guard loader.state.problem == nil else { return }
        // Where the house does not say who it is, they stay who they were.
        guard let person = try? await client.people.me(), loads.isCurrent(turn) else { return }
        loads.complete(turn)
        if case .done = signingOut { return }
        self.person = person
    }

    /// Takes the record as it is now for the right one, as after a backup was restored. What was seen before is forgotten once the house has
    /// shown what takes its place. Where it does not, as in a tunnel, `problem` says why, and the alarm stays.
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

    /// Signs out. Where something still waits here for the house, says so first.
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
            // The tokens are forgotten here even where the house cannot be told.
            if (try? await client.sessions.isSignedIn()) == false {
                clearSession(error as? ClientError == .unauthorized ? nil : Self.untold)
            } else {
                signingOut = UserFacingError(error).map { .failed($0) } ?? .idle
            }
        }
    }

    /// Stays.
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
        return "The house is still to hear about \(what). It hears nothing while nobody is signed in, and what waits too long is not sent."
    }

    private static let auditNotVisible = UserFacingError(
        title: "The house does not show its record",
        text: "It was not taken as it is now: the house shows it to whoever runs the house. Ask them.")

    private static let untold = UserFacingError(
        title: "The house could not be told",
        text: "You are signed out here. The house still holds the session: end it from another phone if this one leaves your hands.")
}
