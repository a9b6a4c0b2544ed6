import Foundation

/// Runs a race: probes, searches, waits, and tells the race what came of it. Whoever has not won when it is over is called off.
struct RouteCourse: Sendable {
    /// How long it is looked for the hub on the network nearby.
    static let searchPatience: Duration = .seconds(2)

    let carrier: any Transport
    let finder: (any HubFinder)?
    let timing: RouteRace.Timing
    let surroundings: Surroundings

    func run(_ start: RouteRace, to url: URL, pins: Set<Pin>) async -> Result<HubRoute, TransportFailure> {
        let (events, event) = AsyncStream<RouteRace.Event>.makeStream()
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            var race = start
            var actions = race.begin()
            var told = events.makeAsyncIterator()
            while true {
                for action in actions {
                    switch action {
                    case .won(let route): return .success(route)
                    case .lost(let failure): return .failure(failure)
                    case .probe(let route): group.addTask { event.yield(await probe(route, to: url)) }
                    case .search: group.addTask { await search(pins, event) }
                    case .tell(let time):
                        group.addTask {
                            do { try await surroundings.sleep(time) } catch { return }
                            event.yield(.passed(time))
                        }
                    }
                }
                guard let next = await told.next() else { return .failure(.cancelled) }
                actions = race.take(next)
            }
        }
    }

    private func probe(_ route: HubRoute, to url: URL) async -> RouteRace.Event {
        do throws(TransportFailure) {
            try await carrier.knock(at: url, by: route)
            return .answered(route)
        } catch {
            return .failed(route, error)
        }
    }

    private func search(_ pins: Set<Pin>, _ event: AsyncStream<RouteRace.Event>.Continuation) async {
        if let finder {
            // A sign with another key is another house's, or is not worth a knock.
            for await house in finder.houses(within: Self.searchPatience) where pins.contains(house.pin) {
                event.yield(.found(house.route))
            }
        }
        event.yield(.searchEnded)
    }
}
