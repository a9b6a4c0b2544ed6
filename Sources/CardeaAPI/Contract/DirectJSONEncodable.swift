import CardeaModel
import Foundation

/// An answer that is written with every change of the house: writing it member by member avoids the encoder, which takes many times as
/// long. The result is that of its `encode(to:)`.
public protocol DirectJSONEncodable: Encodable {
    /// Writes the members, in the order of their names.
    func write(to members: inout CanonicalJSON.ObjectWriter) throws(CanonicalJSON.NotFiniteError)
}

extension DirectJSONEncodable {
    /// The object as encoded JSON.
    public var jsonText: String {
        get throws(CanonicalJSON.NotFiniteError) {
            var members = CanonicalJSON.ObjectWriter(room: 1024)
            try write(to: &members)
            return members.finishedText
        }
    }

    /// The same as a tree.
    public var jsonValue: JSONValue {
        get throws {
            let bytes = Data(try jsonText.utf8)
            // The reader gives nil for deep nesting, a limit for strangers' input that does not apply here.
            return try JSONValue.read(Array(bytes)) ?? JSONDecoder().decode(JSONValue.self, from: bytes)
        }
    }
}

extension DeviceAnswer: DirectJSONEncodable {
    public func write(to members: inout CanonicalJSON.ObjectWriter) throws(CanonicalJSON.NotFiniteError) {
        try write(to: &members, nil, nil, .house)
    }

    /// The device with its entities as they were written before: most often one of them changes, and the others need not be written again.
    /// What it is made of is written already as well.
    ///
    /// - Parameters:
    ///   - entities: nil if they are still to be written.
    ///   - make: nil if it is still to be written.
    public func bytes(
        entities: [String]? = nil, make: DeviceStaticFields? = nil, form: DeviceFormat = .house
    ) throws(CanonicalJSON.NotFiniteError) -> [UInt8] {
        var members = CanonicalJSON.ObjectWriter(room: 2048 + (entities ?? []).reduce(0) { $0 + $1.utf8.count })
        try write(to: &members, entities, make, form)
        return members.bytes()
    }

    private func write(
        to members: inout CanonicalJSON.ObjectWriter, _ texts: [String]?, _ make: DeviceStaticFields?, _ form: DeviceFormat
    ) throws(CanonicalJSON.NotFiniteError) {
        members.add("actions", actions.map(\.rawValue))
        let attributesText = if let make { make.attributesText } else { try CanonicalJSON.encode(.object(attributes)) }
        members.add("attributes", written: attributesText)
        if let make {
            members.add("capabilities", written: make.capabilitiesText)
        } else if let capabilities {
            try members.add("capabilities", capabilities)
        } else {
            members.addNull("capabilities")
        }
        members.add("connection_method", connectionMethod.rawValue)
        let untold = DeviceSummary.remainingReadings(parts)
        let customText =
            if untold.isEmpty {
                isStateUnknown ? "{}" : attributesText
            } else {
                try CanonicalJSON.encode(.object((isStateUnknown ? [:] : attributes).merging(untold) { own, _ in own }))
            }
        let summary = form == .source ? SourceDeviceState.typed(state) : state
        try members.add("current_state") { members throws(CanonicalJSON.NotFiniteError) in
            for name in DeviceSummary.names {
                if name == DeviceSummary.attributes {
                    members.add(name, written: customText)
                } else {
                    try members.add(name, value: summary[name] ?? .null)
                }
            }
        }
        members.add("device_class", deviceClass.rawValue)
        members.add("device_id", deviceID)
        try members.add("discovery_confidence", orNull: discoveryConfidence)
        members.add("discovery_method", orNull: discoveryMethod)
        if let texts {
            members.add("entities", written: texts)
        } else {
            try members.add("entities", count: entities.count) { index, members throws(CanonicalJSON.NotFiniteError) in
                try entities[index].write(to: &members)
            }
        }
        members.add("hub_id", orNull: hubID)
        if form == .source { members.add("id", deviceID) }
        members.add("integration", integration)
        members.add("is_guest_accessible", isGuestAccessible)
        members.add("is_security_device", isSecurityDevice)
        if let lastReported {
            try members.add("last_reported") { members throws(CanonicalJSON.NotFiniteError) in
                members.add("at", Timestamp.text(lastReported.at))
                try members.add("members", lastReported.members)
            }
        } else {
            members.addNull("last_reported")
        }
        members.add("last_seen", orNull: lastSeen.map(Timestamp.text))
        if form == .source { members.add("location", orNull: room) }
        members.add("manufacturer", orNull: manufacturer)
        members.add("model", orNull: model)
        members.add("name", name)
        members.add("requires_hub", orNull: requiresHub)
        members.add("revision", Int64(revision))
        members.add("room", orNull: room)
        members.add("room_id", orNull: roomID)
        try members.add("state", state)
        members.add("state_changed_at", Timestamp.text(stateChangedAt))
        members.add("status", status.rawValue)
        if let supportedFeatures { members.add("supported_features", supportedFeatures) } else { members.addNull("supported_features") }
        members.add("user_description", orNull: userDescription)
        if form == .source { members.add("user_name", name) }
        members.add("version", Int64(version))
    }
}

