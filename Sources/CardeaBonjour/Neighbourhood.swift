import CardeaDNSSD
import CardeaHub
import Foundation

/// Who has been seen on the network nearby, and whose turn it is to be asked where they stand.
///
/// Anybody can announce any number under any name, so of each kind so many are known and no more; a neighbour who floods one kind hides
/// nothing of the others.
struct Neighbourhood {
    static let most = 64
    /// Until somebody who answered is asked again: what they say of themselves may have changed.
    static let usually: TimeInterval = 300
    /// And who did not, ever more seldom up to the usual.
    static let afterSilence: TimeInterval = 10

    private struct Seen {
        /// The daemon tells of each by IPv4 and by IPv6.
        var sightings = 1
        var thing: NearbyThing?
        var silences = 0
        var askAgain: Date
        var isBeingAsked = false
    }

    struct Name: Hashable, Sendable {
        let kind: NearbyThing.Kind
        let instance: DNSSD.Instance
    }

    private var seen: [Name: Seen] = [:]
    private var cut: Set<NearbyThing.Kind> = []

    mutating func hear(_ sighting: DNSSD.Sighting, of kind: NearbyThing.Kind, at now: Date) {
        switch sighting {
        case .found(let instance):
            let name = Name(kind: kind, instance: instance)
            if seen[name] != nil {
                seen[name]?.sightings &+= 1
            } else if count(kind) < Self.most {
                seen[name] = Seen(askAgain: now)
            } else {
                cut.insert(kind)
            }
        case .gone(let instance):
            let name = Name(kind: kind, instance: instance)
            seen[name]?.sightings &-= 1
            if let left = seen[name]?.sightings, left <= 0 { seen[name] = nil }
        }
    }

    /// Nobody hears of these any more: the daemon has gone, or is asked anew.
    mutating func forget(_ kind: NearbyThing.Kind) {
        seen = seen.filter { $0.key.kind != kind }
        cut.remove(kind)
    }

    /// Whose turn it is: one of the kind of which fewest are being asked, who has been silent least, and of those who has waited longest.
    mutating func next(at now: Date) -> Name? {
        let asked = seen.filter(\.value.isBeingAsked).reduce(into: [NearbyThing.Kind: Int]()) { $0[$1.key.kind, default: 0] += 1 }
        let waiting = seen.filter { !$0.value.isBeingAsked && $0.value.askAgain <= now }
        let next = waiting.min { one, other in
            (asked[one.key.kind] ?? 0, one.value.silences, one.value.askAgain)
                < (asked[other.key.kind] ?? 0, other.value.silences, other.value.askAgain)
        }?.key
        if let next { seen[next]?.isBeingAsked = true }
        return next
    }

    /// What came of asking; nil where nobody answered, which counts when it happens twice.
    mutating func heard(_ thing: NearbyThing?, of name: Name, at now: Date) {
        guard var known = seen[name] else { return }
        known.isBeingAsked = false
        known.silences = thing == nil ? min(known.silences + 1, 8) : 0
        if thing != nil || known.silences > 1 { known.thing = thing }
        let rest = thing == nil ? min(Self.afterSilence * Double(1 << known.silences), Self.usually) : Self.usually
        known.askAgain = now.addingTimeInterval(rest)
        seen[name] = known
    }

    /// Who has said where they stand, each once, in the order of their names.
    var things: [NearbyThing] {
        Set(seen.values.compactMap(\.thing)).sorted {
            ($0.kind.rawValue, $0.name, $0.host, $0.port) < ($1.kind.rawValue, $1.name, $1.host, $1.port)
        }
    }

    var isCut: Bool { !cut.isEmpty }

    /// Whether some were left out for whom there would be room now: only asking anew brings them back.
    func hasRoomAgain(for kind: NearbyThing.Kind) -> Bool { cut.contains(kind) && count(kind) < Self.most }

    private func count(_ kind: NearbyThing.Kind) -> Int { seen.keys.count { $0.kind == kind } }
}
