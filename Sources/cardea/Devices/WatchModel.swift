import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// The state of a watched house: its devices, the times of their changes, and the connection.
struct WatchModel {
    enum ConnectionState: Hashable {
        case connecting
        case upToDate
        /// The connection is lost; the next try is at `retryAt`.
        case unreachable(retryAt: Date)
    }

    let name: String
    let zone: TimeZone
    private let wanted: Set<String>
    /// In the house's own order.
    private(set) var devices: [DeviceAnswer]
    private(set) var connection = ConnectionState.connecting
    /// The time of the last confirmed state, while the connection is lost.
    private(set) var asOf: Date
    private(set) var latest: (at: Date, words: String)?
    private var changed: [String: Date] = [:]

    /// - Parameter wanted: the watched devices; empty for all.
    init(name: String, zone: TimeZone, devices: [DeviceAnswer], asOf: Date, only wanted: Set<String> = []) {
        self.name = name
        self.zone = zone
        self.wanted = wanted
        self.asOf = asOf
        self.devices = devices.filter { wanted.isEmpty || wanted.contains($0.deviceID) }
    }

    /// Seconds for which a change is highlighted.
    static let highlightDuration: TimeInterval = 5

    func isHighlighted(_ id: String, at now: Date) -> Bool {
        changed[id].map { (0..<Self.highlightDuration).contains(now.timeIntervalSince($0)) } ?? false
    }

    mutating func receive(_ event: LiveEvent, at now: Date) {
        switch event {
        case .connected: connection = .upToDate
        case .interrupted(_, let pause): markUnreachable(for: pause, at: now)
        case .snapshot(let devices): replaceAll(devices.filter { isWanted($0.deviceID) }, at: now)
        case .device(let device, _) where isWanted(device.deviceID): update(device, at: now)
        case .deviceRemoved(let id) where isWanted(id):
            if let gone = devices.first(where: { $0.deviceID == id }) { setLatest("\(gone.name) was removed", at: now) }
            devices.removeAll { $0.deviceID == id }
        case .command(let command) where isWanted(command.deviceID):
            let name = devices.first { $0.deviceID == command.deviceID }?.name ?? command.deviceID
            setLatest("\(name)  \(command.action.rawValue): \(command.status.rawValue)", at: now)
        case .changed(let what) where wanted.isEmpty: setLatest(what.text, at: now)
        case .integrationStatus(let name, let status) where wanted.isEmpty: setLatest("\(name) is \(status).", at: now)
        case .eventRecorded(let event) where wanted.isEmpty: setLatest(event.text, at: now)
        case .eventDescribed(let event) where wanted.isEmpty: setLatest(event.text, at: now)
        case .device, .deviceRemoved, .command, .changed, .integrationStatus, .eventRecorded, .eventDescribed, .questionAnswered,
            .eventRemoved, .other:
            break
        }
    }

    private func isWanted(_ id: String) -> Bool { wanted.isEmpty || wanted.contains(id) }

    private mutating func markUnreachable(for pause: Duration, at now: Date) {
        if connection == .upToDate { asOf = now }
        connection = .unreachable(retryAt: now.addingTimeInterval(pause / .seconds(1)))
    }

    /// Replaces all devices. A device with a different state than before counts as changed now.
    private mutating func replaceAll(_ all: [DeviceAnswer], at now: Date) {
        let clock = HouseClock(zone: zone, now: now)
        let before = Dictionary(devices.map { ($0.deviceID, StateText.summary(of: $0, clock)) }, uniquingKeysWith: { first, _ in first })
        devices = all
        for device in all {
            if let was = before[device.deviceID], was != StateText.summary(of: device, clock) { recordChange(device, at: now) }
        }
    }

    private mutating func update(_ device: DeviceAnswer, at now: Date) {
        guard let place = devices.firstIndex(where: { $0.deviceID == device.deviceID }) else {
            devices.append(device)
            return recordChange(device, at: now)
        }
        let clock = HouseClock(zone: zone, now: now)
        let isNews = StateText.summary(of: devices[place], clock) != StateText.summary(of: device, clock)
        devices[place] = device
        // The revision rose without a visible difference.
        if isNews { recordChange(device, at: now) }
    }

    private mutating func recordChange(_ device: DeviceAnswer, at now: Date) {
        changed[device.deviceID] = now
        setLatest("\(device.name)  \(StateText.summary(of: device, HouseClock(zone: zone, now: now)))", at: now)
    }

    private mutating func setLatest(_ words: String, at now: Date) { latest = (now, words) }
}
