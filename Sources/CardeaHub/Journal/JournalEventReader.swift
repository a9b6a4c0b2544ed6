import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Turns rows into events: the objects that they name are looked up, each once.
struct JournalEventReader {
    /// The database to look it up in; nil to use memory only.
    let db: Database?
    /// Returns the device as memory has it. A device is read from the database only if the row is newer.
    let cachedDevice: (String) -> Device?
    private var devices: [String: Device?] = [:]
    private var commands: [String: Command?] = [:]

    /// Memory does not hold the object that a row names, or not in that row's version.
    struct NotCachedError: Error {}

    init(_ db: Database?, known: @escaping (String) -> Device?) {
        self.db = db
        self.cachedDevice = known
    }

    /// - Parameter seq: the last event that was read; a row may use several numbers.
    mutating func events(of rows: [JournalRow], after seq: Int64 = 0) throws -> [JournalEvent] {
        var events: [JournalEvent] = []
        for row in rows {
            if row.kind == .reachChanged {
                for (number, reached) in zip(row.firstSeq..., row.reachChanges) where number > seq {
                    let fact = try fact(ofDevice: reached.deviceID, atLeast: reached.revision)
                    events.append(JournalEvent(seq: number, at: row.at, fact: fact))
                }
            } else if let fact = try fact(row) {
                events.append(JournalEvent(seq: row.seq, at: row.at, fact: fact))
            }
        }
        return events
    }

    /// Kinds whose rows may belong to a single person.
    private static let personal: Set<Journal.Kind> = [
        .houseAsked, .mindChanged, .memoryChanged, .interviewChanged, .automationChanged, .twinChanged,
    ]

    private mutating func fact(_ row: JournalRow) throws -> JournalEvent.Fact? {
        // The person it belonged to was erased: there is nothing left to read.
        if row.subject == nil, row.data.isEmpty, Self.personal.contains(row.kind) { return nil }
        switch row.kind {
        case .deviceAnnounced, .deviceChanged, .deviceUpdate:
            guard let id = row.deviceID else { return nil }
            let reported = row.subject.flatMap { entityID in
                row.data["state"]?.string.map {
                    let attributes: [String: JSONValue] = if case .object(let members)? = row.data["attributes"] { members } else { [:] }
                    return JournalEvent.ReportedState(entityID: entityID, state: EntityState($0, attributes: attributes))
                }
            }
            return try fact(ofDevice: id, atLeast: row.data["revision"]?.number ?? 0, reported: reported)
        case .reachChanged: return nil
        case .deviceWithdrawn: return row.deviceID.map { .deviceRemoved(id: $0) }
        case .commandAccepted, .commandChanged:
            if let command = row.about as? Command { return .command(command) }
            return try row.subject.flatMap { try command($0) }.map { .command($0) }
        case .guestChanged: return row.subject.map { .guest(id: $0, row.data) }
        case .personChanged: return row.subject.map { .person(id: $0) }
        case .personErased: return row.subject.map { .personErased(id: $0) }
        case .houseChanged: return .house(row.data)
        case .sceneChanged: return row.subject.map { .scene(id: $0, removed: row.data["removed"] == true) }
        case .integrationChanged: return row.subject.map { .integration($0, row.data) }
        case .phoneChanged: return row.subject.map { .phone(id: $0, of: row.data["person_id"]?.string) }
        case .eventRecorded:
            return try event(row).map { .event($0) }
        case .eventDescribed: return try event(row).map { .eventUpdated($0) }
        case .eventRemoved: return row.subject.map { .eventRemoved(id: $0) }
        case .cameraChanged: return row.subject.map { .camera(id: $0, row.data) }
        case .buttonChanged: return row.subject.map { .button(id: $0, removed: row.data["removed"] == true) }
        case .tagChanged: return .tag(id: row.subject, row.data)
        case .maintenanceChanged: return row.subject.map { .maintenance(id: $0, removed: row.data["removed"] == true) }
        case .memoryChanged: return .mind(.init(.memory, row))
        case .interviewChanged: return .mind(.init(.interview, row))
        case .twinChanged: return .mind(.init(.twin, row))
        case .automationChanged: return .mind(.init(.automation, row))
        case .houseAsked: return .mind(.init(.asked, row))
        // A message to a person arrives as a notification.
        case .mindChanged: return row.data["notice"] == nil ? .mind(.init(.standing, row)) : nil
        case .roomChanged: return row.subject.map { .room(id: $0, removed: row.data["removed"] == true) }
        }
    }

    private mutating func fact(ofDevice id: String, atLeast revision: Double, reported: JournalEvent.ReportedState? = nil) throws
        -> JournalEvent.Fact
    {
        try device(id, atLeast: revision).map { .device($0, reported: reported) } ?? .deviceRemoved(id: id)
    }

    /// The device, at least as new as the row that names it. What was committed may not have reached memory yet.
    private mutating func device(_ id: String, atLeast revision: Double) throws -> Device? {
        if let read = devices[id] { return read }
        if let device = cachedDevice(id), Double(device.revision) >= revision { return device }
        guard let db else { throw NotCachedError() }
        let device = try DeviceRecords.one(id, db)
        devices[id] = .some(device)
        return device
    }

    /// Returns the event of a row; nil if it was deleted meanwhile.
    private func event(_ row: JournalRow) throws -> Event? {
        if let event = row.about as? Event { return event }
        guard let db else { throw NotCachedError() }
        return try row.subject.flatMap { try EventRecords.one($0, db) }
    }

    private mutating func command(_ id: String) throws -> Command? {
        guard let db else { throw NotCachedError() }
        if let read = commands[id] { return read }
        let command = try CommandRecords.one(id, db)
        commands[id] = .some(command)
        return command
    }
}
