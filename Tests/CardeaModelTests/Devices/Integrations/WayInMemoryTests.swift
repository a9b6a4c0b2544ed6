import CardeaModel
import Testing

@Suite("Remembered configuration of doors")
struct WayInMemoryTests {
    private let first = EntityCommandTopics(
        opening: ["command_topic": "door/set", "payload_unlock": "UNLOCK"], harmless: ["payload_lock": "LOCK"], topics: ["door/set"])
    private let second = EntityCommandTopics(
        opening: ["command_topic": "side/set", "payload_unlock": "UNLOCK"], harmless: ["payload_lock": "LOCK"], topics: ["side/set"])
    private let swapped = EntityCommandTopics(
        opening: ["command_topic": "door/set", "payload_unlock": "UNLOCK"], harmless: ["payload_lock": "UNLOCK"], topics: ["door/set"])
    private let other = WayInMemory.Holder(entityID: "lock.side", isSecurity: true)

    private func lock() throws -> WayInMemory {
        try #require(WayInMemory(isOwn: true, isSecurity: false, wiring: first, holder: nil))
    }

    private func hear(
        _ memory: inout WayInMemory, _ wiring: EntityCommandTopics?, isOwn: Bool = true, holder: WayInMemory.Holder? = nil
    ) {
        memory.update(wiring, isOwn: isOwn, isSecurity: false) { holder }
    }

    @Test("An entity that is no door and shares no door's topic is not remembered")
    func stranger() {
        #expect(WayInMemory(isOwn: false, isSecurity: true, wiring: first, holder: nil) == nil)
    }

    @Test("A door stays a door when it is announced as another kind")
    func stays() throws {
        var memory = try lock()
        hear(&memory, first, isOwn: false)
        #expect(memory.restrictions == WayInRestrictions(isHeld: true) && !memory.restrictions.isClosed && memory.holdsTopics)
    }

    @Test("Changed topics or payloads close a door, and the first ones reopen it")
    func rewired() throws {
        var memory = try lock()
        hear(&memory, second)
        #expect(memory.restrictions.isRewired && memory.restrictions.isClosed)
        #expect(memory.topics == ["door/set", "side/set"])
        hear(&memory, first)
        #expect(!memory.restrictions.isClosed)
    }

    @Test("A configuration recorded later counts as the first one")
    func learnt() throws {
        var memory = try #require(WayInMemory(isOwn: true, isSecurity: false, wiring: nil, holder: nil))
        hear(&memory, first, holder: other)
        #expect(memory.wiring == first && !memory.restrictions.isClosed)
        hear(&memory, nil)
        #expect(memory.wiring == first)
    }

    @Test("An entity on another's topic is as restricted as that one")
    func shares() throws {
        var memory = try lock()
        hear(&memory, second, holder: other)
        #expect(memory.restrictions.shares == "lock.side" && memory.restrictions.isSecurity)
        let lamp = try #require(WayInMemory(isOwn: false, isSecurity: false, wiring: first, holder: other))
        #expect(lamp.restrictions.isHeld && lamp.restrictions.isClosed && lamp.restrictions.isSecurity && !lamp.holdsTopics)
    }

    @Test("Confirming the same door reopens it with the announced configuration")
    func confirmed() throws {
        var memory = try lock()
        hear(&memory, second, holder: other)
        memory.confirm()
        #expect(memory.wiring == second && memory.announced == nil && !memory.restrictions.isClosed && memory.restrictions.isHeld)
        hear(&memory, first)
        #expect(memory.restrictions.isRewired)
    }

    @Test("A released entity is restricted again when its announced topics change")
    func released() throws {
        var lamp = try #require(WayInMemory(isOwn: false, isSecurity: false, wiring: first, holder: other))
        lamp.release()
        #expect(lamp.restrictions == WayInRestrictions())
        hear(&lamp, first, isOwn: false, holder: other)
        #expect(lamp.restrictions == WayInRestrictions())
        hear(&lamp, second, isOwn: false)
        #expect(lamp.restrictions.isHeld && lamp.restrictions.isRewired)
    }

    @Test("Locking with changed payloads counts as opening and closes nothing")
    func swappedWords() throws {
        var memory = try lock()
        hear(&memory, swapped)
        #expect(memory.restrictions.hasChangedCommands && !memory.restrictions.isClosed)
        let entity = Entity(id: "lock.door", kind: .lock, name: "Door", hold: memory.restrictions, verbs: [.lock, .unlock])
        #expect(entity.risk(of: .lock) == .open && entity.risk(of: .read) == .read)
    }

    @Test("All verbs of a door except lock, close and stop count as opening")
    func risks() {
        let held = WayInRestrictions(isHeld: true)
        let shade = Entity(
            id: "cover.garage", kind: .cover, name: "Garage", deviceClass: "shade", hold: held,
            verbs: [.open, .close, .stop, .setPosition, .setTilt])
        #expect(shade.isWayIn && !shade.isDeclaredWayIn)
        #expect(Set(shade.verbs.filter { shade.risk(of: $0) == .open }) == [.open, .setPosition, .setTilt])
        let lamp = Entity(id: "light.lamp", kind: .light, name: "Lamp", hold: held, verbs: [.on, .off])
        #expect(lamp.verbs.allSatisfy { lamp.risk(of: $0) == .open })
        let alarm = Entity(id: "alarm_control_panel.home", kind: .alarm, name: "Home", verbs: [.arm, .disarm, .trigger])
        #expect(Set(alarm.verbs.filter { alarm.risk(of: $0) == .open }) == [.disarm])
    }

    @Test("The journal's text of restrictions parses back to the same value")
    func words() {
        let hold = WayInRestrictions(isHeld: true, isSecurity: true, shares: "lock.side", isRewired: true, hasOtherOrders: true)
        #expect(WayInRestrictions(words: hold.storedText) == hold)
        #expect(WayInRestrictions(words: WayInRestrictions().storedText) == WayInRestrictions())
    }
}
