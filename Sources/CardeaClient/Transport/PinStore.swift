import Foundation
import Synchronization

/// The pinned keys of each hub. A hub with pins is recognised by its key alone; every other one by its certificate, as usual.
public final class PinStore: Sendable {
    private let pins = Mutex<[HubEndpoint: Set<Pin>]>([:])

    public init() {}

    public func trust(_ trusted: Set<Pin>, at hub: HubAddress) {
        guard let place = HubEndpoint(hub) else { return }
        pins.withLock { $0[place] = trusted }
    }

    /// The keys trusted at `hub`; nil if none is pinned.
    public func pins(at hub: HubAddress) -> Set<Pin>? {
        HubEndpoint(hub).flatMap { place in pins.withLock { $0[place] } }
    }

    /// The keys trusted at the host of `url`; nil if none is pinned.
    public func pins(for url: URL) -> Set<Pin>? {
        HubEndpoint(url).flatMap { place in pins.withLock { $0[place] } }
    }
}
