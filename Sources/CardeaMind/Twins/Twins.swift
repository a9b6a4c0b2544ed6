import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The twins of the house's devices. Each device has one by default; only settings that a person made are stored.
public struct Twins: Sendable {
    let store: Store
    let houseReader: any HouseReader
    let records: any CommandHistoryReader
    let houseHistory: any HouseHistory
    let thermalTwins: ThermalTwinCache
    let now: @Sendable () -> Date

    public enum TwinError: Error, Hashable, Sendable {
        case notFound
        /// The twin is the default one, with no settings that could be removed.
        case isDefault
        /// A field of the request is invalid. The first value is the field's name.
        case field(String, words: String)
        /// There are already `limit` twins.
        case limitReached
    }

    /// The data to create or change a twin with.
    public struct Draft: Sendable {
        public var deviceID: String
        public var fidelity: TwinFidelity
        /// For a planned device: its name and kind.
        public var name: String?
        public var kind: String?

        public init(deviceID: String, fidelity: TwinFidelity = .advanced, name: String? = nil, kind: String? = nil) {
            self.deviceID = deviceID
            self.fidelity = fidelity
            self.name = name
            self.kind = kind
        }
    }

    /// A twin at a moment, with the thermal report of its room if it has one.
    public struct Snapshot: Sendable {
        public let twin: Twin
        public let at: Date
        /// Nil for a twin without a model.
        public let thermal: Result<ThermalTwinReport, ThermalTwinUnavailableError>?
        /// The reports of each entity within the last day, the earliest first; at most the latest `historyLimit` reports of the device.
        public var history: [String: [TwinHistoryEntry]] = [:]
    }

    /// The most past states of a device that are shown with its twin.
    public static let historyLimit = 500

    /// The most twins that are stored.
    public static let limit = 500
    /// Seconds for which past commands to a device are read.
    private static let lookbackPeriod: TimeInterval = 86_400

    // MARK: Reading

