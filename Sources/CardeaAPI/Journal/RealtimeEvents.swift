import CardeaModel

/// Every kind of event that the hub sends, with its data.
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
        optional: ["change": .of(StateReportData.self)])

    /// This one.
    public var schema: Schema {
        let optional: KeyValuePairs<String, Schema> = self == .deviceUpdate ? ["change": .of(StateReportData.self)] : [:]
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
                        "A person's decision"),
                    "paired": .boolean.about("The code was redeemed"), "asks": .boolean.about("It waits for approval"),
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
        case .deviceUpdate: "A device's present state; `change` is the reported change of one of its entities"
        case .deviceRemoved: "A device was removed"
        case .commandUpdate: "A command's status changed"
        case .guestUpdate: "A pass changed; fetch it again"
        case .personUpdate: "A person changed"
        case .personErased: "A person was erased; clients delete their copies"
        case .houseUpdate: "House settings changed"
        case .sceneUpdate: "A scene changed or was deleted"
        case .roomUpdate: "A room changed or was deleted"
        case .statusUpdate: "The status of an integration or of the house's mind changed"
        case .phoneUpdate: "A phone asks to be paired or no longer waits; or one of the caller's phones was paired, renamed or removed"
        case .event: "An event was recorded"
        case .eventUpdate: "An earlier event got its description"
        case .eventRemoved: "An event was deleted"
        case .cameraUpdate: "A camera's settings or availability changed"
        case .buttonUpdate: "A button changed or was deleted"
        case .tagUpdate: "A tag changed, was deleted, or repeated an old counter; without `tag_id`, the tag policy changed"
        case .maintenanceUpdate: "A maintenance task changed, was done, became due, or was deleted"
        case .memoryUpdate: "A memory changed or was deleted"
        case .interviewUpdate: "The caller's interview continued"
        case .twinUpdate: "A twin was created, changed or deleted"
        case .automationUpdate: "An automation changed or was deleted"
        case .consciousnessQuery: "The caller's question was answered, on this client or another"
        case .batchDeviceUpdate: "Devices that changed together; sent only if `kinds` names this type"
        }
    }
}

extension Schema {
    static let sequence = integer(from: 0).about("Sequence number in the journal; increases")
}

extension DeviceRemovedData: SchemaRepresentable {
    public static let schema = Schema.answer(["device_id": .deviceID])
}

extension StateReportData: SchemaRepresentable {
    public static let schemaName = "SaidData"
    public static let schema = Schema.answer(["entity_id": .entityID, "state": .text(example: "unlocked"), "attributes": .map()])
}
