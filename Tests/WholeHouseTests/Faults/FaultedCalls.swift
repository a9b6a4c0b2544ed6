import CardeaAPI
import CardeaClient
import CardeaClientNIO
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Synchronization

/// Somebody at home over a bad line: looks, lights, doors, names, and a session that must be renewed, all over real sockets and through the
/// SDK's own transport. What was said is held against what the house was told to do.
actor FaultedCalls {
    struct Plan: Sendable {
        var seed: UInt64
        var calls: Int
        var weather: FaultProxy.Weather
        var resilience = Resilience.standard
        /// Each try has a name of its own, so that the house cannot know a repetition.
        var renames = false
    }

    private let house: TestHouse
    private let proxy: FaultProxy
    private let client: CardeaClient
    /// Another program of the same person, which shares what it keeps.
    private let twin: CardeaClient
    private let sessions: MemorySessionStore
    private let weather: FaultProxy.Weather
    private let trace = Trace()
    private var dice: Dice
    private(set) var tally = Tally()
    /// How the light stands; nil where nobody can say.
    private var light: String? = "off"
    private var wishes = 0

    private init(_ plan: Plan, _ house: TestHouse, _ proxy: FaultProxy, over line: any Transport) throws {
        self.house = house
        self.proxy = proxy
        dice = Dice(seed: plan.seed &+ 1)
        weather = plan.weather
        let (sessions, trace, hub) = (MemorySessionStore(), trace, try HubAddress("http://127.0.0.1:\(proxy.port)"))
        let clients = (0..<2).map { _ in
            CardeaClient(
                hub: hub, transport: line, sessions: sessions, resilience: plan.resilience, surroundings: house.clock.travelling,
                metrics: trace)
        }
        (self.sessions, client, twin) = (sessions, clients[0], clients[1])
    }

    /// - Parameter body: what is done once the owner is signed in and the weather has turned.
    static func run(_ plan: Plan, _ body: @escaping @Sendable (FaultedCalls) async throws -> Void) async throws -> Tally {
        try await TestHouse.open { house in
            try await house.claim()
            return try await house.served { port in
                try await FaultProxy.open(to: port, seed: plan.seed) { proxy in
                    try await withNIOTransport { nio in
                        let line = HastyLine(nio, through: proxy, clock: house.clock, renames: plan.renames)
                        let calls = try FaultedCalls(plan, house, proxy, over: line)
                        try await calls.signIn()
                        proxy.turn(plan.weather)
                        try await body(calls)
                        proxy.turn(.clear)
                        return try await calls.judged()
                    }
                }
            }
        }
    }

    private func signIn() async throws {
        try await client.sessions.login(username: "owner", password: TestHouse.password)
    }

    /// What was held back arrives with one last look; then it is seen what the things were told.
    private func judged() async throws -> Tally {
        _ = try? await client.people.me()
        tally.judge(house.doors.orders)
        tally.faults = proxy.met
        return tally
    }

    private var faults: Int { proxy.met.values.reduce(0, +) }

    /// How many faults were met before what is done next.
    private func begin() -> Int {
        trace.clear()
        return faults
    }

    // MARK: The usual mix

    func mixed(_ count: Int) async throws {
        for _ in 0..<count {
            house.clock.advance(by: Double(1 + dice.roll(20)))
            let before = begin()
            let (kind, ending) = try await one()
            tally.ended(kind, ending, trace.text, hasMetFault: faults > before)
            if ending == .failed(.unauthorized) { try await recoverSession() }
        }
    }

    private func one() async throws -> (Tally.Kind, Tally.Ending) {
        switch dice.roll(100) {
        case ..<30: (.look, await look())
        case ..<40: (.look, await greet(client))
        case ..<65: (.command, await turnLight())
        case ..<80: (.command, await moveDoor())
        case ..<90: (.write, await rename())
        default: (.renewal, try await renew())
        }
    }

    private func look() async -> Tally.Ending {
        let (client, light) = (client, light)
        return await Self.ending {
            let state = try await client.devices.one("hall-light").entities.first?.state
            return state != nil && (light == nil || state == light)
        }
    }

    private func greet(_ client: CardeaClient) async -> Tally.Ending {
        await Self.ending { try await client.people.me().username == "owner" }
    }

    private func turnLight() async -> Tally.Ending {
        wishes += 1
        let action = dice.roll(2) == 0 ? "on" : "off"
        // The time over which it fades is how the judge knows it again at the light.
        let command = DeviceCommand("hall-light", action, transitionTime: Double(wishes))
        let ending = await told(command)
        light = ending == .right ? action : nil
        tally.lightWish(wishes, ending)
        return ending
    }

    private func moveDoor() async -> Tally.Ending {
        tally.doorWishes += 1
        return await told(DeviceCommand(dice.roll(2) == 0 ? "front-door" : "back-door", dice.roll(2) == 0 ? "unlock" : "lock"))
    }

    /// Asks; where nobody can say what became of it, asks for the same wish again under its own name, as somebody at the door does.
    private func told(_ command: DeviceCommand) async -> Tally.Ending {
        do {
            switch try await client.devices.control(command) {
            case .confirmed: return .right
            case .unknown:
                for _ in 0..<5 {
                    if case .confirmed = try await client.devices.control(command) { return .inDoubt }
                }
                return .wrong("still unknown")
            case let other: return .wrong("\(other)")
            }
        } catch { return .failed(error) }
    }

    private func rename() async -> Tally.Ending {
        wishes += 1
        let (client, name) = (client, "Light \(wishes)")
        return await Self.ending { try await client.devices.change("hall-light", ChangeDeviceBody(name: name)).name == name }
    }

    private static func ending(_ isRight: @Sendable () async throws -> Bool) async -> Tally.Ending {
        do {
            return try await isRight() ? .right : .wrong("another answer")
        } catch let error as ClientError {
            return .failed(error)
        } catch { return .wrong("\(error)") }
    }

    // MARK: Renewals

    /// Renews the session again and again: by one call, by two at once, and by two programs that share what they keep.
    func renewals(_ count: Int) async throws {
        for _ in 0..<count {
            house.clock.advance(by: Double(1 + dice.roll(20)))
            let before = begin()
            let ending = try await renew()
            tally.ended(.renewal, ending, trace.text, hasMetFault: faults > before)
            if ending != .right { try await recoverSession() }
        }
    }

    private func renew() async throws -> Tally.Ending {
        guard let old = await sessions.load() else { return .failed(.unauthorized) }
        // Its time is over, as far as anybody here knows.
        try await sessions.update { $0 = Session(accessToken: old.accessToken, refreshToken: old.refreshToken, expiresAt: .distantPast) }
        switch dice.roll(3) {
        case 0:
            async let other = greet(client)
            _ = (await look(), await other)
        case 1:
            async let other = greet(twin)
            _ = (await greet(client), await other)
        default: _ = await greet(client)
        }
        guard let new = await sessions.load() else { return .failed(.unauthorized) }
        return new.refreshToken.digest != old.refreshToken.digest && new.expiresAt > house.clock.now ? .right : .wrong("no new session")
    }

    /// Whoever was signed out signs in again, while the sky is clear.
    private func recoverSession() async throws {
        guard await sessions.load() == nil else { return }
        proxy.turn(.clear)
        try await signIn()
        proxy.turn(weather)
    }
}

/// What went over the line for one call.
private final class Trace: CallMetricsDelegate {
    private let steps = Mutex<[String]>([])

    var text: String { steps.withLock { $0.joined(separator: ", ") } }

    func clear() {
        steps.withLock { $0 = [] }
    }

    func exchanged(_ call: CallMetrics) {
        let outcome = call.status.map { "\($0)" } ?? call.error.map { "\($0)" } ?? "nothing"
        steps.withLock { $0.append("\(call.method.rawValue) \(call.endpoint) \(outcome)") }
    }
}
