import CardeaClient
import CardeaTestSupport
import Testing

@Suite("Choice of a route to the hub")
struct RouteRaceTests {
    private static let address = HubRoute(.direct, host: "house.local", port: 8300)
    private static let lastTime = HubRoute(.local, host: "10.0.0.7", port: 8300)
    private static let foundNow = HubRoute(.local, host: "10.0.0.9", port: 8300)
    private static let relay = HubRoute(.relay, host: "relay.example", port: 443)

    private static func race(known: [HubRoute] = [address, lastTime], relays: [HubRoute] = [relay], searches: Bool = true) -> RouteRace {
        RouteRace(known: known, relays: relays, searches: searches)
    }

    @Test("At the known local address neither discovery nor the relay is used")
    func atHome() {
        var race = Self.race()
        let first = race.begin()
        #expect(
            first == [
                .probe(Self.address), .probe(Self.lastTime), .setTimer(after: .milliseconds(100)), .setTimer(after: .milliseconds(500)),
            ])
        #expect(race.handle(.answered(Self.lastTime)) == [.won(Self.lastTime)])
        #expect(race.handle(.timeElapsed(.milliseconds(500))) == [])
        #expect(race.handle(.answered(Self.address)) == [])
    }

    @Test("A hub with a new local address is discovered and preferred to the relay")
    func moved() {
        var race = Self.race()
        _ = race.begin()
        #expect(race.handle(.failed(Self.address, .noConnection)) == [])
        #expect(race.handle(.failed(Self.lastTime, .noConnection)) == [.search], "nothing near is left, so it is not waited for")
        #expect(race.handle(.timeElapsed(.milliseconds(100))) == [])
        #expect(race.handle(.found(Self.foundNow)) == [.probe(Self.foundNow)])
        #expect(race.handle(.answered(Self.foundNow)) == [.won(Self.foundNow)])
    }

    @Test("Without any answer discovery starts after a short delay and the relay after a longer one")
    func silence() {
        var race = Self.race()
        _ = race.begin()
        #expect(race.handle(.timeElapsed(.milliseconds(100))) == [.search])
        #expect(race.handle(.timeElapsed(.milliseconds(500))) == [.probe(Self.relay)])
        #expect(race.handle(.answered(Self.relay)) == [.won(Self.relay)])
    }

    @Test("Away from home the relay waits only for its delay or the failure of all local routes")
    func away() {
        var race = Self.race(known: [Self.address])
        _ = race.begin()
        #expect(race.handle(.failed(Self.address, .noConnection)) == [.search])
        #expect(race.handle(.searchEnded) == [.probe(Self.relay)])
        #expect(race.handle(.failed(Self.relay, .noConnection)) == [.lost(.noConnection)])
    }

    @Test("A local route that answers after the relay loses")
    func raced() {
        var race = Self.race(known: [Self.address])
        _ = race.begin()
        #expect(race.handle(.timeElapsed(.milliseconds(500))) == [.search, .probe(Self.relay)], "a clock that comes late")
        #expect(race.handle(.answered(Self.relay)) == [.won(Self.relay)])
        #expect(race.handle(.answered(Self.address)) == [])
    }

    @Test("An unauthenticated host is skipped, and only one at the known address is reported")
    func strangers() {
        var race = Self.race(known: [Self.address], relays: [])
        _ = race.begin()
        _ = race.handle(.failed(Self.address, .noConnection))
        #expect(race.handle(.found(Self.foundNow)) == [.probe(Self.foundNow)])
        #expect(race.handle(.failed(Self.foundNow, .untrusted)) == [])
        #expect(race.handle(.searchEnded) == [.lost(.noConnection)])

        var taken = Self.race(known: [Self.address], relays: [], searches: false)
        _ = taken.begin()
        #expect(taken.handle(.failed(Self.address, .untrusted)) == [.lost(.untrusted)])
    }

    @Test("An answer of an untried address is ignored, and each address is tried once")
    func onlyTried() {
        var race = Self.race(known: [Self.address])
        _ = race.begin()
        #expect(race.handle(.answered(Self.foundNow)) == [])
        #expect(race.handle(.found(HubRoute(.local, host: Self.address.host, port: Self.address.port))) == [])
        #expect(race.handle(.found(Self.foundNow)) == [.probe(Self.foundNow)])
        #expect(race.handle(.found(Self.foundNow)) == [])
    }

    @Test("At most 16 discovered addresses are tried")
    func flooded() {
        var race = Self.race(known: [Self.address])
        _ = race.begin()
        let probes = (1...1000).flatMap { race.handle(.found(HubRoute(.local, host: "10.0.0.1", port: $0))) }
        #expect(probes.count == 16)
    }

    @Test(
        "For any order of events the race ends once, and the winner was tried and answered",
        arguments: TestSeed.values(0..<500 as Range<UInt64>))
    func property(seed: UInt64) {
        var dice = SeededGenerator(state: seed)
        let known = [Self.address, Self.lastTime].filter { _ in Bool.random(using: &dice) }
        let relays = Bool.random(using: &dice) ? [Self.relay] : []
        let searches = Bool.random(using: &dice)
        var race = Self.race(known: known, relays: relays, searches: searches)
        var open: [RouteRace.Event] = []
        var tried: Set<HubRoute> = []
        var ends: [RouteRace.Action] = []
        var answered: Set<HubRoute> = []
        var actions = race.begin()
        while true {
            for action in actions {
                switch action {
                case .probe(let route):
                    #expect(tried.insert(route).inserted, "twice")
                    open.append(Bool.random(using: &dice) ? .answered(route) : .failed(route, .noConnection))
                case .search:
                    open.append(.searchEnded)
                    if Bool.random(using: &dice) { open.insert(.found(Self.foundNow), at: 0) }
                case .setTimer(let time): open.append(.timeElapsed(time))
                case .won, .lost: ends.append(action)
                }
            }
            // The search ends after all its results.
            guard let index = open.indices.randomElement(using: &dice) else { break }
            let isEarlyEnd = open[index] == .searchEnded && open.contains(.found(Self.foundNow))
            let event = isEarlyEnd ? open.remove(at: open.firstIndex(of: .found(Self.foundNow)) ?? index) : open.remove(at: index)
            if case .answered(let route) = event { answered.insert(route) }
            actions = race.handle(event)
        }
        #expect(ends.count == 1)
        if case .won(let route)? = ends.first { #expect(answered.contains(route)) } else { #expect(answered.isEmpty) }
        if case .lost? = ends.first { #expect(tried.isSuperset(of: known + relays)) }
    }
}
