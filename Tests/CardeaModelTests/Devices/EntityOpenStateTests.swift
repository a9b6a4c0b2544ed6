import CardeaModel
import Testing

@Suite("Open state of entities")
struct EntityOpenStateTests {
    private func stands(_ kind: EntityKind, _ state: String, _ deviceClass: String? = nil) -> Bool? {
        Entity(id: "entity", kind: kind, name: "Entity", deviceClass: deviceClass, verbs: [], state: EntityState(state)).isOpen
    }

    @Test("Locks, garages and contacts are open or closed; unknown states and other entities have no open state")
    func standing() {
        #expect(stands(.lock, "unlocked") == true && stands(.lock, "opening") == true && stands(.lock, "locked") == false)
        #expect(stands(.lock, "jammed") == nil && stands(.lock, "unknown") == nil)
        #expect(stands(.cover, "open", "garage") == true && stands(.cover, "closed", "garage") == false)
        #expect(stands(.cover, "open", "blind") == nil)
        #expect(stands(.binarySensor, "on", "window") == true && stands(.binarySensor, "off", "door") == false)
        #expect(stands(.binarySensor, "on", "motion") == nil && stands(.light, "on") == nil)
    }
}
