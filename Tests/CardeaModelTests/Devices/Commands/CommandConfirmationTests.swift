import CardeaModel
import Testing

@Suite("Confirmation of commands")
struct CommandConfirmationTests {
    private func judge(_ verb: Verb, _ kind: EntityKind, _ state: String, value: JSONValue? = nil, _ attributes: [String: JSONValue] = [:])
        -> CardeaModel.CommandConfirmation
    {
        CardeaModel.CommandConfirmation.evaluate(verb, value: value, kind: kind, state: EntityState(state, attributes: attributes))
    }

    @Test("A lock command is confirmed by the final state and not by a transition")
    func lock() {
        #expect(judge(.unlock, .lock, "unlocking") == .pending)
        #expect(judge(.unlock, .lock, "unlocked") == .confirmed)
        #expect(judge(.unlock, .lock, "open") == .confirmed)
        #expect(judge(.unlock, .lock, "jammed") == .failed(reason: "jammed"))
        #expect(judge(.open, .lock, "unlocked") == .confirmed)
        #expect(judge(.lock, .lock, "unlocked") == .pending)
        #expect(judge(.lock, .lock, "locked") == .confirmed)
        #expect(judge(.lock, .lock, "jammed") == .failed(reason: "jammed"))
    }

    @Test("A cover command is confirmed by its position")
    func cover() {
        #expect(judge(.open, .cover, "opening") == .moving)
        #expect(judge(.open, .cover, "open") == .confirmed)
        #expect(judge(.close, .cover, "closed") == .confirmed)
        #expect(judge(.close, .cover, "open") == .pending)
        #expect(judge(.stop, .cover, "opening") == .pending)
        #expect(judge(.stop, .cover, "stopped") == .confirmed)
        #expect(judge(.setPosition, .cover, "open", value: 40, ["position": 41]) == .confirmed)
        #expect(judge(.setPosition, .cover, "open", value: 40, ["position": 60]) == .pending)
        #expect(judge(.setPosition, .cover, "open", value: 40) == .pending)
        #expect(judge(.setTilt, .cover, "open", value: 40, ["tilt": 40]) == .confirmed)
    }

