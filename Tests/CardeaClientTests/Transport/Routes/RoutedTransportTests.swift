import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Synchronization
import Testing

/// Endpoints that answer, stay silent or are foreign, as scripted; every endpoint that got a request is recorded.
private final class ScriptedEndpoints: Transport {
    enum State: Sendable {
        case hub, stranger, dead, silent
        /// Accepts a request and becomes unreachable before its answer.
        case breaksOff
    }

    private let states: Mutex<[String: State]>
    private let heard = Mutex<[(place: String, request: TransportRequest)]>([])

    init(_ states: [String: State]) { self.states = Mutex(states) }

    func set(_ state: State, at place: String) { states.withLock { $0[place] = state } }

    /// The endpoints of requests, without the probes of `/healthz`.
    var asked: [String] { heard.withLock { $0.filter { $0.request.url.path != "/healthz" }.map(\.place) } }
    var knocked: [String] { heard.withLock { $0.filter { $0.request.url.path == "/healthz" }.map(\.place) } }
    var all: [(place: String, request: TransportRequest)] { heard.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let place = request.route?.description ?? "\(request.url.host() ?? ""):\(request.url.port ?? 443)"
        heard.withLock { $0.append((place, request)) }
        switch states.withLock({ $0[place] }) ?? .dead {
        case .hub: return TransportResponse(status: 200, body: Data(#"{"people":[],"total":0}"#.utf8))
        case .stranger: throw .untrusted
        case .dead: throw .noConnection
        case .breaksOff:
            if request.url.path == "/healthz" { return TransportResponse(status: 200) }
            set(.dead, at: place)
            throw .interrupted
        case .silent:
            do { try await Task.sleep(for: .seconds(3600)) } catch { throw .cancelled }
            throw .timeout
        }
    }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }
}

/// The hubs announced on the local network at the moment.
private final class ScriptedHubFinder: HubFinder {
    private let signs: Mutex<[DiscoveredHub]>
    private let count = Mutex(0)

    init(_ signs: [DiscoveredHub]) { self.signs = Mutex(signs) }

    var searches: Int { count.withLock { $0 } }

    func discoverHubs(within patience: Duration) -> AsyncStream<DiscoveredHub> {
        count.withLock { $0 += 1 }
        let signs = signs.withLock { $0 }
        return AsyncStream { found in
            for sign in signs { found.yield(sign) }
            found.finish()
        }
    }
}

@Suite("Transport with a chosen route")
struct RoutedTransportTests {
    private static let ours = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let others = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let home = "house.local:8300"
    private static let found = "10.0.0.9:8300"
    private static let relay = "relay.example:443"

    private static func sign(_ address: String, pin: String = ours) throws -> DiscoveredHub {
        let sign = HouseAdvertisement(
            name: "Home", houseID: String(repeating: "a", count: 32), baseURL: "https://house.local:8300", externalURL: nil, pin: pin)
        return try #require(DiscoveredHub(sign, host: "house.local", address: address, port: 8300))
    }

    private struct RoutedClient {
        let client: CardeaClient
        let transport: RoutedTransport
        let routes = RouteStore()
        let clock = ManualClock()
        let hub: HubAddress

        init(_ places: ScriptedEndpoints, _ finder: ScriptedHubFinder?, relay: Bool = true, pinned: Bool = true) throws {
            hub = try HubAddress("https://house.local:8300")
            let pins = PinStore()
            if pinned { pins.trust([try Pin(ours)], at: hub) }
            if relay { routes.set(.init(relays: [HubRoute(.relay, host: "relay.example", port: 443)]), to: hub) }
            let clock = clock
            let environment = ClientEnvironment(
                now: { clock.now }, sleep: { try await clock.sleep(until: clock.now.addingTimeInterval($0 / .seconds(1))) },
                newKey: { "key" })
            transport = RoutedTransport(places, pins: pins, routes: routes, finder: finder, environment: environment)
            client = CardeaClient(
                hub: hub, transport: transport, sessions: MemorySessionStore(.number(1)), resilience: .none, environment: environment)
        }

        var way: HubRoute.Kind? { routes.current(to: hub)?.kind }
    }

    @Test("A route is chosen once and reused")
    func kept() async throws {
        let places = ScriptedEndpoints([Self.home: .hub])
        let phone = try RoutedClient(places, ScriptedHubFinder([]))
        for _ in 0..<5 { _ = try await phone.client.people.list() }
        #expect(places.knocked == [Self.home])
        #expect(places.asked == Array(repeating: Self.home, count: 5))
        #expect(phone.way == .direct)
    }

