import CardeaAPI
import CardeaClient
import CardeaClientNIO
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Synchronization

/// A person at home on a bad connection: reads, lights, doors, names, and a session that must be renewed, all over real sockets and through
/// the SDK's own transport. The answers are compared with the commands that the house got.
actor FaultInjectionRun {
    struct Plan: Sendable {
        var seed: UInt64
        var calls: Int
        var weather: FaultProxy.FaultProfile
        var resilience = ResilienceSettings.standard
        /// Each try has its own key, so that the house cannot recognise a repetition.
        var renames = false
    }

    private let house: TestHouse
    private let proxy: FaultProxy
    private let client: CardeaClient
    /// Another program of the same person, with the same storage.
    private let secondClient: CardeaClient
    private let sessions: MemorySessionStore
    private let weather: FaultProxy.FaultProfile
    private let trace = CallTrace()
    private var random: XorshiftGenerator
    private(set) var tally = CallOutcomeTally()
    /// The light's state; nil if it is unknown.
    private var light: String? = "off"
    private var commandCount = 0

    private init(_ plan: Plan, _ house: TestHouse, _ proxy: FaultProxy, over line: any Transport) throws {
        self.house = house
        self.proxy = proxy
        random = XorshiftGenerator(seed: plan.seed &+ 1)
        weather = plan.weather
        let (sessions, trace, hub) = (MemorySessionStore(), trace, try HubAddress("http://127.0.0.1:\(proxy.port)"))
        let clients = (0..<2).map { _ in
            CardeaClient(
                hub: hub, transport: line, sessions: sessions, resilience: plan.resilience, environment: house.clock.clientEnvironment,
                metrics: trace)
        }
        (self.sessions, client, secondClient) = (sessions, clients[0], clients[1])
    }

    /// - Parameter body: runs once the owner is signed in and the faults have started.
    static func run(_ plan: Plan, _ body: @escaping @Sendable (FaultInjectionRun) async throws -> Void) async throws -> CallOutcomeTally {
        try await TestHouse.open { house in
            try await house.claim()
            return try await house.withServer { port in
                try await FaultProxy.open(to: port, seed: plan.seed) { proxy in
                    try await withNIOTransport { nio in
                        let line = FastForwardTransport(nio, through: proxy, clock: house.clock, renames: plan.renames)
                        let calls = try FaultInjectionRun(plan, house, proxy, over: line)
                        try await calls.signIn()
                        proxy.setProfile(plan.weather)
                        try await body(calls)
                        proxy.setProfile(.clear)
                        return try await calls.judged()
                    }
                }
            }
        }
    }

    private func signIn() async throws {
        try await client.sessions.login(username: "owner", password: TestHouse.password)
    }

    /// Sends one last request, which releases the delayed ones, then checks the commands that the devices received.
    private func judged() async throws -> CallOutcomeTally {
        _ = try? await client.people.me()
        tally.verify(house.doorBackend.backendCommands)
        tally.faults = proxy.faultCounts
        return tally
    }

    private var faults: Int { proxy.faultCounts.values.reduce(0, +) }

    /// The number of faults met before the next step.
    private func begin() -> Int {
        trace.clear()
        return faults
    }

    // MARK: The usual mix

    func runMixed(_ count: Int) async throws {
        for _ in 0..<count {
            house.clock.advance(by: Double(1 + random.next(20)))
            let before = begin()
            let (kind, ending) = try await performOne()
            tally.record(kind, ending, trace.text, hasMetFault: faults > before)
            if ending == .failed(.unauthorized) { try await recoverSession() }
        }
    }

    private func performOne() async throws -> (CallOutcomeTally.Kind, CallOutcomeTally.Outcome) {
        switch random.next(100) {
        case ..<30: (.look, await readDevices())
        case ..<40: (.look, await authenticate(client))
        case ..<65: (.command, await turnLight())
        case ..<80: (.command, await moveDoor())
        case ..<90: (.write, await rename())
        default: (.renewal, try await renew())
        }
    }

    private func readDevices() async -> CallOutcomeTally.Outcome {
        let (client, light) = (client, light)
        return await Self.ending {
            let state = try await client.devices.get("hall-light").entities.first?.state
            return state != nil && (light == nil || state == light)
        }
    }

    private func authenticate(_ client: CardeaClient) async -> CallOutcomeTally.Outcome {
        await Self.ending { try await client.people.me().username == "owner" }
    }

    private func turnLight() async -> CallOutcomeTally.Outcome {
        commandCount += 1
        let action = random.next(2) == 0 ? "on" : "off"
        // The fade time identifies the command at the light.
        let command = DeviceCommand("hall-light", action, transitionTime: Double(commandCount))
        let ending = await resolveOutcome(command)
        light = ending == .right ? action : nil
        tally.recordLightCommand(commandCount, ending)
        return ending
    }

    private func moveDoor() async -> CallOutcomeTally.Outcome {
        tally.doorCommands += 1
        return await resolveOutcome(
            DeviceCommand(random.next(2) == 0 ? "front-door" : "back-door", random.next(2) == 0 ? "unlock" : "lock"))
    }

    /// Sends a command; if its outcome is unknown, sends the same command again with its key, like a person at the door.
    private func resolveOutcome(_ command: DeviceCommand) async -> CallOutcomeTally.Outcome {
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

    private func rename() async -> CallOutcomeTally.Outcome {
        commandCount += 1
        let (client, name) = (client, "Light \(commandCount)")
        return await Self.ending { try await client.devices.change("hall-light", ChangeDeviceBody(name: name)).name == name }
    }

    private static func ending(_ isRight: @Sendable () async throws -> Bool) async -> CallOutcomeTally.Outcome {
        do {
            return try await isRight() ? .right : .wrong("another answer")
        } catch let error as ClientError {
            return .failed(error)
        } catch { return .wrong("\(error)") }
    }

    // MARK: Renewals

    /// Renews the session again and again: by one call, by two at once, and by two programs with the same storage.
    func renewals(_ count: Int) async throws {
        for _ in 0..<count {
            house.clock.advance(by: Double(1 + random.next(20)))
            let before = begin()
            let ending = try await renew()
            tally.record(.renewal, ending, trace.text, hasMetFault: faults > before)
            if ending != .right { try await recoverSession() }
        }
    }

    private func renew() async throws -> CallOutcomeTally.Outcome {
        guard let old = await sessions.load() else { return .failed(.unauthorized) }
        // Its token has expired, as far as the client knows.
        try await sessions.update { $0 = Session(accessToken: old.accessToken, refreshToken: old.refreshToken, expiresAt: .distantPast) }
        switch random.next(3) {
        case 0:
            async let other = authenticate(client)
            _ = (await readDevices(), await other)
        case 1:
            async let other = authenticate(secondClient)
            _ = (await authenticate(client), await other)
        default: _ = await authenticate(client)
        }
        guard let new = await sessions.load() else { return .failed(.unauthorized) }
        return new.refreshToken.digest != old.refreshToken.digest && new.expiresAt > house.clock.now ? .right : .wrong("no new session")
    }

    /// Signs in again after the session ended, with faults switched off.
    private func recoverSession() async throws {
        guard await sessions.load() == nil else { return }
        proxy.setProfile(.clear)
        try await signIn()
        proxy.setProfile(weather)
    }
}

/// Records the steps of one call on the network.
private final class CallTrace: CallMetricsDelegate {
    private let steps = Mutex<[String]>([])

    var text: String { steps.withLock { $0.joined(separator: ", ") } }

    func clear() {
        steps.withLock { $0 = [] }
    }

    func didComplete(_ call: CallMetrics) {
        let outcome = call.status.map { "\($0)" } ?? call.error.map { "\($0)" } ?? "nothing"
        steps.withLock { $0.append("\(call.method.rawValue) \(call.endpoint) \(outcome)") }
    }
}