    @Test("A cover is moving when its state or position approaches the target, and not otherwise")
    func way() {
        func judge(_ verb: Verb, _ word: String, value: JSONValue? = nil, from: Double? = nil, to: Double? = nil)
            -> CardeaModel.CommandConfirmation
        {
            func state(_ word: String, _ position: Double?) -> EntityState {
                EntityState(word, attributes: position.map { ["position": .number($0)] } ?? [:])
            }
            return .evaluate(verb, value: value, kind: .cover, state: state(word, to), before: state("closed", from))
        }
        #expect(judge(.close, "closing") == .moving && judge(.close, "opening") == .pending && judge(.open, "closing") == .pending)
        #expect(judge(.open, "stopped") == .pending)
        #expect(judge(.setPosition, "opening", value: 40) == .moving && judge(.setPosition, "closing", value: 40) == .moving)
        #expect(
            judge(.setPosition, "opening", value: 40, to: 10) == .moving && judge(.setPosition, "opening", value: 40, to: 60) == .pending)
        #expect(
            judge(.setPosition, "closing", value: 40, to: 60) == .moving && judge(.setPosition, "closing", value: 40, to: 10) == .pending)
        // Many blinds do not report stopping: they report "open" and another position.
        #expect(judge(.setPosition, "open", value: 40, from: 100, to: 80) == .moving)
        #expect(judge(.setPosition, "open", value: 40, from: 80, to: 100) == .pending)
        #expect(judge(.close, "open", from: 100, to: 80) == .moving && judge(.close, "open", from: 80, to: 80) == .pending)
        #expect(judge(.setPosition, "open", value: 40, to: 80) == .pending && judge(.setPosition, "opening", value: nil) == .pending)
        #expect(judge(.stop, "closing") == .pending && judge(.setTilt, "opening", value: 40) == .pending)
    }

    @Test("A cover is confirmed only at its target for random states, and a lock is never moving")
    func anything() {
        var random = SeededGenerator.forTest(6)
        let words = ["open", "closed", "opening", "closing", "stopped", "unknown", "jammed", "unlocking", "locked", "unlocked"]
        for _ in 0..<20_000 {
            let (word, before) = (words.randomElement(using: &random) ?? "", words.randomElement(using: &random) ?? "")
            let position: JSONValue? = Bool.random(using: &random) ? JSONValue.number(.random(in: -50...150, using: &random)) : nil
            let earlier: JSONValue? = Bool.random(using: &random) ? JSONValue.number(.random(in: -50...150, using: &random)) : nil
            let state = EntityState(word, attributes: position.map { ["position": $0] } ?? [:])
            let was = EntityState(before, attributes: earlier.map { ["position": $0] } ?? [:])
            #expect(
                (CardeaModel.CommandConfirmation.evaluate(.open, value: nil, kind: .cover, state: state, before: was) == .confirmed)
                    == (word == "open"), "seed \(random.seed)")
            #expect(
                (CardeaModel.CommandConfirmation.evaluate(.close, value: nil, kind: .cover, state: state, before: was) == .confirmed)
                    == (word == "closed"), "seed \(random.seed)")
            for verb in [Verb.lock, .unlock, .open] {
                #expect(
                    CardeaModel.CommandConfirmation.evaluate(verb, value: nil, kind: .lock, state: state, before: was) != .moving,
                    "seed \(random.seed)")
            }
        }
    }

    @Test("Light, fan and climate commands are confirmed by their value")
    func values() {
        #expect(judge(.on, .light, "on") == .confirmed)
        #expect(judge(.on, .light, "off") == .pending)
        #expect(judge(.setColor, .light, "on", value: ["hue": 120, "saturation": 50], ["color": ["hue": 120]]) == .pending)
        #expect(judge(.off, .switch, "on") == .pending)
        #expect(judge(.off, .switch, "off") == .confirmed)
        #expect(judge(.setBrightness, .light, "on", value: 40, ["brightness": 40]) == .confirmed)
        #expect(judge(.setPercentage, .fan, "on", value: 40, ["percentage": 33]) == .pending)
        #expect(judge(.setTemperature, .climate, "heat", value: 21.5, ["target_temperature": 21.5]) == .confirmed)
        #expect(judge(.on, .climate, "heat") == .confirmed)
        #expect(judge(.on, .climate, "off") == .pending)
        #expect(judge(.off, .climate, "off") == .confirmed)
        #expect(judge(.setColor, .light, "on", value: ["temperature": 2700], ["color": ["temperature": 2750]]) == .confirmed)
        #expect(
            judge(.setColor, .light, "on", value: ["hue": 10, "saturation": 50], ["color": ["hue": 80, "saturation": 50]]) == .pending)
        #expect(judge(.setColor, .light, "on", value: ["hue": 10, "saturation": 50]) == .pending)
        #expect(judge(.setBrightness, .light, "off", value: 0) == .confirmed)
        #expect(judge(.setPercentage, .fan, "off", value: 0) == .confirmed)
        #expect(judge(.setBrightness, .light, "off", value: 40) == .pending)
        #expect(judge(.press, .button, "unknown") == .pending)
    }

    @Test("A command that the entity does not support is never confirmed", arguments: ["on", "off", "open", "pressed", "locked"])
    func never(state: String) {
        #expect(judge(.setTilt, .light, state, value: 40, ["tilt": 40]) == .pending)
        #expect(judge(.play, .switch, state, ["playback": "playing"]) == .pending)
        #expect(judge(.press, .lock, state) == .pending)
        #expect(judge(.read, .sensor, state) == .pending)
    }

    @Test("Media commands are confirmed by the reported playback, volume or mode")
    func media() {
        #expect(judge(.play, .media, "on", ["playback": "buffering"]) == .pending)
        #expect(judge(.play, .media, "on", ["playback": "playing"]) == .confirmed)
        #expect(judge(.pause, .media, "on", ["playback": "playing"]) == .pending)
        #expect(judge(.pause, .media, "on", ["playback": "paused"]) == .confirmed)
        #expect(judge(.pause, .media, "on", ["playback": "idle"]) == .confirmed)
        #expect(judge(.pause, .media, "off") == .pending)
        #expect(judge(.setVolume, .media, "on", value: 30, ["volume": 30]) == .confirmed)
        #expect(
            judge(.setMode, .climate, "cool", value: "cool") == .confirmed && judge(.setMode, .climate, "heat", value: "cool") == .pending)
        #expect(judge(.setVolume, .media, "on", value: 30, ["volume": 60]) == .pending)
        #expect(judge(.setVolume, .media, "off", value: 30) == .pending)
        #expect(judge(.on, .media, "on", ["playback": "idle"]) == .confirmed)
        #expect(judge(.off, .media, "off", ["standby": true]) == .confirmed)
    }
}
