/// Platforms of Home Assistant's MQTT discovery that the hub does not show.
enum UnsupportedPlatforms {
    /// Each with its name in the plural.
    private static let pluralNames = [
        "device_automation": "device automations of this kind", "device_tracker": "device trackers", "humidifier": "humidifiers",
        "lawn_mower": "lawn mowers", "media_player": "media players that are announced over MQTT", "notify": "notification targets",
        "number": "numbers to set", "scene": "scenes of devices", "select": "lists to choose from", "siren": "sirens",
        "tag": "tag scanners", "text": "texts to set", "update": "updates of firmware", "vacuum": "vacuum cleaners",
        "water_heater": "water heaters",
    ]

    /// The reason why components of this platform give no entity.
    static func reason(_ platform: String) -> String {
        if let plural = pluralNames[platform] { return "The hub does not show \(plural)." }
        return "The hub does not know the platform \(PayloadText.quoted(platform))."
    }
}
