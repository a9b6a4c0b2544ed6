import CardeaAPI
import CardeaClient
import CardeaClientNIO

/// Connects to a house for the first time, found on the local network. It is trusted by its key: the given one, or the one that the person
/// confirms. Before that, nothing is sent but a probe.
struct TrustOnFirstUse {
    static let discoveryTimeout: Duration = .seconds(4)

    let context: CommandContext
    let pin: Pin?

    /// The house; nil if none is found, or if no person can choose.
    func house() async throws -> DiscoveredHub? {
        guard let finder = context.finder, pin != nil || context.prompt.isInteractive else { return nil }
        context.output.progress("Looking for houses on this network…")
        let met = if let pin { await findHouse(by: pin, finder) } else { try await chooseHouse(finder) }
        guard let house = met else { return nil }
        context.pins.trust([house.pin], at: house.hub)
        context.routes.set(.init(lastLocal: house.route), to: house.hub)
        return house
    }

    private func findHouse(by pin: Pin, _ finder: any HubFinder) async -> DiscoveredHub? {
        for await found in finder.discoverHubs(within: Self.discoveryTimeout) where found.pin == pin {
            if await Self.holdsKey(found) { return found }
        }
        return nil
    }

    /// The house that the person confirms as theirs.
    private func chooseHouse(_ finder: any HubFinder) async throws -> DiscoveredHub? {
        var proven: [DiscoveredHub] = []
        for place in await NearbyHouse.all(finder, within: Self.discoveryTimeout).flatMap(\.places)
        where !proven.contains(where: { $0.pin == place.pin }) {
            if await Self.holdsKey(place) { proven.append(place) }
        }
        var house = proven.first
        if proven.count > 1 {
            for (number, place) in proven.enumerated() {
                context.output.note("\(number + 1)  \(place.announcement.name)  \(place.route)  \(place.pin)")
            }
            let number = try Int(context.prompt.line("Number of the house"))
            guard let number, proven.indices.contains(number - 1) else {
                throw CommandLineError.usage("There is no house with this number.")
            }
            house = proven[number - 1]
        }
        guard let house else { return nil }
        context.output.note("Found \(house.announcement.name) at \(house.route). Its key: \(house.pin)")
        try context.prompt.confirm("Did the hub print this key when it started?", beforehand: false)
        return house
    }

    /// Returns whether the discovered hub proves that it holds the key in its announcement.
    private static func holdsKey(_ found: DiscoveredHub) async -> Bool {
        // A separate store: a key that was not confirmed is trusted nowhere else.
        let pins = PinStore()
        pins.trust([found.pin], at: found.hub)
        return (try? await withNIOTransport(pins: pins) { try await $0.probe(at: found.hub, by: found.route) }) != nil
    }
}
