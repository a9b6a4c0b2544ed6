import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A row of the journal with the objects it names, for those who may see it.
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
        /// A device in its present state, and what one of its entities reported then.
        case device(Device, reported: ReportedState?)
        case deviceRemoved(id: String)
        case command(Command)
        case guest(id: String, [String: JSONValue])
        case person(id: String)
        /// The person with this id was erased.
        case personErased(id: String)
        case house([String: JSONValue])
        /// A scene or a room; which one, and whether it is gone.
        case scene(id: String, removed: Bool)
        case room(id: String, removed: Bool)
        /// The status of a connection to another system, with its reason in words.
        case integration(String, [String: JSONValue])
        /// A phone: one that waits for confirmation, or a person's own.
        case phone(id: String, of: String?)
        /// Something was seen at the house.
        case event(Event)
        /// An event was put into words.
        case eventUpdated(Event)
        case eventRemoved(id: String)
        /// A camera was changed, or became reachable or unreachable.
        case camera(id: String, [String: JSONValue])
        /// A button was changed or deleted.
        case button(id: String, removed: Bool)
        /// A tag; without an id, the tag policy.
        case tag(id: String?, [String: JSONValue])
        /// Something that is to be done in the house.
        case maintenance(id: String, removed: Bool)
        /// Something of the house's mind.
        case mind(MindUpdate)
    }

    /// The part of the mind that changed.
    public struct MindUpdate: Sendable {
        public let part: Part
        /// The id of the part; nil if there is only one.
        public let id: String?
        /// The only person who receives it; nil if it is for the whole household.
        public let personID: String?
        public let data: [String: JSONValue]

        public enum Part: String, Sendable, CaseIterable {
            case memory, interview, twin, automation
            /// A person asked the house something, and it answered.
            case asked
            /// The house's mood or status.
            case standing
        }

        init(_ part: Part, _ row: JournalRow) {
            self.part = part
            id = row.subject
            personID = row.data["person_id"]?.string
            var payload = row.data.filter { part.payloadKeys.contains($0.key) }
            // The object exists; a twin's row does not state it.
            if part.payloadKeys.contains("removed"), payload["removed"] == nil { payload["removed"] = false }
            data = payload
        }
    }

    /// A state that an entity reported.
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
        /// Not a fact of its own: devices that changed together, as one message for clients that ask for it.
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

    /// The keys of a row's data that are published; the others are internal to the mind.
    fileprivate var payloadKeys: Set<String> {
        switch self {
        case .memory, .twin, .automation: ["removed"]
        case .interview: ["status", "current_phase"]
        case .asked: ["query", "response", "confidence"]
        case .standing: ["status"]
        }
    }

    /// The name of the id field on the wire.
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
