import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// Who is signed in, at which house, whether its record is still the one that was seen before, and signing out.
@MainActor @Observable
public final class SettingsScreen {
    public enum SigningOut: Hashable, Sendable {
        case no
        /// Something still waits here for the house; `signOut(evenSo: true)` leaves it.
        case asksFirst(String)
        case underWay
        /// Signed out here. With a problem where the house could not be told.
        case done(Problem?)
        case failed(Problem)
    }

    /// Who is signed in, as the house last told; nil where it has not.
    public private(set) var person: PersonAnswer?
    public private(set) var signingOut: SigningOut = .no
    /// Why the record could not be taken as it is now, when that was asked for last; nil where it was.
    public private(set) var problem: Problem?

    private let client: CardeaClient
    private let replica: Replica
    private let look: HouseLook<HouseAnswer?>
    private var turns = Turns()

    public init(client: CardeaClient, replica: Replica, surroundings: Surroundings = .live) {
        self.client = client
        self.replica = replica
        look = HouseLook(replica, now: surroundings.now, tellsOfRecord: true, isEmpty: { $0 == nil }) { try await $0.house() }
    }

    /// The house's address.
    public var hub: HubAddress { client.hub }

    public var house: Shown<HouseAnswer> { look.shown.compacted() }

    /// What is wrong with the house's record of who did what, as it was seen from here: it was cut, written anew, is signed by another key,
    /// or what was seen of it cannot be read here any more. That stays until `acceptRecord`. Or the house found an entry altered, which stays
    /// until it finds none. Nil where nothing is, or it is not for this person.
    public var recordAlarm: Problem? { look.recordAlarm }

    /// Asks the house. A view does so when it appears, when it is pulled, and every half minute while it is looked at.
    public func refresh() async {
        let turn = turns.begin()
        await look.refresh()
        guard look.shown.problem == nil else { return }
        // Where the house does not say who it is, they stay who they were.
        guard let person = try? await client.people.me(), turns.isOpen(turn) else { return }
        turns.bring(turn)
        if case .done = signingOut { return }
        self.person = person
    }

    /// Takes the record as it is now for the right one, as after a backup was restored. What was seen before is forgotten once the house has
    /// shown what takes its place. Where it does not, as in a tunnel, `problem` says why, and the alarm stays.
    public func acceptRecord() async {
        problem = nil
        do {
            if try await replica.canAcceptRecord() {
                try await replica.acceptTrail()
                if try await replica.canAcceptRecord() { problem = Self.notShown }
            }
        } catch {
            problem = Problem(error)
        }
        await refresh()
    }

    /// Signs out. Where something still waits here for the house, says so first.
    public func signOut(evenSo: Bool = false) async {
        switch signingOut {
        case .underWay, .done: return
        case .no, .asksFirst, .failed: break
        }
        signingOut = .underWay
        do {
            if !evenSo, let warning = Self.warning(try await replica.queue()) {
                signingOut = .asksFirst(warning)
                return
            }
            try await client.sessions.logout()
            forget(nil)
        } catch {
            // The tokens are forgotten here even where the house cannot be told.
            if (try? await client.sessions.isSignedIn()) == false {
                forget(error as? ClientError == .unauthorized ? nil : Self.untold)
            } else {
                signingOut = Problem(error).map { .failed($0) } ?? .no
            }
        }
    }

    /// Stays.
    public func stay() {
        if case .asksFirst = signingOut { signingOut = .no }
    }

    private func forget(_ problem: Problem?) {
        person = nil
        signingOut = .done(problem)
    }

    private static func warning(_ queue: [OutboxEntry]) -> String? {
        let names = queue.compactMap { entry -> String? in
            if case .ended = entry.status { nil } else { entry.operation.name }
        }
        guard !names.isEmpty else { return nil }
        var seen = Set<String>()
        let what = HouseSentence.list(names.filter { seen.insert($0).inserted })
        return "The house is still to hear about \(what). It hears nothing while nobody is signed in, and what waits too long is not sent."
    }

    private static let notShown = Problem(
        title: "The house does not show its record",
        text: "It was not taken as it is now: the house shows it to whoever runs the house. Ask them.")

    private static let untold = Problem(
        title: "The house could not be told",
        text: "You are signed out here. The house still holds the session: end it from another phone if this one leaves your hands.")
}
