import CardeaHub

/// What stands on the network nearby, as the test says.
public struct ScriptedNeighbours: NearbyEyes {
    private let said: NearbyView

    public init(_ things: [NearbyThing], isCut: Bool = false) { said = NearbyView(sight: .looking, things: things, isCut: isCut) }

    public func view() async -> NearbyView { said }

    /// A Home Assistant, a lock and a lamp, each with all that can be said of it.
    public static var everything: ScriptedNeighbours {
        var assistant = NearbyThing(kind: .homeAssistant, name: "Linden Street", host: "homeassistant.local", port: 8123)
        assistant.address = "192.168.1.20"
        assistant.version = "2026.11.1"
        assistant.urls = [NearbyAddress("http://homeassistant.local:8123")].compactMap { $0 }
        var lock = NearbyThing(kind: .homeKit, name: "Cellar lock", host: "lock.local", port: 51_826)
        lock.model = "Bolt 2"
        lock.category = "door lock"
        lock.isPaired = false
        var lamp = NearbyThing(kind: .matter, name: "87E1B004E235A130-8FC7772401CD0696", host: "B75A5FD13F0A.local", port: 5540)
        lamp.isPaired = true
        return ScriptedNeighbours([assistant, lock, lamp])
    }
}
