import CardeaAPI
import CardeaClient
import CardeaDNSSD
import Foundation

/// Finds houses by Bonjour: hosts on the local network that announce `_cardea._tcp`.
public struct BonjourFinder: HubFinder {
    /// Anybody can announce any number.
    static let maximumHouses = 64

    public init() {}

    public func discoverHubs(within patience: Duration) -> AsyncStream<DiscoveredHub> {
        AsyncStream(bufferingPolicy: .bufferingOldest(Self.maximumHouses)) { found in
            let looking = Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { try? await Task.sleep(for: patience) }
                    group.addTask { await browse { found.yield($0) } }
                    // If the browse fails, the search ends early.
                    await group.next()
                    group.cancelAll()
                }
                found.finish()
            }
            found.onTermination = { _ in looking.cancel() }
        }
    }

    private func browse(_ tell: @escaping @Sendable (DiscoveredHub) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var seen: Set<DNSSD.Instance> = []
            await Self.forEach(of: DNSSD.browse(type: HouseAdvertisement.serviceType)) { sighting in
                guard case .found(let instance) = sighting, seen.count < Self.maximumHouses, seen.insert(instance).inserted else { return }
                group.addTask { await resolve(instance, tell) }
            }
        }
    }

    /// The addresses of an announced house: each one of its host.
    private func resolve(_ instance: DNSSD.Instance, _ tell: @escaping @Sendable (DiscoveredHub) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var last: DNSSD.Endpoint?
            await Self.forEach(of: DNSSD.resolve(instance)) { place in
                guard place != last, let sign = HouseAdvertisement({ place.text[$0] }) else { return }
                last = place
                for version in DNSSD.IPVersion.allCases {
                    group.addTask {
                        await Self.forEach(of: DNSSD.addresses(of: place.host, version: version, interface: instance.interface)) {
                            address in
                            if let house = DiscoveredHub(sign, host: place.host, address: address, port: Int(place.port)) { tell(house) }
                        }
                    }
                }
            }
        }
    }

    /// Each answer, until the caller stops. A missing or stopped daemon counts as no results.
    private static func forEach<Answer: Sendable>(of answers: AsyncThrowingStream<Answer, any Error>, _ take: (Answer) -> Void) async {
        var answers = answers.makeAsyncIterator()
        while let answer = try? await answers.next() { take(answer) }
    }
}
