import CardeaModel
import Foundation
import Testing

@Suite("Descriptions of rooms")
struct RoomTraitsTests {
    @Test("An invalid room is refused with the name of the field")
    func rooms() throws {
        var room = RoomTraits(name: "  Hall ")
        room.activities = [" reading "]
        #expect(try room.checked().name == "Hall")
        #expect(try room.checked().activities == ["reading"])
        room.lighting.colorTemperature = 1
        #expect(throws: FieldError.range(field: "lighting_preferences.color_temperature", 1000...12_000)) { try room.checked() }
        room.lighting.colorTemperature = nil
        #expect(try room.checked().lighting.defaultBrightness == nil)
        room.lighting.defaultBrightness = 0
        #expect(throws: FieldError.range(field: "lighting_preferences.default_brightness", 1...100)) { try room.checked() }
        room.lighting.defaultBrightness = 1
        room.activities = Array(repeating: "x", count: 33)
        #expect(throws: FieldError.tooMany(field: "activities", 32)) { try room.checked() }
        room.name = ""
        #expect(throws: FieldError.name(field: "name", .empty)) { try room.checked() }
    }
}