    /// Every twin that the requester may see, by name.
    public func all(seenBy visibility: RequesterVisibility) async throws -> (twins: [Twin], at: Date) {
        let (now, house) = (now(), try await houseReader.house().seen(by: visibility))
        let stored = try await store.read { try TwinRecords.all($0) }
        let askings = try await recentRequests(of: nil, seenBy: visibility, at: now)
        let fidelities = Dictionary(stored.map { ($0.deviceID, $0.fidelity) }, uniquingKeysWith: { first, _ in first })
        let gathering = WhatIfDataLoader(houseHistory: houseHistory, twins: thermalTwins, house: house, visibility: visibility, now: now)
        var twins: [Twin] = []
        for device in house.devices {
            let fidelity = fidelities[device.id] ?? Self.fidelity(of: device)
            var model: ThermalTwin?
            if fidelity == .expert, ThermalSensors.concerns(device), let room = device.roomID {
                let found = try await gathering.thermalTwin(of: room)
                model = try? found.get()
            }
            twins.append(Twin(of: device, asked: askings[device.id] ?? [], fidelity: fidelity, model: model, at: now))
        }
        let there = try await Set(houseReader.house().devices.map(\.id))
        // A device that the requester may not see is not shown as a planned one either.
        twins += stored.filter { !there.contains($0.deviceID) && visibility.seesDevice($0.deviceID) }.map(\.planned)
        return (twins.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }, now)
    }

    /// - Throws: `TwinError.notFound` if it does not exist, or the requester may not see it.
    public func one(_ id: String, seenBy visibility: RequesterVisibility) async throws -> Snapshot {
        let (now, house) = (now(), try await houseReader.house().seen(by: visibility))
        let deviceID = try Self.deviceID(id)
        let stored = try await store.read { try TwinRecords.one(deviceID, $0) }
        guard let device = house.devices.first(where: { $0.id == deviceID }) else {
            let isHidden = try await houseReader.house().devices.contains { $0.id == deviceID }
            guard let stored, !isHidden, visibility.seesDevice(deviceID) else { throw TwinError.notFound }
            return Snapshot(twin: stored.planned, at: now, thermal: nil)
        }
        let fidelity = stored?.fidelity ?? Self.fidelity(of: device)
        let thermal = fidelity == .expert ? try await thermalReport(of: device, in: house, seenBy: visibility, at: now) : nil
        let askings = try await recentRequests(of: deviceID, seenBy: visibility, at: now)[deviceID] ?? []
        let twin = Twin(of: device, asked: askings, fidelity: fidelity, model: try? thermal?.get().twin, at: now)
        let history = fidelity >= .advanced ? try await history(of: device, seenBy: visibility, at: now) : [:]
        return Snapshot(twin: twin, at: now, thermal: thermal, history: history)
    }

    /// The default fidelity of a device's twin. A device that heats or measures a room has the thermal model of the room.
    private static func fidelity(of device: Device) -> TwinFidelity { ThermalSensors.concerns(device) ? .expert : .advanced }

    /// The reports of each entity of a device within the last day, as far as the requester may see them.
    private func history(of device: Device, seenBy visibility: RequesterVisibility, at now: Date) async throws -> [String:
        [TwinHistoryEntry]]
    {
        let wanted = HouseEventFilter(
            devices: [device.id], kinds: [.state], from: now.addingTimeInterval(-Self.lookbackPeriod), to: now.addingTimeInterval(1),
            newestFirst: true, limit: Self.historyLimit)
        let events = try await houseHistory.events(wanted, seenBy: visibility)
        // Energy use over time reveals who is at home and when.
        let entities = device.entities.filter { visibility.seesEnergy || !EnergyMetering.isEnergy($0.deviceClass) }
        let pairs = entities.map { ($0.id, Twin.history(of: $0.id, in: events)) }
        return Dictionary(pairs.filter { !$0.1.isEmpty }) { first, _ in first }
    }

    private func recentRequests(of deviceID: String?, seenBy visibility: RequesterVisibility, at now: Date) async throws -> [String:
        [RecordedCommand]]
    {
        let found = try await records.commands(of: deviceID, since: now.addingTimeInterval(-Self.lookbackPeriod))
        // A command is shown only to requesters who may see it; others must not learn of it by a pending change.
        return Dictionary(grouping: found.filter { visibility.redacted($0.event) != nil }, by: \.deviceID)
    }

    /// Nil for a device that neither heats nor measures a room.
    private func thermalReport(
        of device: Device, in house: HouseSnapshot, seenBy visibility: RequesterVisibility, at now: Date
    ) async throws -> Result<ThermalTwinReport, ThermalTwinUnavailableError>? {
        guard ThermalSensors.concerns(device) else { return nil }
        guard let room = device.roomID else { return .failure(.noRoom) }
        return try await WhatIfDataLoader(houseHistory: houseHistory, twins: thermalTwins, house: house, visibility: visibility, now: now)
            .thermalReport(of: room)
    }

    // MARK: Creating and removing

    /// Creates a twin of another fidelity, or the twin of a planned device. A repeated request replaces the earlier one.
    ///
    /// - Throws: `TwinError`
    public func create(_ draft: Draft, seenBy visibility: RequesterVisibility, record: ChangeRecorder) async throws -> Snapshot {
        let whole = try await houseReader.house()
        guard visibility.seesDevice(draft.deviceID) else {
            throw TwinError.field("device_id", words: "must be the id of a device of this house")
        }
        let stored = try Self.checked(draft, device: whole.devices.first { $0.id == draft.deviceID })
        let moment = now()
        try await store.write { db in
            let isKnown = try TwinRecords.one(stored.deviceID, db) != nil
            guard try isKnown || TwinRecords.count(db) < Self.limit else { throw TwinError.limitReached }
            try TwinRecords.write(stored, at: moment, in: db)
            try record(.twinChanged, subject: stored.id, in: db)
        }
        return try await one(stored.id, seenBy: visibility)
    }

    /// Removes the settings of a twin: a device's twin returns to the default, and a planned one is deleted.
    ///
    /// - Throws: `TwinError`
    public func remove(_ id: String, seenBy visibility: RequesterVisibility, record: ChangeRecorder) async throws {
        let twin = try await one(id, seenBy: visibility).twin
        try await store.write { db in
            guard try TwinRecords.remove(twin.deviceID, in: db) else { throw TwinError.isDefault }
            try record(.twinChanged, subject: twin.id, data: ["removed": true], in: db)
        }
    }

    private static func deviceID(_ id: String) throws(TwinError) -> String {
        guard id.hasPrefix(Twin.idPrefix), id.utf8.count <= 160 else { throw .notFound }
        return String(id.dropFirst(Twin.idPrefix.count))
    }

    private static func checked(_ draft: Draft, device: Device?) throws(TwinError) -> StoredTwin {
        if let device {
            guard draft.name == nil, draft.kind == nil else {
                throw .field("config", words: "is only for a planned device. Leave it out: this device exists")
            }
            let kind = device.entities.first?.kind ?? .sensor
            return StoredTwin(deviceID: device.id, fidelity: draft.fidelity, name: device.name, kind: kind)
        }
        let letters = draft.deviceID.unicodeScalars
        guard (1...100).contains(letters.count),
            letters.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0)) })
        else {
            throw .field(
                "device_id", words: "must be the id of a device of this house, or for a planned one 1 to 100 letters, digits, - and _")
        }
        guard let wanted = draft.name else {
            throw .field("device_id", words: "is not a device of this house. For a planned device, send name and kind in config")
        }
        guard let name = try? Name.check(wanted) else { throw .field("config.name", words: "must have 1 to 100 visible characters") }
        guard let kind = draft.kind.flatMap(EntityKind.init(rawValue:)) else {
            let kinds = EntityKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .field("config.kind", words: "must be one of \(kinds)")
        }
        return StoredTwin(deviceID: draft.deviceID, fidelity: draft.fidelity, name: name, kind: kind)
    }
}
