import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A row of the journal with what it tells of, read so that it can be shown to whoever may see it.
public struct JournalEvent: Sendable {
    public let seq: Int64
    public let at: Date
    public let fact: Fact

    public init(seq: Int64, at: Date, fact: Fact) {
        self.seq = seq
        self.at = at
        self.fact = fact
    }

    public enum Fact: Sendable {
        /// A device as it stands now, and what one of its entities said then.
        case device(Device, said: ReportedState?)
        case deviceRemoved(id: String)
        case command(Command)
        case guest(id: String, [String: JSONValue])
        case person(id: String)
        /// Whoever had this id is nobody any more.
        case personErased(id: String)
        case house([String: JSONValue])
        /// A scene or a room; which one, and whether it is gone.
        case scene(id: String, removed: Bool)
        case room(id: String, removed: Bool)
        /// How a connection to the outside world stands since then, with its reason in words.
        case integration(String, [String: JSONValue])
        /// A phone: one that waits for somebody to confirm it, or one of a person's own.
        case phone(id: String, of: String?)
        /// Something was seen at the house.
        case event(Event)
        /// An event was put into words.
        case eventUpdated(Event)
        case eventRemoved(id: String)
        /// A camera was described anew, or is in reach or out of it.
        case camera(id: String, [String: JSONValue])
        /// A button was described anew, or is gone.
        case button(id: String, removed: Bool)
        /// A tag, or where none is named what the house leaves to tags.
        case tag(id: String?, [String: JSONValue])
        /// Something that is to be done in the house.
        case maintenance(id: String, removed: Bool)
        /// Something of the house's mind.
        case mind(MindUpdate)
    }

    /// What of the mind changed.
    public struct MindUpdate: Sendable {
        public let part: Part
        /// Which one; nil where there is but one.
        public let id: String?
        /// Whose it is: nobody else hears of it. Nil for what is the household's.
        public let personID: String?
        public let data: [String: JSONValue]

        public enum Part: String, Sendable, CaseIterable {
            case memory, interview, twin, automation
            /// Somebody asked the house something, and was answered.
            case asked
            /// How the house feels, or how it is.
            case standing
        }

        init(_ part: Part, _ row: JournalRow) {
            self.part = part
            id = row.subject
            personID = row.data["person_id"]?.string
            var told = row.data.filter { part.payloadKeys.contains($0.key) }
            // What was made or changed is there; a twin's row does not say so.
            if part.payloadKeys.contains("removed"), told["removed"] == nil { told["removed"] = false }
            data = told
        }
    }

    /// What an entity said.
    public struct ReportedState: Hashable, Sendable {
        public let entityID: String
        public let state: EntityState

        public init(entityID: String, state: EntityState) {
            self.entityID = entityID
            self.state = state
        }
    }

    /// The event's name on the wire (Seed 004, item 11, and ours).
    public var name: Name {
        switch fact {
        case .device: .deviceUpdate
        case .deviceRemoved: .deviceRemoved
        case .command: .commandUpdate
        case .guest: .guestUpdate
        case .person: .personUpdate
        case .personErased: .personErased
        case .house: .houseUpdate
        case .scene: .sceneUpdate
        case .room: .roomUpdate
        case .integration: .statusUpdate
        case .phone: .phoneUpdate
        case .event: .event
        case .eventUpdated: .eventUpdate
        case .eventRemoved: .eventRemoved
        case .camera: .cameraUpdate
        case .button: .buttonUpdate
        case .tag: .tagUpdate
        case .maintenance: .maintenanceUpdate
        case .mind(let news): news.part.name
        }
    }

