import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// The guests of the house, inviting them, and revoking their passes.
@MainActor @Observable
public final class GuestsScreen {
    /// Guests whose pass is being revoked.
    public private(set) var revoking: Set<String> = []
    /// Passes that were prepared here and wait for the house. They open nothing before they are made and their codes are given.
    public private(set) var queuedPasses: [OutboxEntry] = []
    /// The reason why a pass was not created or not revoked.
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

    /// Asks the house. A view calls this when it appears, on pull to refresh, and every 30 seconds while it is visible.
    public func refresh() async {
        await loader.refresh()
        do { queuedPasses = try await replica.preparedPasses() } catch { problem = UserFacingError(error) ?? problem }
    }

    /// Creates a pass; without the house it is prepared, and created when the house can be reached.
    ///
    /// - Returns: the pass with its code and link; nil if it was only prepared, or not created.
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

    /// Revokes a pass, now or not at all: a revocation that is queued looks safe and is not.
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