    @Test("Concurrent calls share one race")
    func together() async throws {
        let places = ScriptedEndpoints([Self.found: .hub])
        let phone = try RoutedClient(places, try ScriptedHubFinder([Self.sign("10.0.0.9")]))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try? await phone.client.people.remove("person_1") } }
        }
        #expect(places.knocked.filter { $0 == Self.found }.count == 1)
        #expect(places.asked == Array(repeating: Self.found, count: 8))
    }

    @Test("After leaving home the next call uses the relay, and back home the local route")
    func leaving() async throws {
        let places = ScriptedEndpoints([Self.home: .hub, Self.relay: .hub])
        let phone = try RoutedClient(places, ScriptedHubFinder([]))
        _ = try await phone.client.people.list()
        places.set(.dead, at: Self.home)

        _ = try await phone.client.people.list()

        #expect(places.asked == [Self.home, Self.home, Self.relay], "what never arrived was sent the other way")
        #expect(phone.way == .relay)
        places.set(.hub, at: Self.home)
        phone.clock.advance(by: 299)
        _ = try await phone.client.people.list()
        #expect(phone.way == .relay)
        phone.clock.advance(by: 1)
        _ = try await phone.client.people.list()
        #expect(phone.way == .direct)
    }

    @Test("A network change starts a new race at once")
    func changed() async throws {
        let places = ScriptedEndpoints([Self.relay: .hub])
        let phone = try RoutedClient(places, ScriptedHubFinder([]))
        _ = try await phone.client.people.list()
        #expect(phone.way == .relay)
        places.set(.hub, at: Self.home)

        await phone.transport.handleNetworkChange()
        _ = try await phone.client.people.list()

        #expect(phone.way == .direct)
    }

    @Test("A request that may have arrived is not sent over another route")
    func interrupted() async throws {
        let places = ScriptedEndpoints([Self.home: .breaksOff, Self.relay: .hub])
        let phone = try RoutedClient(places, nil)
        await #expect(throws: ClientError.interrupted(host: "house.local")) {
            try await phone.client.sessions.login(username: "ada", password: Secret("correct horse"))
        }
        #expect(places.asked == [Self.home])
    }

    @Test("A door command with an idempotency key is repeated over the relay if its connection breaks")
    func keyed() async throws {
        let places = ScriptedEndpoints([Self.home: .breaksOff, Self.relay: .hub])
        let phone = try RoutedClient(places, nil)
        let asking = Task { try? await phone.client.devices.control(DeviceCommand("front-door", "unlock")) }
        try await waitUntil { places.asked.count == 1 }
        // A request on a broken connection is retried after a moment.
        try await waitUntil { phone.clock.isAwaited(phone.clock.now.addingTimeInterval(0.15)) }
        phone.clock.advance(by: 0.15)
        _ = await asking.value
        #expect(places.asked == [Self.home, Self.relay])
        let keys = Set(places.all.filter { $0.request.url.path != "/healthz" }.map { $0.request.headers["idempotency-key"] })
        #expect(keys.count == 1 && keys.first ?? nil != nil)
    }

    @Test("A host that advertises the hub without its key gets only a probe")
    func impostor() async throws {
        let places = ScriptedEndpoints([Self.found: .stranger, "10.0.0.66:8300": .hub, Self.relay: .hub])
        let phone = try RoutedClient(places, try ScriptedHubFinder([Self.sign("10.0.0.9"), Self.sign("10.0.0.66", pin: Self.others)]))

        _ = try await phone.client.people.list()

        #expect(phone.way == .relay)
        let strangers = places.all.filter { $0.place != Self.relay }
        #expect(Set(strangers.map(\.place)) == [Self.home, Self.found], "another house's sign is not even worth a knock")
        for knock in strangers {
            #expect(knock.request.url.path == "/healthz" && knock.request.body == nil)
            #expect(Array(knock.request.headers.keys) == ["user-agent"])
        }
    }

    @Test("A silent address delays no call")
    func silent() async throws {
        let places = ScriptedEndpoints([Self.home: .silent, Self.relay: .hub])
        let phone = try RoutedClient(places, ScriptedHubFinder([]))
        let asking = Task { try await phone.client.people.list() }
        try await waitUntil { places.knocked == [Self.home] }
        try await waitUntil {
            phone.clock.advance(by: 0.05)
            return places.knocked.contains(Self.relay)
        }
        _ = try await asking.value
        #expect(places.asked == [Self.relay])
    }

    @Test("A hub known only by its certificate has one route and no discovery")
    func unpinned() async throws {
        let (places, signs) = (ScriptedEndpoints([Self.home: .hub]), try ScriptedHubFinder([Self.sign("10.0.0.9")]))
        let phone = try RoutedClient(places, signs, pinned: false)
        _ = try await phone.client.people.list()
        #expect(places.knocked.isEmpty && places.asked == [Self.home] && signs.searches == 0)
        #expect(places.all.allSatisfy { $0.request.route == nil })
    }

    @Test("A discovered address is remembered and tried first")
    func remembered() async throws {
        let places = ScriptedEndpoints([Self.found: .hub])
        let signs = try ScriptedHubFinder([Self.sign("10.0.0.9")])
        let phone = try RoutedClient(places, signs)
        _ = try await phone.client.people.list()
        #expect(phone.routes.routes(to: phone.hub).lastLocal == HubRoute(.local, host: "10.0.0.9", port: 8300))
        await phone.transport.handleNetworkChange()
        _ = try await phone.client.people.list()
        #expect(signs.searches == 1)
    }
}
