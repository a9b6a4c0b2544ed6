import CardeaAPI
import CardeaModel
import Foundation

/// An event that the house sends while a client listens.
public enum LiveEvent: Sendable {
    /// The house is listened to, from here on without a gap.
    case connected
    /// The connection is lost until the next try, after `retryIn`. Events of the meantime are delivered then.
    case interrupted(ClientError, retryIn: Duration)
    /// All devices, if nothing was known before or earlier events are no longer kept.
    case snapshot([DeviceAnswer])
    /// The present device; `said` is the new state of one of its entities.
    case device(DeviceAnswer, said: StateReportData?)
    case deviceRemoved(id: String)
    case command(CommandAnswer)
    /// A pass, a person, a scene, a room or the house's settings changed: read it again.
    case changed(ResourceName)
    /// Something was seen at the house.
    case eventRecorded(EventSummary)
    /// An earlier event got a description: it is not a second event.
    case eventDescribed(EventSummary)
    /// An event was deleted.
    case eventRemoved(id: String)
    /// An answer to a question that this person asked, here or on another device.
    case questionAnswered(query: String, response: String)
    /// The status of an integration.
    case integrationStatus(name: String, status: String)
    /// An event of a newer hub that this version does not know.
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
        /// A tag; nil if the house's policy for tags changed.
        case tag(id: String?, removed: Bool)
        /// A maintenance task.
        case maintenance(id: String, removed: Bool)
        case memory(id: String, removed: Bool)
        /// The progress of a conversation that adds devices.
        case interview(id: String, status: String, phase: String)
        case twin(id: String, removed: Bool)
        case automation(id: String, removed: Bool)
        /// The mood or the status of the house.
        case mind
    }
}

extension LiveEvent {
    /// Passes on an event as `other` if its content does not match its name.
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