    public enum Name: String, Hashable, Sendable, CaseIterable {
        case deviceUpdate = "device_update"
        case deviceRemoved = "device_removed"
        case commandUpdate = "command_update"
        case guestUpdate = "guest_update"
        case personUpdate = "person_update"
        case personErased = "person_erased"
        case houseUpdate = "house_update"
        case sceneUpdate = "scene_update"
        case roomUpdate = "room_update"
        case statusUpdate = "status_update"
        case phoneUpdate = "phone_update"
        case event
        case eventUpdate = "event_update"
        case eventRemoved = "event_removed"
        case cameraUpdate = "camera_update"
        case buttonUpdate = "button_update"
        case tagUpdate = "tag_update"
        case maintenanceUpdate = "maintenance_update"
        case memoryUpdate = "memory_update"
        case interviewUpdate = "interview_update"
        case twinUpdate = "twin_update"
        case automationUpdate = "automation_update"
        case consciousnessQuery = "consciousness_query"
        /// No fact of its own: devices that changed together, told as one message to whoever asks for it.
        case batchDeviceUpdate = "batch_device_update"
    }
}

extension JournalEvent.MindUpdate.Part {
    fileprivate var name: JournalEvent.Name {
        switch self {
        case .memory: .memoryUpdate
        case .interview: .interviewUpdate
        case .twin: .twinUpdate
        case .automation: .automationUpdate
        case .asked: .consciousnessQuery
        case .standing: .statusUpdate
        }
    }

    /// What of a row is told of it; the rest is the mind's own.
    fileprivate var payloadKeys: Set<String> {
        switch self {
        case .memory, .twin, .automation: ["removed"]
        case .interview: ["status", "current_phase"]
        case .asked: ["query", "response", "confidence"]
        case .standing: ["status"]
        }
    }

    /// Under which name the wire tells which one it is.
    public var idField: String {
        switch self {
        case .memory: "memory_id"
        case .interview: "interview_id"
        case .twin: "twin_id"
        case .automation: "automation_id"
        case .asked: "query_id"
        case .standing: "part"
        }
    }
}

/// Rows become events: what they name is looked up with them, each thing once.
struct JournalEventReader {
    /// Where it is looked up; nil where memory must do.
    let db: Database?
    /// What is known of a device already; it is read only where the row is newer.
    let cachedDevice: (String) -> Device?
    private var devices: [String: Device?] = [:]
    private var commands: [String: Command?] = [:]

    /// What a row names is not in memory as the row knows it.
    struct NotCachedError: Error {}

    init(_ db: Database?, known: @escaping (String) -> Device?) {
        self.db = db
        self.cachedDevice = known
    }

    /// - Parameter seq: what has been told already; a row may stand for more numbers than its own.
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

    /// Kinds whose rows may be somebody's.
    private static let personal: Set<Journal.Kind> = [
        .houseAsked, .mindChanged, .memoryChanged, .interviewChanged, .automationChanged, .twinChanged,
    ]

    private mutating func fact(_ row: JournalRow) throws -> JournalEvent.Fact? {
        // Whose it was has been erased: there is nothing to tell any more.
        if row.subject == nil, row.data.isEmpty, Self.personal.contains(row.kind) { return nil }
        switch row.kind {
        case .deviceAnnounced, .deviceChanged, .deviceUpdate:
            guard let id = row.deviceID else { return nil }
            let said = row.subject.flatMap { entityID in
                row.data["state"]?.string.map {
                    let attributes: [String: JSONValue] = if case .object(let members)? = row.data["attributes"] { members } else { [:] }
                    return JournalEvent.ReportedState(entityID: entityID, state: EntityState($0, attributes: attributes))
                }
            }
            return try fact(ofDevice: id, atLeast: row.data["revision"]?.number ?? 0, said: said)
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
        // What it has to say to somebody comes as a notice.
        case .mindChanged: return row.data["notice"] == nil ? .mind(.init(.standing, row)) : nil
        case .roomChanged: return row.subject.map { .room(id: $0, removed: row.data["removed"] == true) }
        }
    }

    private mutating func fact(ofDevice id: String, atLeast revision: Double, said: JournalEvent.ReportedState? = nil) throws
        -> JournalEvent.Fact
    {
        try device(id, atLeast: revision).map { .device($0, said: said) } ?? .deviceRemoved(id: id)
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

    /// One that was deleted meanwhile is told no more.
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
