/// Announcements in the formats of firmware, and the messages of their devices.
enum AnnouncementSamples {
    struct Sample {
        let topic: String
        let announcement: String
        /// The number of announced entities.
        let entityCount: Int
    }

    struct Message {
        let topic: String
        let payload: String
    }

    /// A lock, a sensor and a bundle of two sensors, as number `index` of many equal houses.
    static func samples(_ index: Int) -> [Sample] {
        [lock(index), thermometer(index), bundle(index)]
    }

    /// Messages from the devices of `samples(index)`. Each message is read by the template of one entity.
    static func messages(_ index: Int, round: Int) -> [Message] {
        let isOdd = !round.isMultiple(of: 2)
        return [
            Message(
                topic: "bridge/Door \(index)",
                payload: """
                    {"battery":87,"linkquality":\(100 + round),"state":"\(isOdd ? "LOCK" : "UNLOCK")","update":{"state":"idle"},"voltage":2995}
                    """),
            Message(
                topic: "gateway/Room \(index)",
                payload: """
                    {"id":"A4:C1:38:00:00:04","name":"ATC","rssi":-71,"temperature":\(isOdd ? "21.437" : "\"20.918\""),"humidity":48}
                    """),
            Message(
                topic: "meter/\(index)/power",
                payload: #"{"time":1763900000000,"value":\#(1000 + round),"unit":"W"}"#),
            Message(
                topic: "meter/\(index)/energy",
                payload: #"{"time":1763900000000,"value":{"total":\#(round).25,"tariff":2}}"#),
        ]
    }

    private static func lock(_ index: Int) -> Sample {
        Sample(
            topic: "homeassistant/lock/0x00158d\(index)/lock/config",
            announcement: """
                {"availability":[{"topic":"bridge/state","value_template":"{{ value_json.state }}"},{"topic":"bridge/Door \(index)/availability",\
                "value_template":"{{ value_json.state }}"}],"availability_mode":"all","command_topic":"bridge/Door \(index)/set",\
                "device":{"identifiers":["bridge_0x00158d\(index)"],"manufacturer":"Boltworks","model":"Deadbolt 2 (BW2)","name":"Door \(index)",\
                "sw_version":"0x00122804","via_device":"bridge_0x00124b"},"enabled_by_default":true,"name":null,\
                "object_id":"door_\(index)","origin":{"name":"Bridge","sw":"2.1.1","url":"https://bridge.example"},\
                "payload_lock":"LOCK","payload_unlock":"UNLOCK","state_locked":"LOCK","state_unlocked":"UNLOCK",\
                "state_topic":"bridge/Door \(index)","unique_id":"0x00158d\(index)_lock","value_template":"{{ value_json.state }}"}
                """,
            entityCount: 1)
    }

    private static func thermometer(_ index: Int) -> Sample {
        Sample(
            topic: "homeassistant/sensor/room\(index)/temperature/config",
            announcement: """
                {"stat_t":"gateway/Room \(index)","dev_cla":"temperature","unit_of_meas":"°C","name":"temperature","uniq_id":"room\(index)-t",\
                "val_tpl":"{{ (value_json.temperature | float) | round(1) }}","stat_cla":"measurement","dev":{"ids":["room\(index)"],\
                "cns":[["mac","A4:C1:38:00:00:04"]],"mf":"Thermals","mdl":"Cube 3","name":"Room \(index)","via_device":"Gateway"}}
                """,
            entityCount: 1)
    }

    private static func bundle(_ index: Int) -> Sample {
        Sample(
            topic: "homeassistant/device/meter\(index)/config",
            announcement: """
                {"dev":{"ids":["meter\(index)"],"name":"Meter \(index)","mf":"Ampere","mdl":"Three phases"},"o":{"name":"meter","sw":"1.4"},\
                "cmps":{"power":{"p":"sensor","name":"Power","dev_cla":"power","unit_of_meas":"W","uniq_id":"meter\(index)_power",\
                "stat_t":"meter/\(index)/power","val_tpl":"{{ value_json.value if value_json.value is defined else 0 }}"},\
                "energy":{"p":"sensor","name":"Energy","dev_cla":"energy","unit_of_meas":"kWh","uniq_id":"meter\(index)_energy",\
                "stat_t":"meter/\(index)/energy","val_tpl":"{% if value_json.value.total > 0 %}{{ value_json.value.total | round(2) }}{% else %}0{% endif %}"}}}
                """,
            entityCount: 2)
    }
}
