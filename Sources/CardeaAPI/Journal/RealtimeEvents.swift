import CardeaModel

/// Every kind of event that the hub tells, and what it tells with it.
public enum RealtimeEvent: String, CaseIterable, SchemaRepresentable {
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
    case batchDeviceUpdate = "batch_device_update"

    /// Any of them.
    public static let schema = Schema.answer(
        ["seq": .sequence, "type": .enumeration(RealtimeEvent.self), "data": .map(), "timestamp": .time],
        optional: ["change": .of(SaidData.self)])

    /// This one.
    public var schema: Schema {
        let optional: KeyValuePairs<String, Schema> = self == .deviceUpdate ? ["change": .of(SaidData.self)] : [:]
        return .answer(["seq": .sequence, "type": .constant(.string(rawValue)), "data": data, "timestamp": .time], optional: optional)
    }

    var data: Schema {
        switch self {
        case .deviceUpdate: .of(DeviceAnswer.self)
        case .deviceRemoved: .of(DeviceRemovedData.self)
        case .commandUpdate: .of(CommandAnswer.self)
        case .guestUpdate:
            .answer(
                ["guest_id": .id],
                optional: [
                    "decision": .enumeration(["approve", "reject", "suspend", "resume", "revoke"]).about(
                        "What somebody of the house decided"),
                    "paired": .boolean.about("It was taken"), "asks": .boolean.about("It waits for somebody of the house to say yes"),
                ])
        case .personUpdate, .personErased: .answer(["person_id": .id])
        case .houseUpdate: .map()
        case .sceneUpdate: .answer(["scene_id": .id, "removed": .boolean])
        case .roomUpdate: .answer(["room_id": .id, "removed": .boolean])
        case .statusUpdate:
            .either(
                .answer([
                    "integration": .text(), "status": .enumeration(["connecting", "connected", "failed", "off"]), "reason": .text().orNull,
                ]), .answer(["part": .constant("mind"), "status": .enumeration(["active", "inactive", "processing", "sleeping"])]))
        case .phoneUpdate: .answer(["id": .id, "waits": .boolean])
        case .event, .eventUpdate: .of(EventSummary.self)
        case .eventRemoved: .answer(["event_id": .id])
        case .cameraUpdate:
            .answer(
                ["camera_id": .id],
                optional: ["removed": .boolean, "is_online": .boolean, "reason": .text().orNull])
        case .buttonUpdate: .answer(["button_id": .id, "removed": .boolean])
        case .tagUpdate: .answer([:], optional: ["tag_id": .id, "removed": .boolean, "alarm": .boolean])
        case .maintenanceUpdate: .answer(["task_id": .id, "removed": .boolean])
        case .memoryUpdate: .answer(["memory_id": .id, "removed": .boolean])
        case .interviewUpdate: .answer(["interview_id": .id, "status": .text(), "current_phase": .text()])
        case .twinUpdate: .answer(["twin_id": .id, "removed": .boolean])
        case .automationUpdate: .answer(["automation_id": .id, "removed": .boolean])
        case .consciousnessQuery: .answer(["query": .text(), "response": .text(), "confidence": .number(0...1)])
        case .batchDeviceUpdate: .answer(["events": .list(of: RealtimeEvent.deviceUpdate.schema)])
        }
    }

    var summary: String {
        switch self {
        case .deviceUpdate: "A device as it stands now; `change` is what one of its entities said with this row"
        case .deviceRemoved: "A device is gone"
        case .commandUpdate: "A command moved on"
        case .guestUpdate: "A pass changed: read it anew"
        case .personUpdate: "Somebody of the house changed"
        case .personErased: "Somebody was erased for good: what a client keeps of them goes too"
        case .houseUpdate: "What the house prefers changed"
        case .sceneUpdate: "A scene changed, or is gone"
        case .roomUpdate: "A room changed, or is gone"
        case .statusUpdate: "How a connection to the outside world stands from now on, or how the house's mind is"
        case .phoneUpdate: "A phone asks to be paired, or waits no longer; or one of your own was paired, renamed or taken off"
        case .event: "Something was seen at the house"
        case .eventUpdate: "An event that was told before has words now"
        case .eventRemoved: "An event was deleted"
        case .cameraUpdate: "A camera was described anew, or is in reach or out of it"
        case .buttonUpdate: "A button changed, or is gone"
        case .tagUpdate: "A tag changed, is gone, or said an older number again; without `tag_id` what the house leaves to tags changed"
        case .maintenanceUpdate: "Something that is to be done in the house changed, was done, is due, or is gone"
        case .memoryUpdate: "A memory changed, or is gone"
        case .interviewUpdate: "Your interview went on"
        case .twinUpdate: "A twin was made, changed or taken back"
        case .automationUpdate: "An automation changed, or is gone"
        case .consciousnessQuery: "You asked the house something, on this screen or another, and were answered"
        case .batchDeviceUpdate: "Devices that changed together; told to whoever names it in `kinds`"
        }
    }
}

extension Schema {
    static let sequence = integer(from: 0).about("A row of the journal; it rises")
}

extension DeviceRemovedData: SchemaRepresentable {
    public static let schema = Schema.answer(["device_id": .deviceID])
}

extension SaidData: SchemaRepresentable {
    public static let schema = Schema.answer(["entity_id": .entityID, "state": .text(example: "unlocked"), "attributes": .map()])
}
