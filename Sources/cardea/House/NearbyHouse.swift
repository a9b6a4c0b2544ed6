import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A house that announces itself on the network nearby, at each address where it was found.
struct NearbyHouse: Sendable, Encodable {
    let sign: HouseAdvertisement
    private(set) var places: [DiscoveredHub]

    /// Those that are found within some seconds, in the order of their names.
    static func all(_ finder: any HubFinder, within timeout: Duration) async -> [NearbyHouse] {
        var houses: [NearbyHouse] = []
        for await found in finder.discoverHubs(within: timeout) {
            if let known = houses.firstIndex(where: { $0.sign == found.announcement }) {
                if !houses[known].places.contains(found) { houses[known].places.append(found) }
            } else {
                houses.append(NearbyHouse(sign: found.announcement, places: [found]))
            }
        }
        return houses.sorted { ($0.sign.name, $0.sign.pin) < ($1.sign.name, $1.sign.pin) }
    }

    var addresses: [String] { places.map(\.route.description) }
    var hub: String { places.first?.hub.description ?? sign.baseURL }

    func encode(to encoder: any Encoder) throws {
        try JSONValue.object([
            "name": .string(sign.name), "uuid": .string(sign.houseID), "version": .number(Double(sign.version)),
            "url": .string(hub), "pin": .string(sign.pin), "addresses": .array(addresses.map { .string($0) }),
        ]).encode(to: encoder)
    }
}
