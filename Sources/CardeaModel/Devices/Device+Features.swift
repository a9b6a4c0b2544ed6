extension Device {
    /// The device's features, in Seed 004's words (`supportedFeatures`).
    public var features: [String] {
        var features: Set<String> = []
        for entity in entities where entity.isEnabled {
            for verb in entity.verbs { features.formUnion(Self.features(of: verb, on: entity.kind)) }
            switch entity.kind {
            case .sensor, .binarySensor: if let deviceClass = entity.deviceClass { features.insert(deviceClass) }
            case .climate: features.insert("temperature")
            case .event: features.insert("event")
            case .image: features.insert("picture")
            default: break
            }
        }
        return features.sorted()
    }

    private static func features(of verb: Verb, on kind: EntityKind) -> [String] {
        switch verb {
        case .on, .off: ["power"]
        case .lock, .unlock: ["lock"]
        case .open: kind == .lock ? ["latch"] : ["open_close"]
        case .close: ["open_close"]
        case .stop: ["stop"]
        case .press: ["press"]
        case .setPosition: ["position"]
        case .setTilt: ["tilt"]
        case .setBrightness: ["brightness"]
        case .setColor: ["color"]
        case .setTemperature: ["target_temperature"]
        case .setPercentage: ["speed"]
        case .play, .pause: ["playback"]
        case .setVolume: ["volume"]
        case .setMode: ["mode"]
        case .setPreset: ["preset"]
        case .setEffect: ["effect"]
        case .setDirection: ["direction"]
        case .oscillate: ["oscillation"]
        case .arm, .disarm: ["arm"]
        case .trigger: ["trigger"]
        case .read: []
        }
    }
}
