/// The words by which makes report what happened.
enum IncomingWebhookVocabulary {
    /// The words of all makes, in small letters and without anything between them.
    private static let types: [String: DetectionType] = {
        let words: [(DetectionType, String)] = [
            (
                .ring,
                """
                ring ringing rings bell doorbell doorbellring doorbellpress doorbellpressed doorbellevent visitor button buttonpush buttonpressed \
                singlepush doublepush longpush btndown press pressed push invite call calling incomingcall s ss sss l
                """
            ),
            (
                .motion,
                """
                motion md vmd pir movement motionalarm motiondetected motiondetection motionsensor motionstart motionchange videomotion alarmpir \
                smartmotion objectanalytics linedetection fielddetection regionentrance regionexiting crosslinedetection crossregiondetection \
                crossline intrusion loiteringdetection
                """
            ),
            (
                .person,
                """
                person people human pedestrian persondetected face faces facedetection facesnap facecapture facerecognition faceunknown faceknown \
                smartmotionhuman aipeople
                """
            ),
            (
                .vehicle,
                """
                vehicle car vehicledetected vehicledetection anpr licenseplate licenseplateunknown licenseplateknown licenseplateofinterest \
                smartmotionvehicle trafficjunction aivehicle motorvehicle nonmotor
                """
            ),
            (.animal, "animal pet dog cat dogcat aidogcat smartmotionanimal"), (.package, "package parcel packagedetected"),
        ]
        var types: [String: DetectionType] = [:]
        for (type, list) in words { for word in list.split(separator: " ") { types[String(word)] = type } }
        return types
    }()

    /// Known words become the house's own; any other word that can be a type stays as it is.
    static func type(of word: String) -> DetectionType? {
        let small = word.lowercased()
        return known(small) ?? (small.contains(where: \.isLetter) ? DetectionType(rawValue: small.replacing(" ", with: "_")) : nil)
    }

    /// The house's word, if there is one.
    private static func known(_ word: String?) -> DetectionType? {
        guard let word, word.utf8.count <= 64 else { return nil }
        return types[String(word.lowercased().filter { $0.isLetter || $0.isNumber })]
    }

    /// The last known word of a topic or of a rule's name.
    private static func known(within word: String) -> DetectionType? {
        // Topics and rule names: `CameraApplicationPlatform/ObjectAnalytics/Device1Scenario1`, `input.button_push`.
        let parts = word.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }.map(String.init)
        // A single letter, as in `Tom's`, is not a word.
        for part in parts.reversed() where part.count > 1 {
            if let type = known(part) { return type }
            if part.hasPrefix("vmd") || part.contains("motion") || part.contains("objectanalytics") { return .motion }
            if part.contains("doorbell") || part.contains("button") || part.hasPrefix("ring") { return .ring }
        }
        return nil
    }

    /// The end of an event, a sign of life, or a trial that the owner started.
    static func isNoEvent(_ message: IncomingWebhookMessage, of make: IncomingWebhookVendor) -> Bool {
        let ends: Set = ["stop", "stopped", "end", "ended", "inactive", "off", "false", "0", "idle", "btn_up"]
        let names =
            switch make {
            case .hikvision: ["eventstate"]
            case .dahua: ["action"]
            default: ["action", "active", "eventstate", "state"]
            }
        if let state = message.value(names), ends.contains(state) { return true }
        return make == .reolink && message.value("alarm.type", "type") == "test"
    }

    /// The type that the message says; nil if it says none.
    static func type(of message: IncomingWebhookMessage, by make: IncomingWebhookVendor, usual: DetectionType) -> DetectionType? {
        switch make {
        case .hikvision: hikvision(message, usual)
        case .dahua: dahua(message, usual)
        case .reolink: anyType(message.value("alarm.type", "type", "event"))
        case .unifi:
            anyType(message.value("triggers.key") ?? message.value("condition.source", "event", "type")) ?? knownType(message, "alarm.name")
        case .axis: knownType(message, "event", "topic", "type", "kind", "message", "text")
        case .shelly, .doorbird, .generic:
            anyType(message.value("event", "event_type", "eventtype", "type", "kind"))
                ?? knownType(message, "alarm", "label", "message", "text")
        }
    }

    /// A field that holds a type, known or not.
    private static func anyType(_ word: String?) -> DetectionType? { word.flatMap { known($0) ?? known(within: $0) ?? type(of: $0) } }

    /// A field that may hold anything: only words that are known count.
    private static func knownType(_ message: IncomingWebhookMessage, _ names: String...) -> DetectionType? {
        message.value(names).flatMap { known($0) ?? known(within: $0) }
    }

    private static func hikvision(_ message: IncomingWebhookMessage, _ usual: DetectionType) -> DetectionType? {
        guard let event = message.value("eventtype") else { return nil }
        switch event {
        case "accesscontrollerevent":
            // 0x25: the bell of an access terminal. Cards, doors and the rest are not camera events.
            return message.value("subeventtype") == "37" ? .ring : nil
        case "voicetalkevent", "videointercomevent":
            let states: Set = ["call", "calling", "ring", "ringing", "request"]
            return message.value("status", "cmdtype", "callstatus").map(states.contains) == true ? .ring : nil
        case "io", "ioport": return usual
        case "tamperdetection", "shelteralarm": return DetectionType(rawValue: "tamper")
        default:
            let found = known(event)
            return found == .motion ? known(message.value("detectiontarget", "targettype")) ?? found : found
        }
    }

    private static func dahua(_ message: IncomingWebhookMessage, _ usual: DetectionType) -> DetectionType? {
        guard let code = message.value("code") else { return nil }
        switch code {
        case "callnoanswered", "phonecalldetect": return .ring
        case "backkeylight":
            // The state of a door station's key: 1, 2 and 5 mean ringing.
            let states: Set = ["1", "2", "5"]
            return message.value("data.state").map(states.contains) == true ? .ring : nil
        case "_dotalkaction_": return message.value("data.action") == "invite" ? .ring : nil
        case "alarmlocal": return usual
        case "videoblind": return DetectionType(rawValue: "tamper")
        default:
            let found = known(code)
            return found == .motion ? known(message.value("objecttype")) ?? found : found
        }
    }
}
