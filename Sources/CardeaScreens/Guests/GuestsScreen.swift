import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// The guests of the house, and taking their passes back.
@MainActor @Observable
public final class GuestsScreen {
    /// Guests whose pass is just being taken back.
    public private(set) var revoking: Set<String> = []
    /// Passes that were prepared here and wait for the house. They open nothing before they are made and their codes are given.
    public private(set) var queuedPasses: [OutboxEntry] = []
    /// Why a pass was not made or not taken back.
    public private(set) var problem: UserFacingError?

    private let client: CardeaClient
    private let replica: Replica
    private let environment: ClientEnvironment
    private let loader: ContentLoader<[GuestAnswer]>

    public init(client: CardeaClient, replica: Replica, environment: ClientEnvironment = .live) {
        self.client = client
        self.replica = replica
        self.environment = environment
        loader = ContentLoader(replica, now: environment.now, isEmpty: \.isEmpty) { try await $0.guests() }
    }

    public var state: LoadState<[GuestAnswer]> { loader.state }
    public var isRefreshing: Bool { loader.isRefreshing }

    /// Asks the house. A view does so when it appears, when it is pulled, and every half minute while it is looked at.
    public func refresh() async {
        await loader.refresh()
        do { queuedPasses = try await replica.preparedPasses() } catch { problem = UserFacingError(error) ?? problem }
    }

    /// Makes a pass; without the house it is prepared, and made when the house can be reached.
    ///
    /// - Returns: the pass with its code and link; nil where it was prepared, or not made.
    public func invite(_ body: InviteGuestBody) async -> GuestAnswer? {
        problem = nil
        do {
            let asked = try await replica.submit(.invite(body)) { try await $0.guests.invite(body, key: $1) }
            await refresh()
            if case .done(let guest) = asked { return guest }
        } catch {
            problem = UserFacingError(error, words: RefusalText(await replica.houseClock(at: environment.now())))
        }
        return nil
    }

    /// Takes a pass back, now or not at all: what would only be taken back later looks safe and is not.
    public func revoke(_ guestID: String) async {
        guard revoking.insert(guestID).inserted else { return }
        defer { revoking.remove(guestID) }
        problem = nil
        do {
            _ = try await client.guests.decide(.revoke, about: guestID)
            await loader.refresh()
        } catch {
            problem = UserFacingError(error, words: RefusalText(await replica.houseClock(at: environment.now())))
        }
    }
}
