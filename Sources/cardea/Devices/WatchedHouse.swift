import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// The house as whoever watches it knows it: how things stand, what changed when, and whether it is still told.
struct WatchedHouse {
    enum Link: Hashable {
        case connecting
        case upToDate
        /// Nothing is heard; it is tried again then.
        case away(retryAt: Date)
    }

    let name: String
    let zone: TimeZone
    private let wanted: Set<String>
    /// In the house's own order.
    private(set) var devices: [DeviceAnswer]
    private(set) var link = Link.connecting
    /// Since when nobody has heard otherwise, where nothing is told just now.
    private(set) var asOf: Date
    private(set) var latest: (at: Date, words: String)?
    private var changed: [String: Date] = [:]

    /// - Parameter wanted: the devices that are looked at; empty for all.
    init(name: String, zone: TimeZone, devices: [DeviceAnswer], asOf: Date, only wanted: Set<String> = []) {
        self.name = name
        self.zone = zone
        self.wanted = wanted
        self.asOf = asOf
        self.devices = devices.filter { wanted.isEmpty || wanted.contains($0.deviceID) }
    }

    /// How long a change stands out.
    static let freshFor: TimeInterval = 5

    func isFresh(_ id: String, at now: Date) -> Bool {
        changed[id].map { (0..<Self.freshFor).contains(now.timeIntervalSince($0)) } ?? false
    }

    mutating func take(_ event: LiveEvent, at now: Date) {
        switch event {
        case .connected: link = .upToDate
        case .interrupted(_, let pause): fallSilent(for: pause, at: now)
        case .snapshot(let devices): takeAll(devices.filter { isWanted($0.deviceID) }, at: now)
        case .device(let device, _) where isWanted(device.deviceID): take(device, at: now)
        case .deviceRemoved(let id) where isWanted(id):
            if let gone = devices.first(where: { $0.deviceID == id }) { note("\(gone.name) is gone", at: now) }
            devices.removeAll { $0.deviceID == id }
        case .command(let command) where isWanted(command.deviceID):
            let name = devices.first { $0.deviceID == command.deviceID }?.name ?? command.deviceID
            note("\(name)  \(command.action.rawValue): \(command.status.rawValue)", at: now)
        case .changed(let what) where wanted.isEmpty: note(what.words, at: now)
        case .integration(let name, let status) where wanted.isEmpty: note("\(name) is \(status).", at: now)
        case .seen(let event) where wanted.isEmpty: note(event.words, at: now)
        case .described(let event) where wanted.isEmpty: note(event.words, at: now)
        case .device, .deviceRemoved, .command, .changed, .integration, .seen, .described, .asked, .eventRemoved, .other: break
        }
    }

    private func isWanted(_ id: String) -> Bool { wanted.isEmpty || wanted.contains(id) }

    private mutating func fallSilent(for pause: Duration, at now: Date) {
        if link == .upToDate { asOf = now }
        link = .away(retryAt: now.addingTimeInterval(pause / .seconds(1)))
    }

    /// Everything as it stands. What stood otherwise before has changed meanwhile.
    private mutating func takeAll(_ all: [DeviceAnswer], at now: Date) {
        let clock = HouseClock(zone: zone, now: now)
        let before = Dictionary(devices.map { ($0.deviceID, StateWords.summary(of: $0, clock)) }, uniquingKeysWith: { first, _ in first })
        devices = all
        for device in all {
            if let was = before[device.deviceID], was != StateWords.summary(of: device, clock) { tell(device, at: now) }
        }
    }

    private mutating func take(_ device: DeviceAnswer, at now: Date) {
        guard let place = devices.firstIndex(where: { $0.deviceID == device.deviceID }) else {
            devices.append(device)
            return tell(device, at: now)
        }
        let clock = HouseClock(zone: zone, now: now)
        let isNews = StateWords.summary(of: devices[place], clock) != StateWords.summary(of: device, clock)
        devices[place] = device
        // Its number rose, and nobody sees a difference.
        if isNews { tell(device, at: now) }
    }

    private mutating func tell(_ device: DeviceAnswer, at now: Date) {
        changed[device.deviceID] = now
        note("\(device.name)  \(StateWords.summary(of: device, HouseClock(zone: zone, now: now)))", at: now)
    }

    private mutating func note(_ words: String, at now: Date) { latest = (now, words) }
}
