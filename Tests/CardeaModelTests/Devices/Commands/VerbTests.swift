import CardeaModel
import Testing

@Suite("Verbs and their values")
struct VerbTests {
    @Test("Dotted action names map to a kind and a verb, and `door.open` to unlock")
    func dotted() throws {
        #expect(try #require(ActionName("door.open")).verb == .unlock)
        #expect(try #require(ActionName("door.unlock")).verb == .unlock)
        #expect(try #require(ActionName("garage.open")).kinds == [.cover])
        #expect(try #require(ActionName("light.setBrightness")).verb == .setBrightness)
        #expect(try #require(ActionName("sensor.read")).verb == .read)
        for name in ["light.toggle", "door", "door.open.now", "", ".", "door.", "door.on", "window.open", "light.open"] {
            #expect(ActionName(name) == nil, "\(name)")
        }
    }

    @Test("Both spellings of a verb map to one verb")
    func verbs() {
        for verb in Verb.allCases { #expect(Verb(named: verb.rawValue) == verb) }
        #expect(Verb(named: "setBrightness") == .setBrightness)
        #expect(Verb(named: "toggle") == nil)
    }

    @Test("A value that does not suit its verb is refused")
    func values() {
        #expect(Verb.setBrightness.value.normalized(40) == .some(40))
        #expect(Verb.setBrightness.value.normalized(40.04) == .some(40))
        #expect(Verb.setBrightness.value.normalized(101) == nil)
        #expect(Verb.setBrightness.value.normalized("40") == nil)
        #expect(Verb.setBrightness.value.normalized(nil) == nil)
        #expect(Verb.unlock.value.normalized(nil) == .some(nil))
        #expect(Verb.unlock.value.normalized(1) == nil)
        #expect(Verb.setColor.value.normalized(["hue": 10, "saturation": 20]) == .some(["hue": 10, "saturation": 20]))
        #expect(Verb.setColor.value.normalized(["temperature": 2700]) == .some(["temperature": 2700]))
        #expect(Verb.setColor.value.normalized(["temperature": 2700, "hue": 1]) == nil)
        #expect(Verb.setColor.value.normalized(["hue": 400, "saturation": 20]) == nil)
        #expect(Verb.setMode.value.normalized("fan_only") == .some("fan_only") && Verb.setMode.value.normalized("dance") == nil)
    }

    @Test("Opening has the open risk on locks and garages, and the control risk on blinds")
    func risks() {
        let lock = Entity(id: "lock.a", kind: .lock, name: "a", verbs: [.lock, .unlock])
        let garage = Entity(id: "cover.a", kind: .cover, name: "a", deviceClass: "garage", verbs: [.open, .setPosition])
        let blind = Entity(id: "cover.b", kind: .cover, name: "b", deviceClass: "blind", verbs: [.open])
        #expect(lock.risk(of: .unlock) == .open && lock.risk(of: .lock) == .control && lock.risk(of: .read) == .read)
        #expect(garage.risk(of: .open) == .open && garage.risk(of: .setPosition) == .open && garage.risk(of: .close) == .control)
        #expect(blind.risk(of: .open) == .control && !blind.isWayIn)
        #expect(lock.resolve(.open) == .unlock)
        var latch = lock
        latch.verbs.insert(.open)
        #expect(latch.resolve(.open) == .open)
        #expect(blind.resolve(.unlock) == nil)
    }
}
