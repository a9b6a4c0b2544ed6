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
    /// Why a pass was not taken back.
    public private(set) var problem: Problem?

    private let client: CardeaClient
    private let replica: Replica
    private let surroundings: Surroundings
    private let look: HouseLook<[GuestAnswer]>

    public init(client: CardeaClient, replica: Replica, surroundings: Surroundings = .live) {
        self.client = client
        self.replica = replica
        self.surroundings = surroundings
        look = HouseLook(replica, now: surroundings.now, isEmpty: \.isEmpty) { try await $0.guests() }
    }

    public var shown: Shown<[GuestAnswer]> { look.shown }
    public var isRefreshing: Bool { look.isRefreshing }

    /// Asks the house. A view does so when it appears, when it is pulled, and every half minute while it is looked at.
    public func refresh() async {
        await look.refresh()
    }

    /// Takes a pass back, now or not at all: what would only be taken back later looks safe and is not.
    public func revoke(_ guestID: String) async {
        guard revoking.insert(guestID).inserted else { return }
        defer { revoking.remove(guestID) }
        problem = nil
        do {
            _ = try await client.guests.decide(.revoke, about: guestID)
            await look.refresh()
        } catch {
            problem = Problem(error, words: RefusalWords(await replica.clock(at: surroundings.now())))
        }
    }
}
