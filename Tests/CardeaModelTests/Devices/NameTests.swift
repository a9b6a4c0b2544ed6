import CardeaModel
import Testing

@Suite("Names, verbs and values")
struct NameTests {
    @Test("Ordinary names are accepted in any script", arguments: ["Dad's lamp", "玄関", "قفل", "Žofie (2)", "🚪 Front", "é"])
    func accepted(name: String) throws {
        #expect(try Name.check("  \(name) ") == name.precomposed)
    }

    @Test("Empty, oversized and invisible names are refused, each with its own error")
    func refused() {
        #expect(throws: Name.NameError.empty) { try Name.check(" \n ") }
        #expect(throws: Name.NameError.tooLong) { try Name.check(String(repeating: "a", count: 101)) }
        #expect(throws: Name.NameError.tooLong) { try Name.check("a" + String(repeating: "\u{301}", count: 2000)) }
        #expect(throws: Name.NameError.invalidCharacters) { try Name.check("a\u{202E}b") }
        #expect(throws: Name.NameError.invalidCharacters) { try Name.check("a\u{0}b") }
        #expect(throws: Name.NameError.invalidCharacters) { try Name.check("a\u{E000}b") }
    }

    @Test("Flag emoji with tag characters are accepted, and tag characters elsewhere are refused")
    func flags() throws {
        let scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
        let tags = String(String.UnicodeScalarView(scotland.unicodeScalars.dropFirst()))

        #expect(try Name.check("Cottage \(scotland)\(scotland)") == "Cottage \(scotland)\(scotland)")
        #expect(try Name.checkDescription(scotland) == scotland)
        #expect(Name.cleaned("\(scotland) Cottage\(tags)", else: "House") == "\(scotland) Cottage")
        let long = "\u{1F3F4}" + String(repeating: "\u{E0067}", count: 8) + "\u{E007F}"
        let endless = String(String.UnicodeScalarView(scotland.unicodeScalars.dropLast()))
        let none = "\u{1F3F4}\u{E007F}"
        for hidden in ["a\(tags)", tags, scotland + tags, "\u{1F3F4}\u{200D}\(tags)", "🇩🇪\(tags)", long, endless, endless + "a", none] {
            #expect(throws: Name.NameError.invalidCharacters) { try Name.check(hidden) }
        }
        for steering in ["\u{202E}", "\u{2066}", "\u{7}", "\u{E0001}"] {
            #expect(throws: Name.NameError.invalidCharacters) { try Name.check(scotland + steering) }
        }
    }

    @Test("Names from integrations are cleaned instead of refused")
    func cleaned() {
        #expect(Name.cleaned("a\u{202E}\u{0}b", else: "Lock") == "ab")
        #expect(Name.cleaned("\u{0}", else: "Lock") == "Lock")
        #expect(Name.cleaned(String(repeating: "x", count: 500), else: "Lock").count == 100)
    }

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

    @Test("Identifiers are derived from names")
    func slugs() {
        #expect(Slug.make("Front Door") == "front-door")
        #expect(Slug.make("Ötzi's  Tür!", separator: "_") == "tzi_s_t_r")
        #expect(Slug.make("玄関") == nil)
    }
}

extension String {
    fileprivate var precomposed: String { String(unicodeScalars) }
}
