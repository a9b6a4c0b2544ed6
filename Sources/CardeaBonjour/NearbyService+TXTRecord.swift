import CardeaDNSSD
import CardeaHub
import CardeaModel
import Foundation

extension NearbyService.Kind {
    var serviceType: String {
        switch self {
        case .homeAssistant: "_home-assistant._tcp"
        case .homeKit: "_hap._tcp"
        case .matter: "_matter._tcp"
        }
    }
}

/// Makes a service from untrusted values of the network, cleaned and bounded.
extension NearbyService {
    /// Nil if nothing is left that could be shown.
    init?(_ kind: Kind, called instance: String, at place: DNSSD.Endpoint, address: String?) {
        let host = Name.cleaned(place.host, else: "")
        guard !host.isEmpty, place.port > 0 else { return nil }
        func text(_ key: String) -> String? {
            let text = place.text[key].map { Name.cleaned($0, else: "") } ?? ""
            return text.isEmpty ? nil : text
        }
        let name = (kind == .homeAssistant ? text("location_name") : nil) ?? Name.cleaned(instance, else: host)
        self.init(kind: kind, name: name, host: host, port: Int(place.port))
        self.address = address
        switch kind {
        case .homeAssistant:
            version = text("version")
            // An address inside the house comes first; without a usable one, the place where it was found is used.
            urls = ["internal_url", "base_url", "external_url"].compactMap { place.text[$0].flatMap(NearbyAddress.init) }
            let found = [address, place.host].compactMap { $0 }
            if urls.isEmpty { urls = found.compactMap { NearbyAddress(host: $0, port: Int(place.port)) }.prefix(1).map(\.self) }
        case .homeKit:
            model = text("md")
            category = place.text["ci"].flatMap { Int($0) }.flatMap(Self.homeKitCategory)
            // The lowest bit: not paired yet (HomeKit Accessory Protocol, Bonjour status flags).
            isPaired = place.text["sf"].flatMap { Int($0) }.map { $0 & 1 == 0 }
        case .matter:
            // A device with a controller announces itself by this type; one that waits for a controller uses `_matterc._udp`.
            isPaired = true
        }
    }

    /// The accessory categories of the HomeKit Accessory Protocol; nil for categories without an everyday name.
    private static func homeKitCategory(_ number: Int) -> String? {
        let words = [
            2: "bridge", 3: "fan", 4: "garage door", 5: "light", 6: "door lock", 7: "outlet", 8: "switch", 9: "thermostat", 10: "sensor",
            11: "alarm", 12: "door", 13: "window", 14: "blind", 15: "button", 17: "camera", 18: "doorbell", 19: "air purifier",
            20: "heater", 21: "air conditioner", 22: "humidifier", 23: "dehumidifier", 24: "TV box", 26: "speaker", 28: "sprinkler",
            29: "tap",
            30: "shower", 31: "television", 32: "remote control", 33: "router",
        ]
        return words[number]
    }
}
