import Foundation
import Synchronization

/// Which keys are trusted where. A hub that is in it is known by its key alone; every other one by its certificate, as usual.
public final class PinStore: Sendable {
    private let pins = Mutex<[HubEndpoint: Set<Pin>]>([:])

    public init() {}

    public func trust(_ trusted: Set<Pin>, at hub: HubAddress) {
        guard let place = HubEndpoint(hub) else { return }
        pins.withLock { $0[place] = trusted }
    }

    /// The keys trusted at `hub`; nil where none is pinned.
    public func pins(at hub: HubAddress) -> Set<Pin>? {
        HubEndpoint(hub).flatMap { place in pins.withLock { $0[place] } }
    }

    /// The keys trusted where `url` leads; nil where none is pinned.
    public func pins(for url: URL) -> Set<Pin>? {
        HubEndpoint(url).flatMap { place in pins.withLock { $0[place] } }
    }
}
