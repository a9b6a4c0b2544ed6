import CardeaAPI
import CardeaClient
import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaSync
import CardeaTestSupport
import Foundation
import Hummingbird
import HummingbirdTesting
import ServiceLifecycle

/// A year of failures in one process: some phones and one house, broken connections, killed programs and hubs, wrong clocks. All of it is
/// drawn from one seed, so that a failure can be reproduced.
actor Simulation {
    struct Plan: Sendable {
        var seed: UInt64
        var operations: Int
        var phones = 5
        var lights = 3
        /// A defect in the very property under test, which shows that the checker would detect it.
        var sabotage: InjectedDefect = .none
    }

    enum InjectedDefect: Sendable {
        case none
        /// Each try has its own key, so that the house cannot recognise a repetition.
        case freshNames
        /// Sometimes an intermediary answers for the house, which has not received the request.
        case answersBeforeCommit
    }

    private let plan: Plan
    private var dice: XorshiftGenerator
    private let store: Store
    private let sealing = SealingKey.random()
    private let clock = ManualClock()
    private let folder: URL
    private var phones: [TestPhone] = []
    private(set) var judge = ExactlyOnceChecker()
    /// The numbers of the commands, each of which the house must see at most once.
    private var wishes = 0

    init(_ plan: Plan, folder: URL) throws {
        self.plan = plan
        self.folder = folder
        dice = XorshiftGenerator(seed: plan.seed)
        store = try Store.inMemory()
    }

    // MARK: Schedule

    func run() async throws {
        var left = plan.operations
        while left > 0 {
            // The house's run until its power is cut.
            let epoch = min(left, 200 + dice.next(400))
            left -= epoch
            try await live(for: epoch)
        }
        // At the end the network recovers, and everyone sends what is left.
        try await live(for: 0)
        for phone in phones { judge.count(waiting: try await phone.replica.outboxEntries().count { !$0.hasEnded }) }
    }

    /// One run of the house.
    private func live(for operations: Int) async throws {
        let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        for light in 0..<plan.lights { try await house.hub.devices.announce(Self.light(light, at: clock.now)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let services = house.services
            group.addTask { try await services.run() }
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { client in
                try await self.settle(house, client)
                for _ in 0..<operations { try await self.step(house) }
                if operations == 0 { try await self.finish() }
            }
            judge.heard(house.doorBackend.backendCommands)
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private func settle(_ house: TestHouse, _ client: any TestClientProtocol) async throws {
        let line = RouterTransport(client)
        guard phones.isEmpty else { return phones.forEach { $0.transport.connect(to: line) } }
        try await house.claim()
        for number in 0..<plan.phones {
            let phone = try await TestPhone.signedIn(
                to: house, over: client, file: folder.appending(path: "phone-\(number).sqlite"), clock: ManualClock(clock.now))
            phones.append(phone)
            for room in 0..<2 where number == 0 { _ = try await phone.client.rooms.add(RoomBody(name: "Room \(room)")) }
        }
        for phone in phones {
            try await phone.replica.sync()
            phone.transport.replaceIdempotencyKeys(plan.sabotage == .freshNames)
        }
    }

    private func step(_ house: TestHouse) async throws {
        clock.advance(by: Double(dice.next(3)))
        let number = dice.next(phones.count)
        let phone = phones[number]
        phone.clock.advance(by: Double(dice.next(20)))
        phone.transport.setCondition(weather(), only: dice.next(3) == 0 ? [] : [.put])
        switch dice.next(100) {
        case ..<50: try await wish(number, phone)
        case ..<55: try await door(phone)
        case ..<63: try await rename(number, phone)
        case ..<90: try await sync(phone)
        case ..<94: try await decide(phone)
        case ..<97:
            // Killed, and restarted.
            phones[number] = try phone.restarted()
        default: phone.clock.jump(to: clock.now.addingTimeInterval(Double(dice.next(7201) - 3600)))
        }
    }

    private func weather() -> FaultyTransport.Condition {
        switch dice.next(100) {
        case ..<55: .clear
        case ..<75: .unreachable
        case ..<90: .dropsResponses
        case ..<95: .gatewayError(status: 503)
        case ..<98: .gatewayError(status: 500)
        default: plan.sabotage == .answersBeforeCommit ? .forgesResponses : .clear
        }
    }

    // MARK: People's actions

    private func wish(_ number: Int, _ phone: TestPhone) async throws {
        wishes += 1
        let wish = ExactlyOnceChecker.Request(number: wishes, phone: number, light: dice.next(plan.lights))
        // The fade time identifies the command at the light.
        let command = DeviceCommand(
            Self.id(wish.light), dice.next(2) == 0 ? "on" : "off", transitionTime: Double(wish.number),
            key: UUID(uuidString: "00000000-0000-4000-8000-\(String(format: "%012d", wish.number))")?.uuidString.lowercased() ?? "")
        do {
            switch try await phone.replica.control(command) {
            case .completed(.confirmed): judge.acknowledged(wish, by: .house)
            case .completed(.failed): judge.refused(wish)
            case .completed: judge.unsure(wish)
            case .queued: judge.acknowledged(wish, by: .queue(key: command.key))
            }
        } catch is OfflineQueueError {
            judge.refused(wish)
        } catch let error as ClientError {
            try await again(phone, after: error)
            if error.isCertainlyUnsent { judge.refused(wish) } else { judge.unsure(wish) }
        }
    }

    /// A person at the door: it opens now or not at all.
    private func door(_ phone: TestPhone) async throws {
        do {
            if case .queued = try await phone.replica.control(DeviceCommand("front-door", "unlock")) { judge.queuedDoors += 1 }
        } catch is OfflineQueueError {
            judge.refusedDoors += 1
        } catch let error as ClientError {
            try await again(phone, after: error)
        }
    }

    private func rename(_ number: Int, _ phone: TestPhone) async throws {
        let rooms = try await phone.replica.rooms().value.filter { $0.name.hasPrefix("Room") }
        guard !rooms.isEmpty else { return }
        let room = rooms[dice.next(rooms.count)]
        wishes += 1
        do {
            _ = try await phone.replica.edit(
                .init(change: .room(room.roomID, RoomBody(room, named: "Room \(wishes)")), seen: room.version, name: room.name))
        } catch is OfflineQueueError {
            // Blocked: a person must decide first.
        }
    }

    private func sync(_ phone: TestPhone) async throws {
        let report = try await phone.replica.sync()
        if let error = report.stopped { try await again(phone, after: error) }
    }

    private func decide(_ phone: TestPhone) async throws {
        guard let conflict = try await phone.replica.conflicts().first else { return }
        judge.conflicts += 1
        _ = try await phone.replica.resolve(conflict.id, by: dice.next(2) == 0 ? .useLocal : .useRemote)
    }

    /// Signs in again after the session ended.
    private func again(_ phone: TestPhone, after error: ClientError) async throws {
        guard error == .unauthorized else { return }
        phone.transport.setCondition(.clear)
        try await phone.client.sessions.login(username: "owner", password: TestHouse.password)
    }

    private func finish() async throws {
        for phone in phones {
            phone.transport.setCondition(.clear)
            // A failure is final after three tries; nothing waits forever.
            for _ in 0..<5 {
                try await sync(phone)
                while try await !phone.replica.conflicts().isEmpty { try await decide(phone) }
            }
            for entry in try await phone.replica.outboxEntries() { judge.left(entry) }
        }
    }

    private static func id(_ light: Int) -> String { "light-\(light)" }

    private static func light(_ number: Int, at now: Date) -> Device {
        Device(
            id: id(number), name: "Light \(number)", deviceClass: .light, integration: "scripted", status: .online, stateChangedAt: now,
            entities: [
                Entity(id: "light.light_\(number)", kind: .light, name: "Light \(number)", verbs: [.on, .off], state: EntityState("off"))
            ])
    }
}

extension OutboxEntry {
    var hasEnded: Bool { if case .ended = status { true } else { false } }
}

/// Compares the answers that people got with the commands that the lights got. It does not know how either came about.
struct ExactlyOnceChecker {
    struct Request: Hashable {
        let number: Int
        let phone: Int
        let light: Int
    }

    enum Acknowledgement: Hashable {
        case house
        case queue(key: String)
    }

    private(set) var acknowledged: [Request: Acknowledgement] = [:]
    private(set) var refusals: Set<Int> = []
    private(set) var unsure: Set<Int> = []
    /// The commands in the order in which the lights got them.
    private(set) var heard: [Int] = []
    private var endings: [String: OutboxOutcome.Kind] = [:]
    private(set) var waiting = 0
    var queuedDoors = 0
    var refusedDoors = 0
    var conflicts = 0

    mutating func acknowledged(_ wish: Request, by acknowledgement: Acknowledgement) { acknowledged[wish] = acknowledgement }
    mutating func refused(_ wish: Request) { refusals.insert(wish.number) }
    mutating func unsure(_ wish: Request) { unsure.insert(wish.number) }
    mutating func heard(_ backendCommands: [BackendCommand]) {
        heard += backendCommands.compactMap { $0.transition.map { Int(($0 * 1000).rounded()) } }
    }
    mutating func count(waiting: Int) { self.waiting += waiting }

    mutating func left(_ entry: OutboxEntry) {
        if case .ended(let ending) = entry.status { endings[entry.id] = ending.kind }
    }

    private var counts: [Int: Int] { heard.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    /// Commands that a light got more than once.
    var duplicates: [Int] { counts.filter { $0.value > 1 }.keys.sorted() }

    /// Commands reported as done or queued that were neither done nor reported as failed.
    var losses: [Int] {
        let counts = counts
        return acknowledged.filter { wish, acknowledgement in
            guard counts[wish.number] == nil else { return false }
            guard case .queue(let key) = acknowledgement else { return true }
            return endings[key] == nil
        }.map(\.key.number).sorted()
    }

    /// Commands that were refused or reported as too late, and done all the same.
    var done: [Int] {
        let counts = counts
        let ended = acknowledged.filter { _, acknowledgement in
            if case .queue(let key) = acknowledgement { endings[key] == .expired } else { false }
        }.map(\.key.number)
        return (refusals.union(ended)).filter { counts[$0] != nil }.sorted()
    }

    /// Commands of one phone to one light that arrived after a later one.
    var outOfOrder: [Int] {
        let known = Dictionary(acknowledged.keys.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var last: [[Int]: Int] = [:]
        return heard.compactMap { number -> Int? in
            guard let wish = known[number] else { return nil }
            defer { last[[wish.phone, wish.light]] = max(number, last[[wish.phone, wish.light]] ?? 0) }
            return number < (last[[wish.phone, wish.light]] ?? 0) ? number : nil
        }
    }
}
