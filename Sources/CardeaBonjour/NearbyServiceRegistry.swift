import CardeaDNSSD
import CardeaHub
import Foundation

/// The services seen on the local network, and which of them to resolve next.
///
/// Anyone can announce any number of services under any name, so the number of each kind is limited; flooding one kind does not hide
/// services of another.
struct NearbyServiceRegistry {
    static let maximumPerKind = 64
    /// Seconds until a service that answered is resolved again: its description may have changed.
    static let refreshInterval: TimeInterval = 300
    /// And who did not, ever more seldom up to the usual.
    static let retryInterval: TimeInterval = 10

    private struct Entry {
        /// The daemon reports each by IPv4 and by IPv6.
        var sightings = 1
        var service: NearbyService?
        var failureCount = 0
        var nextQuery: Date
        var isQueried = false
    }

    struct Key: Hashable, Sendable {
        let kind: NearbyService.Kind
        let instance: DNSSD.Instance
    }

    private var entries: [Key: Entry] = [:]
    private var truncatedKinds: Set<NearbyService.Kind> = []

    mutating func recordSighting(_ sighting: DNSSD.BrowseEvent, of kind: NearbyService.Kind, at now: Date) {
        switch sighting {
        case .found(let instance):
            let name = Key(kind: kind, instance: instance)
            if entries[name] != nil {
                entries[name]?.sightings &+= 1
            } else if count(kind) < Self.maximumPerKind {
                entries[name] = Entry(nextQuery: now)
            } else {
                truncatedKinds.insert(kind)
            }
        case .gone(let instance):
            let name = Key(kind: kind, instance: instance)
            entries[name]?.sightings &-= 1
            if let left = entries[name]?.sightings, left <= 0 { entries[name] = nil }
        }
    }

    /// Forgets all services of a kind: the daemon is gone, or is queried anew.
    mutating func removeAll(_ kind: NearbyService.Kind) {
        entries = entries.filter { $0.key.kind != kind }
        truncatedKinds.remove(kind)
    }

    /// Returns the next service to resolve: of the kind with the fewest running queries, with the fewest failures, and of those the one
    /// that has waited longest.
    mutating func next(at now: Date) -> Key? {
        let asked = entries.filter(\.value.isQueried).reduce(into: [NearbyService.Kind: Int]()) { $0[$1.key.kind, default: 0] += 1 }
        let waiting = entries.filter { !$0.value.isQueried && $0.value.nextQuery <= now }
        let next = waiting.min { one, other in
            (asked[one.key.kind] ?? 0, one.value.failureCount, one.value.nextQuery)
                < (asked[other.key.kind] ?? 0, other.value.failureCount, other.value.nextQuery)
        }?.key
        if let next { entries[next]?.isQueried = true }
        return next
    }

    /// Records the result of resolving a service; nil if there was no answer, which counts after the second time.
    mutating func recordAnswer(_ service: NearbyService?, of name: Key, at now: Date) {
        guard var known = entries[name] else { return }
        known.isQueried = false
        known.failureCount = service == nil ? min(known.failureCount + 1, 8) : 0
        if service != nil || known.failureCount > 1 { known.service = service }
        let rest = service == nil ? min(Self.retryInterval * Double(1 << known.failureCount), Self.refreshInterval) : Self.refreshInterval
        known.nextQuery = now.addingTimeInterval(rest)
        entries[name] = known
    }

    /// The resolved services, each once, in the order of kind and name.
    var services: [NearbyService] {
        Set(entries.values.compactMap(\.service)).sorted {
            ($0.kind.rawValue, $0.name, $0.host, $0.port) < ($1.kind.rawValue, $1.name, $1.host, $1.port)
        }
    }

    var isTruncated: Bool { !truncatedKinds.isEmpty }

    /// Returns whether services of this kind were left out although there is room for them now: only a new query finds them.
    func hasRoomAgain(for kind: NearbyService.Kind) -> Bool { truncatedKinds.contains(kind) && count(kind) < Self.maximumPerKind }

    private func count(_ kind: NearbyService.Kind) -> Int { entries.keys.count { $0.kind == kind } }
}
