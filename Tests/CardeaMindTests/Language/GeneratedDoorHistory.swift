import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation

/// A day at a front door: opened by guest, resident, tag, automation and key, refused, unreachable and back, as the history has it.
struct GeneratedDoorHistory {
    static let (device, lock) = ("front-door", "lock.front_door")
    static let midnight = RecordedHouse.moment(0, "00:00")
    static let now = RecordedHouse.moment(0, "23:30")
    static let ben = "person:ben"
    static let greta = "guest:greta"
    /// Cleo's use of a tag is recorded as hers.
    private static let actors = [ben, greta, "person:cleo", "token:t1:ben", "automation:a1:cleo"]

    private(set) var events: [HouseEvent] = []
    /// The door's last report and its time; while it is unreachable its state may differ.
    private(set) var lockState = "locked"
    private(set) var stateAt = RecordedHouse.moment(-1, "12:00")
    private(set) var lostAt: Date?
    private(set) var outages: [(from: Date, to: Date?)] = []
    private(set) var isErased = false
    private var isOpen = false
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
        addEvent(stateAt, .state("locked"))
        generateEvent()
        if let lostAt { outages.append((from: lostAt, to: nil)) }
        isErased = randomBool(10)
        if isErased {
            events = events.map { one in
                var one = one
                if one.actor == Self.ben { one.actor = nil }
                return one
            }
        }
        events = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.enumerated().map {
            number, one in
            let one = one.element
            return HouseEvent(
                id: "happening_\(number + 1)", at: one.at, deviceID: one.deviceID, entityID: one.entityID, actor: one.actor, fact: one.fact)
        }
    }

    private mutating func generateEvent() {
        var at = Self.midnight + 600
        for _ in 0..<Int.random(in: 0...25, using: &random) {
            at += Double(Int.random(in: 150...5400, using: &random))
            guard at < Self.now - 600 else { return }
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: addCommands(at)
            case 4, 5: addManualChange(at, opens: true)
            case 6, 7: addManualChange(at, opens: false)
            case 8: addRefusal(at)
            default: if lostAt == nil { disconnect(at) } else { reconnect(at) }
            }
        }
    }

    /// One press, or several at once. All are confirmed; an open door reports nothing.
    private mutating func addCommands(_ at: Date) {
        guard lostAt == nil else { return addRefusal(at) }
        let presses = randomBool(25) ? 3 : randomBool(25) ? 2 : 1
        var who = randomActor()
        for number in 0..<presses {
            who = number > 0 && randomBool(30) ? who : randomActor()
            addEvent(at + Double(number * 2), .command(randomBool(50) ? .unlock : .open, .confirmed, refusal: nil), by: who)
        }
        guard !isOpen else { return }
        isOpen = true
        addState("unlocked", at + Double(presses * 2 + Int.random(in: 0...6, using: &random)), by: randomBool(50) ? who : nil)
    }

    /// A key at the lock, without a command. A change while the door is unreachable is reported on its return, if at all.
    private mutating func addManualChange(_ at: Date, opens: Bool) {
        guard isOpen != opens else { return }
        isOpen = opens
        if lostAt == nil { addState(opens ? "unlocked" : "locked", at) }
    }

    private mutating func addRefusal(_ at: Date) {
        let facts: [HouseEvent.Fact] = [
            .command(.unlock, .failed, refusal: "outside_hours"), .command(.unlock, .failed, refusal: nil),
            .command(.open, .unknown, refusal: nil), .command(.unlock, .expired, refusal: nil),
        ]
        addEvent(at, facts[Int.random(in: 0..<facts.count, using: &random)], by: randomActor())
    }

    private mutating func disconnect(_ at: Date) {
        lostAt = at
        addEvent(at, .deviceStatus(randomBool(50) ? .offline : .unknown))
    }

    private mutating func reconnect(_ at: Date) {
        guard let lost = lostAt else { return }
        outages.append((from: lost, to: at))
        lostAt = nil
        let isFirst = randomBool(50)
        if isFirst { addEvent(at, .deviceStatus(.online)) }
        if (lockState == "unlocked") != isOpen { addState(isOpen ? "unlocked" : "locked", at) }
        if !isFirst { addEvent(at, .deviceStatus(.online)) }
    }

    private mutating func addState(_ value: String, _ at: Date, by actor: String? = nil) {
        (lockState, stateAt) = (value, at)
        addEvent(at, .state(value), by: actor)
    }

    private mutating func addEvent(_ at: Date, _ fact: HouseEvent.Fact, by actor: String? = nil) {
        let entity = fact.kind == .standing ? nil : Self.lock
        events.append(HouseEvent(id: "", at: at, deviceID: Self.device, entityID: entity, actor: actor, fact: fact))
    }

    private mutating func randomBool(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    private mutating func randomActor() -> String { Self.actors[Int.random(in: 0..<Self.actors.count, using: &random)] }

    // MARK: The house

    var house: HouseSnapshot {
        var front = Entity(id: Self.lock, kind: .lock, name: "Front door", verbs: [.lock, .unlock], state: EntityState(lockState))
        if lostAt != nil {
            front.state = EntityState()
            front.lastReport = LastReport(EntityState(lockState), at: stateAt)
        }
        let back = Entity(id: "lock.back_door", kind: .lock, name: "Back door", verbs: [.lock, .unlock], state: EntityState("locked"))
        return HouseSnapshot(
            name: "Home", zone: RecordedHouse.calendar.timeZone,
            devices: [
                Device(
                    id: Self.device, name: "Front door", deviceClass: .security, integration: "virtual",
                    status: lostAt == nil ? .online : .unknown, stateChangedAt: stateAt, entities: [front]),
                Device(
                    id: "back-door", name: "Back door", deviceClass: .security, integration: "virtual", status: .online,
                    stateChangedAt: stateAt, entities: [back]),
            ],
            people: [
                Inhabitant(key: "person:ada", name: "Ada"), Inhabitant(key: Self.ben, name: "Ben"),
                Inhabitant(key: "person:cleo", name: "Cleo"),
            ], guests: [Inhabitant(key: Self.greta, name: "Greta")])
    }

    // MARK: The record, read independently

    struct ExpectedOpening: Hashable {
        let at: Date
        let actor: String?
        /// The beginning of the gap that contains it, where only the door's return is known.
        var notBefore: Date?
    }

    /// Each confirmed command, and each change to unlocked that no command since the last lock explains.
    var openings: [ExpectedOpening] {
        let askings = events.filter { one in
            guard case .command(let verb, .confirmed, _) = one.fact else { return false }
            return verb == .open || verb == .unlock
        }
        let states = events.filter { $0.fact.kind == .state }
        var moments = Dictionary(uniqueKeysWithValues: askings.map { ($0.id, $0.at) })
        var found: [ExpectedOpening] = []
        for (before, change) in zip(states, states.dropFirst()) where change.fact == .state("unlocked") {
            let asking = askings.last { $0.at > before.at && $0.at <= change.at && change.at.timeIntervalSince($0.at) <= 120 }
            if let asking {
                moments[asking.id] = change.at
            } else {
                found.append(
                    ExpectedOpening(at: change.at, actor: nil, notBefore: outages.first { $0.to == change.at }?.from))
            }
        }
        found += askings.map { ExpectedOpening(at: moments[$0.id] ?? $0.at, actor: $0.actor) }
        return found.sorted { $0.at < $1.at }
    }

    /// Returns whether there is a command to open with an unknown result: by any person, or by one of `actors`.
    func isUnclear(by actors: Set<String>? = nil) -> Bool {
        events.contains { one in
            guard case .command(.open, .unknown, _) = one.fact else { return false }
            return one.actor.map { actors?.contains($0) ?? true } ?? true
        }
    }
}
