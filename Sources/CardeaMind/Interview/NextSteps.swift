import CardeaModel

/// What is still to be done with what nothing is connected to yet, in words for whoever does it.
extension Interview {
    /// - Parameter connected: the integrations that the house is set up with: `mqtt`, `home-assistant`.
    /// - Returns: at least one step, in the order in which they are done.
    public func nextSteps(for device: NewDevice, connected: Set<String>) -> [String] {
        let thing = device.thingID.flatMap { id in discovered.first { $0.id == id } }
        let ways = candidate(device.candidateID)?.possibleIntegrations ?? []
        let speaksMQTT = ways.first == DiscoveredThing.Source.mqtt.rawValue
        var steps: [String] = []
        if speaksMQTT {
            if !connected.contains(DiscoveredThing.Source.mqtt.rawValue) {
                steps.append(Self.words(.stepMQTT))
            }
            steps.append(Self.words(.stepAnnounce, [.name: device.name]))
        } else {
            if !connected.contains(DiscoveredThing.Source.homeAssistant.rawValue) {
                steps.append(Self.words(.stepHomeAssistant))
            }
            steps.append(throughHomeAssistant(device, thing, ways))
        }
        if device.missing.contains(.kind) { steps.append(Self.words(.stepKind)) }
        steps.append(Self.words(.stepReplace))
        return steps
    }

    private func throughHomeAssistant(_ device: NewDevice, _ thing: DiscoveredThing?, _ ways: [String]) -> String {
        let found = thing.map { Self.words(.seenAs, [.name: $0.name]) } ?? ""
        if ways.contains("matter") || ways.contains("homekit") {
            let word = ways.contains("matter") ? "Matter" : "HomeKit"
            return Self.words(.stepCode, [.name: device.name, .words: word, .rest: found])
        }
        guard let brand = device.brand else {
            return Self.words(.stepNoBrand, [.name: device.name, .rest: found])
        }
        return Self.words(.stepBrand, [.name: device.name, .words: brand, .rest: found])
    }

    /// How it ended, beside what was said to the confirmation: what is connected, what waits for somebody's hand, and what could not be taken in.
    func outcome(of taken: [TakenIn], hindered: [(device: NewDevice, by: Hindrance)] = []) -> String {
        let (waiting, there) = (taken.filter { $0.status == .pendingAuth }, taken.filter { $0.status != .pendingAuth })
        var words: [String] = []
        func list(_ names: [String]) -> String { Self.shortened(names.map { Self.words(.quoted, [.name: $0]) }) }
        if !there.isEmpty { words.append(Self.words(there.count == 1 ? .oneInPlace : .severalInPlace, [.list: list(there.map(\.name))])) }
        if !waiting.isEmpty { words.append(Self.words(waiting.count == 1 ? .oneWaits : .severalWait, [.list: list(waiting.map(\.name))])) }
        for hindrance in Hindrance.allCases {
            let left = hindered.filter { $0.by == hindrance }.map(\.device.name)
            guard !left.isEmpty else { continue }
            let phrase: Interview.Sentence = status == .cancelled ? .leaveOut : hindrance == .houseIsFull ? .houseIsFull : .notAllowed
            words.append(Self.words(phrase, [.list: list(left)]))
        }
        if status == .completed { words.append(Self.words(.thatIsAll)) }
        return words.joined(separator: " ")
    }
}
