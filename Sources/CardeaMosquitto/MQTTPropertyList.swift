import CMosquitto

/// An MQTT 5 property list, freed with its owner.
struct MQTTPropertyList: ~Copyable {
    private var list: UnsafeMutablePointer<OpaquePointer?>
    var head: OpaquePointer? { list.pointee }

    init() {
        list = .allocate(capacity: 1)
        list.initialize(to: nil)
    }

    deinit {
        mosquitto_property_free_all(list)
        list.deallocate()
    }

    func add(_ property: mqtt5_property, _ value: UInt32) {
        mosquitto_property_add_int32(list, Int32(bitPattern: property.rawValue), value)
    }

    func add(_ property: mqtt5_property, name: String, value: String) {
        mosquitto_property_add_string_pair(list, Int32(bitPattern: property.rawValue), name, value)
    }
}
