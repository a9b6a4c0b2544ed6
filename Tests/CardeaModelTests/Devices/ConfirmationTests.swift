import CardeaModel
import Testing

@Suite("Asked is not done")
struct ConfirmationTests {
    private func judge(_ verb: Verb, _ kind: EntityKind, _ state: String, value: JSONValue? = nil, _ attributes: [String: JSONValue] = [:])
        -> CardeaModel.Confirmation
    {
        CardeaModel.Confirmation.judge(verb, value: value, kind: kind, state: EntityState(state, attributes: attributes))
    }

    @Test("A lock is open when it says so, not when it is on its way")
    func lock() {
        #expect(judge(.unlock, .lock, "unlocking") == .notYet)
        #expect(judge(.unlock, .lock, "unlocked") == .confirmed)
        #expect(judge(.unlock, .lock, "open") == .confirmed)
        #expect(judge(.unlock, .lock, "jammed") == .failed(reason: "jammed"))
        #expect(judge(.open, .lock, "unlocked") == .confirmed)
        #expect(judge(.lock, .lock, "unlocked") == .notYet)
        #expect(judge(.lock, .lock, "locked") == .confirmed)
        #expect(judge(.lock, .lock, "jammed") == .failed(reason: "jammed"))
    }

    @Test("A cover is where it says it is")
    func cover() {
        #expect(judge(.open, .cover, "opening") == .notYet)
        #expect(judge(.open, .cover, "open") == .confirmed)
        #expect(judge(.close, .cover, "closed") == .confirmed)
        #expect(judge(.close, .cover, "open") == .notYet)
        #expect(judge(.stop, .cover, "opening") == .notYet)
        #expect(judge(.stop, .cover, "stopped") == .confirmed)
        #expect(judge(.setPosition, .cover, "open", value: 40, ["position": 41]) == .confirmed)
        #expect(judge(.setPosition, .cover, "open", value: 40, ["position": 60]) == .notYet)
        #expect(judge(.setPosition, .cover, "open", value: 40) == .notYet)
        #expect(judge(.setTilt, .cover, "open", value: 40, ["tilt": 40]) == .confirmed)
    }

    @Test("Lights, fans and heating answer with their value")
    func values() {
        #expect(judge(.on, .light, "on") == .confirmed)
        #expect(judge(.on, .light, "off") == .notYet)
        #expect(judge(.setColor, .light, "on", value: ["hue": 120, "saturation": 50], ["color": ["hue": 120]]) == .notYet)
        #expect(judge(.off, .switch, "on") == .notYet)
        #expect(judge(.off, .switch, "off") == .confirmed)
        #expect(judge(.setBrightness, .light, "on", value: 40, ["brightness": 40]) == .confirmed)
        #expect(judge(.setPercentage, .fan, "on", value: 40, ["percentage": 33]) == .notYet)
        #expect(judge(.setTemperature, .climate, "heat", value: 21.5, ["target_temperature": 21.5]) == .confirmed)
        #expect(judge(.on, .climate, "heat") == .confirmed)
        #expect(judge(.on, .climate, "off") == .notYet)
        #expect(judge(.off, .climate, "off") == .confirmed)
        #expect(judge(.setColor, .light, "on", value: ["temperature": 2700], ["color": ["temperature": 2750]]) == .confirmed)
        #expect(judge(.setColor, .light, "on", value: ["hue": 10, "saturation": 50], ["color": ["hue": 80, "saturation": 50]]) == .notYet)
        #expect(judge(.setColor, .light, "on", value: ["hue": 10, "saturation": 50]) == .notYet)
        #expect(judge(.setBrightness, .light, "off", value: 0) == .confirmed)
        #expect(judge(.setPercentage, .fan, "off", value: 0) == .confirmed)
        #expect(judge(.setBrightness, .light, "off", value: 40) == .notYet)
        #expect(judge(.press, .button, "unknown") == .notYet)
    }

    @Test("A speaker plays when it says that it plays")
    func media() {
        #expect(judge(.play, .media, "on", ["playback": "buffering"]) == .notYet)
        #expect(judge(.play, .media, "on", ["playback": "playing"]) == .confirmed)
        #expect(judge(.pause, .media, "on", ["playback": "playing"]) == .notYet)
        #expect(judge(.pause, .media, "on", ["playback": "paused"]) == .confirmed)
        #expect(judge(.pause, .media, "on", ["playback": "idle"]) == .confirmed)
        #expect(judge(.pause, .media, "off") == .notYet)
        #expect(judge(.setVolume, .media, "on", value: 30, ["volume": 30]) == .confirmed)
        #expect(judge(.setVolume, .media, "on", value: 30, ["volume": 60]) == .notYet)
        #expect(judge(.setVolume, .media, "off", value: 30) == .notYet)
        #expect(judge(.on, .media, "on", ["playback": "idle"]) == .confirmed)
    }
}
