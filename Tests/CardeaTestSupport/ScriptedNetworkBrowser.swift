import CardeaHub

/// Reports the devices that a test places on the local network.
public struct ScriptedNetworkBrowser: NetworkBrowser {
    private let result: NearbySnapshot

    public init(_ services: [NearbyService], isCut: Bool = false) {
        result = NearbySnapshot(sight: .looking, services: services, isCut: isCut)
    }

    public func snapshot() async -> NearbySnapshot { result }

    /// A Home Assistant, a lock and a lamp, each with all details.
    public static var everything: ScriptedNetworkBrowser {
        var assistant = NearbyService(kind: .homeAssistant, name: "Linden Street", host: "homeassistant.local", port: 8123)
        assistant.address = "192.168.1.20"
        assistant.version = "2026.11.1"
        assistant.urls = [NearbyAddress("http://homeassistant.local:8123")].compactMap { $0 }
        var lock = NearbyService(kind: .homeKit, name: "Cellar lock", host: "lock.local", port: 51_826)
        lock.model = "Bolt 2"
        lock.category = "door lock"
        lock.isPaired = false
        var lamp = NearbyService(kind: .matter, name: "87E1B004E235A130-8FC7772401CD0696", host: "B75A5FD13F0A.local", port: 5540)
        lamp.isPaired = true
        return ScriptedNetworkBrowser([assistant, lock, lamp])
    }
}
