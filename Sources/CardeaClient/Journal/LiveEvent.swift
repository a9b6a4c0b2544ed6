import CardeaAPI
import CardeaModel
import Foundation

/// What is told while one listens to a house.
public enum LiveEvent: Sendable {
    /// The house is listened to, from here on without a gap.
    case connected
    /// Nothing is heard until it is tried again, so long from now. What happens meanwhile is told then.
    case interrupted(ClientError, retryIn: Duration)
    /// Everything as it stands, where nothing was known before or what happened since is no longer told.
    case snapshot([DeviceAnswer])
    /// A device as it stands now; `said` is what one of its entities said with this.
    case device(DeviceAnswer, said: SaidData?)
    case deviceRemoved(id: String)
    case command(CommandAnswer)
    /// A pass, somebody, a scene, a room or the house's settings changed: read it anew.
    case changed(ResourceName)
    /// Something was seen at the house.
    case eventRecorded(EventSummary)
    /// An event that was told before was put into words: no second one.
    case eventDescribed(EventSummary)
    /// An event was deleted.
    case eventRemoved(id: String)
    /// You asked the house something, here or on another screen, and were answered.
    case questionAnswered(query: String, response: String)
    /// How a connection of the house to the outside stands.
    case integrationStatus(name: String, status: String)
    /// What a newer hub tells and this side does not know.
    case other(ChangeEvent)

    public enum ResourceName: Hashable, Sendable {
        case guest(id: String)
        case person(id: String)
        case scene(id: String, removed: Bool)
        case room(id: String, removed: Bool)
        case house
        /// A phone that waits to be confirmed, or one of one's own.
        case phone(id: String, waits: Bool)
        case button(id: String, removed: Bool)
        /// A tag; nil where what the house leaves to tags changed.
        case tag(id: String?, removed: Bool)
        /// Something that is to be done in the house.
        case maintenance(id: String, removed: Bool)
        case memory(id: String, removed: Bool)
        /// How far a conversation is in which devices are taken in.
        case interview(id: String, status: String, phase: String)
        case twin(id: String, removed: Bool)
        case automation(id: String, removed: Bool)
        /// How the house feels, or how it is.
        case mind
    }
}

extension LiveEvent {
    /// What does not say what its name promises is passed on as it is.
    init(_ event: ChangeEvent) {
        self = Self.known(event) ?? .other(event)
    }

    private static func known(_ event: ChangeEvent) -> LiveEvent? {
        switch event.content {
        case .device(let device, let said): return .device(device, said: said)
        case .command(let command): return .command(command)
        case .other(let data):
            let removed = data["removed"]?.bool ?? false
            switch event.event {
            case .deviceRemoved: return event.text("device_id").map { .deviceRemoved(id: $0) }
            case .guestUpdate: return event.text("guest_id").map { .changed(.guest(id: $0)) }
            case .personUpdate, .personErased: return event.text("person_id").map { .changed(.person(id: $0)) }
            case .houseUpdate: return .changed(.house)
            case .sceneUpdate: return event.text("scene_id").map { .changed(.scene(id: $0, removed: removed)) }
            case .roomUpdate: return event.text("room_id").map { .changed(.room(id: $0, removed: removed)) }
            case .statusUpdate where event.text("part") == "mind": return .changed(.mind)
            case .statusUpdate:
                guard let name = event.text("integration"), let status = event.text("status") else { return nil }
                return .integrationStatus(name: name, status: status)
            case .phoneUpdate: return event.text("id").map { .changed(.phone(id: $0, waits: data["waits"]?.bool ?? false)) }
            case .event, .eventUpdate:
                guard let bytes = try? WireFormat.encode(data), let seen = try? WireFormat.read(EventSummary.self, from: bytes) else {
                    return nil
                }
                return event.event == .event ? .eventRecorded(seen) : .eventDescribed(seen)
            case .eventRemoved: return event.text("event_id").map { .eventRemoved(id: $0) }
            case .buttonUpdate: return event.text("button_id").map { .changed(.button(id: $0, removed: removed)) }
            case .tagUpdate: return .changed(.tag(id: event.text("tag_id"), removed: removed))
            case .maintenanceUpdate: return event.text("task_id").map { .changed(.maintenance(id: $0, removed: removed)) }
            case .memoryUpdate: return event.text("memory_id").map { .changed(.memory(id: $0, removed: removed)) }
            case .twinUpdate: return event.text("twin_id").map { .changed(.twin(id: $0, removed: removed)) }
            case .automationUpdate: return event.text("automation_id").map { .changed(.automation(id: $0, removed: removed)) }
            case .interviewUpdate:
                guard let id = event.text("interview_id"), let status = event.text("status"), let phase = event.text("current_phase") else {
                    return nil
                }
                return .changed(.interview(id: id, status: status, phase: phase))
            case .consciousnessQuery:
                guard let query = event.text("query"), let response = event.text("response") else { return nil }
                return .questionAnswered(query: query, response: response)
            case .deviceUpdate, .commandUpdate, .cameraUpdate, .batchDeviceUpdate, nil: return nil
            }
        }
    }
}
