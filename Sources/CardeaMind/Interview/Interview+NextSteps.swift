import CardeaModel

/// Instructions for connecting the devices that nothing is connected to yet.
extension Interview {
    /// - Parameter connected: the integrations that are set up: `mqtt`, `home-assistant`.
    /// - Returns: at least one step, in the order in which to do them.
    public func nextSteps(for device: DeviceDraft, connected: Set<String>) -> [String] {
        let thing = device.thingID.flatMap { id in discovered.first { $0.id == id } }
        let ways = candidate(device.candidateID)?.possibleIntegrations ?? []
        let speaksMQTT = ways.first == DiscoveredDevice.Source.mqtt.rawValue
        var steps: [String] = []
        if speaksMQTT {
            if !connected.contains(DiscoveredDevice.Source.mqtt.rawValue) {
                steps.append(Self.phrase(.stepMQTT))
            }
            steps.append(Self.phrase(.stepAnnounce, [.name: device.name]))
        } else {
            if !connected.contains(DiscoveredDevice.Source.homeAssistant.rawValue) {
                steps.append(Self.phrase(.stepHomeAssistant))
            }
            steps.append(homeAssistantStep(device, thing, ways))
        }
        if device.missing.contains(.kind) { steps.append(Self.phrase(.stepKind)) }
        steps.append(Self.phrase(.stepReplace))
        return steps
    }

    private func homeAssistantStep(_ device: DeviceDraft, _ thing: DiscoveredDevice?, _ ways: [String]) -> String {
        let found = thing.map { Self.phrase(.seenAs, [.name: $0.name]) } ?? ""
        if ways.contains("matter") || ways.contains("homekit") {
            let word = ways.contains("matter") ? "Matter" : "HomeKit"
            return Self.phrase(.stepCode, [.name: device.name, .words: word, .rest: found])
        }
        guard let brand = device.brand else {
            return Self.phrase(.stepNoBrand, [.name: device.name, .rest: found])
        }
        return Self.phrase(.stepBrand, [.name: device.name, .words: brand, .rest: found])
    }

    /// The outcome, to follow the reply to the confirmation: connected devices, devices that wait for a person, and devices that could not
    /// be created.
    func outcomeText(of taken: [CreatedDevice], hindered: [(device: DeviceDraft, by: CreationError)] = []) -> String {
        let (waiting, there) = (taken.filter { $0.status == .pendingAuth }, taken.filter { $0.status != .pendingAuth })
        var words: [String] = []
        func list(_ names: [String]) -> String { Self.shortened(names.map { Self.phrase(.quoted, [.name: $0]) }) }
        if !there.isEmpty { words.append(Self.phrase(there.count == 1 ? .oneInPlace : .severalInPlace, [.list: list(there.map(\.name))])) }
        if !waiting.isEmpty { words.append(Self.phrase(waiting.count == 1 ? .oneWaits : .severalWait, [.list: list(waiting.map(\.name))])) }
        for hindrance in CreationError.allCases {
            let left = hindered.filter { $0.by == hindrance }.map(\.device.name)
            guard !left.isEmpty else { continue }
            let phrase: InterviewSentence = status == .cancelled ? .leaveOut : hindrance == .limitReached ? .houseIsFull : .notAllowed
            words.append(Self.phrase(phrase, [.list: list(left)]))
        }
        if status == .completed { words.append(Self.phrase(.thatIsAll)) }
        return words.joined(separator: " ")
    }
}
