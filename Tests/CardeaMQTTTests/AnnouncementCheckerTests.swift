import CardeaHub
import CardeaModel
import Testing

@testable import CardeaMQTT

@Suite("Announcement check without a broker")
struct AnnouncementCheckerTests {
    @Test("A lock shows its actions, its state topics and its command topics")
    func lock() throws {
        let check = try AnnouncementChecker.check(AnnouncedLock.config, at: AnnouncedLock.topic)

        let checked = try #require(check.entities.first)
        #expect(checked.entity.id == "lock.back_door" && checked.entity.kind == .lock && checked.device == "Back Door")
        #expect(checked.entity.verbs == [.lock, .unlock])
        #expect(checked.reads == ["home/back_door/available", "home/back_door/state"])
        #expect(checked.writes == ["home/back_door/set"])
        #expect(check.omissions.isEmpty)
    }

    @Test("A device announcement needs no topic; every other announcement does")
    func topics() throws {
        let bundle =
            #"{"dev": {"ids": "d", "name": "Den"}, "cmps": {"a": {"p": "siren", "cmd_t": "c"}, "b": {"p": "switch", "cmd_t": "c"}}}"#

        let check = try AnnouncementChecker.check(bundle, at: nil)
        #expect(check.entities.map(\.entity.kind) == [.switch])
        #expect(check.omissions.map(\.component) == ["siren"])
        #expect(try AnnouncementChecker.check(#"{"cmd_t": "c"}"#, at: "home/ha/switch/x/config").entities.count == 1)
        #expect(try AnnouncementChecker.check(#"{"cmd_t": "c"}"#, at: "ha/switch/node/x/config").entities.count == 1)
        #expect(throws: IntegrationSettingsError.self) { try AnnouncementChecker.check(#"{"cmd_t": "c"}"#, at: nil) }
        #expect(throws: IntegrationSettingsError.self) { try AnnouncementChecker.check(#"{"cmd_t": "c"}"#, at: "switch/x") }
        #expect(throws: IntegrationSettingsError.self) { try AnnouncementChecker.check("", at: AnnouncedLock.topic) }
    }

    @Test("Input that is no announcement is reported as such")
    func broken() throws {
        let check = try AnnouncementChecker.check("LOCKED", at: AnnouncedLock.topic)

        #expect(check.entities.isEmpty)
        #expect(check.omissions.map(\.reason) == ["The announcement is not JSON."])
    }

    @Test("A light with several topics shows all of them")
    func light() throws {
        let config = #"{"name": "Lamp", "cmd_t": "on", "bri_cmd_t": "bri", "clr_temp_cmd_t": "temp", "fx_cmd_t": "fx", "fx_list": ["a"]}"#

        let light = try #require(try AnnouncementChecker.check(config, at: "homeassistant/light/x/config").entities.first)

        #expect(Set(light.writes).isSuperset(of: ["on", "bri", "temp", "fx"]))
    }
}
