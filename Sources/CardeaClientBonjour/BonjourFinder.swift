import CardeaAPI
import CardeaClient
import CardeaDNSSD
import Foundation

/// Looks for houses by Bonjour: whoever announces `_cardea._tcp` on the network nearby.
public struct BonjourFinder: HubFinder {
    /// Anybody can announce any number.
    static let most = 64

    public init() {}

    public func houses(within patience: Duration) -> AsyncStream<FoundHouse> {
        AsyncStream(bufferingPolicy: .bufferingOldest(Self.most)) { found in
            let looking = Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { try? await Task.sleep(for: patience) }
                    group.addTask { await look { found.yield($0) } }
                    // Ended early, there was nothing to look with.
                    await group.next()
                    group.cancelAll()
                }
                found.finish()
            }
            found.onTermination = { _ in looking.cancel() }
        }
    }

    private func look(_ tell: @escaping @Sendable (FoundHouse) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var seen: Set<DNSSD.Instance> = []
            await Self.each(of: DNSSD.browse(type: HouseSign.serviceType)) { sighting in
                guard case .found(let instance) = sighting, seen.count < Self.most, seen.insert(instance).inserted else { return }
                group.addTask { await place(instance, tell) }
            }
        }
    }

    /// Where an announced house is: at each address of its host.
    private func place(_ instance: DNSSD.Instance, _ tell: @escaping @Sendable (FoundHouse) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var last: DNSSD.Place?
            await Self.each(of: DNSSD.resolve(instance)) { place in
                guard place != last, let sign = HouseSign({ place.text[$0] }) else { return }
                last = place
                for version in DNSSD.IPVersion.allCases {
                    group.addTask {
                        await Self.each(of: DNSSD.addresses(of: place.host, version: version, interface: instance.interface)) { address in
                            if let house = FoundHouse(sign, host: place.host, address: address, port: Int(place.port)) { tell(house) }
                        }
                    }
                }
            }
        }
    }

    /// Each answer, until nobody waits for more. A daemon that is not there, or goes, has found nothing: that is all there is to know.
    private static func each<Answer: Sendable>(of answers: AsyncThrowingStream<Answer, any Error>, _ take: (Answer) -> Void) async {
        var answers = answers.makeAsyncIterator()
        while let answer = try? await answers.next() { take(answer) }
    }
}
