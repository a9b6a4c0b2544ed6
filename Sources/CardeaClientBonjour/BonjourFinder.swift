import CardeaAPI
import CardeaClient
import CardeaDNSSD
import Foundation

/// Looks for houses by Bonjour: whoever announces `_cardea._tcp` on the network nearby.
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
                    // Ended early, there was nothing to look with.
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

    /// Where an announced house is: at each address of its host.
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

    /// Each answer, until nobody waits for more. A daemon that is not there, or goes, has found nothing: that is all there is to know.
    private static func forEach<Answer: Sendable>(of answers: AsyncThrowingStream<Answer, any Error>, _ take: (Answer) -> Void) async {
        var answers = answers.makeAsyncIterator()
        while let answer = try? await answers.next() { take(answer) }
    }
}