extension EntityAnswer: DirectJSONEncodable {
    public func write(to members: inout CanonicalJSON.ObjectWriter) throws(CanonicalJSON.NotFiniteError) {
        try members.add("actions", count: actions.count) { index, members in
            members.add("action", actions[index].action.rawValue)
            members.add("risk", actions[index].risk.rawValue)
        }
        try members.add("attributes", attributes)
        members.add("device_class", orNull: deviceClass)
        members.add("entity_category", orNull: category?.rawValue)
        members.add("entity_id", entityID)
        members.add("entity_type", entityType.rawValue)
        members.add("icon", orNull: icon)
        if let isAssumed { members.add("is_assumed", isAssumed) }
        members.add("is_enabled", isEnabled)
        if let isWayIn { members.add("is_way_in", isWayIn) }
        members.add("kind", kind.rawValue)
        if let lastReported {
            try members.add("last_reported") { members throws(CanonicalJSON.NotFiniteError) in
                members.add("at", Timestamp.text(lastReported.at))
                try members.add("attributes", lastReported.attributes)
                members.add("state", lastReported.state)
            }
        } else {
            members.addNull("last_reported")
        }
        members.add("name", name)
        members.add("notice", orNull: notice)
        if let opensWayIn { members.add("opens_way_in", opensWayIn) }
        if let proposesWayIn { members.add("proposes_way_in", proposesWayIn) }
        members.add("state", state)
        members.add("unique_id", orNull: uniqueID)
        members.add("unit_of_measurement", orNull: unitOfMeasurement)
        if let wayInStatus { members.add("way_in_standing", wayInStatus.rawValue) }
    }
}

extension CommandAnswer: DirectJSONEncodable {
    public func write(to members: inout CanonicalJSON.ObjectWriter) throws(CanonicalJSON.NotFiniteError) {
        members.add("action", action.rawValue)
        members.add("command_id", commandID)
        members.add("device_id", deviceID)
        members.add("entity_id", entityID)
        members.add("execution_time", executionTime.map(Int64.init))
        if let newState {
            try members.add("new_state") { members throws(CanonicalJSON.NotFiniteError) in
                try members.add("attributes", newState.attributes)
                members.add("state", newState.state)
            }
        }
        members.add("reason", reason)
        members.add("status", status.rawValue)
    }
}

extension StateReportData: DirectJSONEncodable {
    public func write(to members: inout CanonicalJSON.ObjectWriter) throws(CanonicalJSON.NotFiniteError) {
        try members.add("attributes", attributes)
        members.add("entity_id", entityID)
        members.add("state", state)
    }
}
