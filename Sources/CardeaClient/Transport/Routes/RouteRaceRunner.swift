import Foundation

/// Runs a race: probes, searches, waits, and reports the results to the race. Losers are cancelled at its end.
struct RouteRaceRunner: Sendable {
    /// The maximum time of a search on the local network.
    static let searchTimeout: Duration = .seconds(2)

    let transport: any Transport
    let finder: (any HubFinder)?
    let timing: RouteRace.Timing
    let environment: ClientEnvironment

    func run(_ start: RouteRace, to url: URL, pins: Set<Pin>) async -> Result<HubRoute, TransportError> {
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
                    case .setTimer(let time):
                        group.addTask {
                            do { try await environment.sleep(time) } catch { return }
                            event.yield(.timeElapsed(time))
                        }
                    }
                }
                guard let next = await told.next() else { return .failure(.cancelled) }
                actions = race.handle(next)
            }
        }
    }

    private func probe(_ route: HubRoute, to url: URL) async -> RouteRace.Event {
        do throws(TransportError) {
            try await transport.probe(at: url, by: route)
            return .answered(route)
        } catch {
            return .failed(route, error)
        }
    }

    private func search(_ pins: Set<Pin>, _ event: AsyncStream<RouteRace.Event>.Continuation) async {
        if let finder {
            // An announcement with another key is another house's and is skipped.
            for await house in finder.discoverHubs(within: Self.searchTimeout) where pins.contains(house.pin) {
                event.yield(.found(house.route))
            }
        }
        event.yield(.searchEnded)
    }
}
