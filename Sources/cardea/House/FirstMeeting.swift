import CardeaAPI
import CardeaClient
import CardeaClientNIO

/// A house that is met for the first time, on the network nearby. It is trusted by its key: the one that was given, or the one that a
/// person says is theirs. Before that, nothing is sent but the question whether somebody is there.
struct FirstMeeting {
    static let patience: Duration = .seconds(4)

    let sitting: Sitting
    let pin: Pin?

    /// The house; nil where none is found, or nobody is there to say which.
    func house() async throws -> FoundHouse? {
        guard let finder = sitting.finder, pin != nil || sitting.prompt.isInteractive else { return nil }
        sitting.output.progress("Looking for houses on this network…")
        let met = if let pin { await known(by: pin, finder) } else { try await chosen(finder) }
        guard let house = met else { return nil }
        sitting.pins.trust([house.pin], at: house.hub)
        sitting.routes.set(.init(lastLocal: house.route), to: house.hub)
        return house
    }

    private func known(by pin: Pin, _ finder: any HubFinder) async -> FoundHouse? {
        for await found in finder.houses(within: Self.patience) where found.pin == pin {
            if await Self.holdsKey(found) { return found }
        }
        return nil
    }

    /// The one that a person says is theirs.
    private func chosen(_ finder: any HubFinder) async throws -> FoundHouse? {
        var proven: [FoundHouse] = []
        for place in await NearbyHouse.all(finder, within: Self.patience).flatMap(\.places)
        where !proven.contains(where: { $0.pin == place.pin }) {
            if await Self.holdsKey(place) { proven.append(place) }
        }
        var house = proven.first
        if proven.count > 1 {
            for (number, place) in proven.enumerated() {
                sitting.output.note("\(number + 1)  \(place.sign.name)  \(place.route)  \(place.pin)")
            }
            let number = try Int(sitting.prompt.line("Which house, by its number"))
            guard let number, proven.indices.contains(number - 1) else { throw Failure.usage("There is no such number.") }
            house = proven[number - 1]
        }
        guard let house else { return nil }
        sitting.output.note("\(house.sign.name) answers at \(house.route). It is known by its key: \(house.pin)")
        try sitting.prompt.confirm("Is that the key the hub printed when it started?", beforehand: false)
        return house
    }

    /// Whether somebody answers there who holds the key that the sign names.
    private static func holdsKey(_ found: FoundHouse) async -> Bool {
        // A book of its own: what nobody has said yes to is trusted nowhere else.
        let pins = PinBook()
        pins.trust([found.pin], at: found.hub)
        return (try? await withNIOTransport(pins: pins) { try await $0.knock(at: found.hub, by: found.route) }) != nil
    }
}
