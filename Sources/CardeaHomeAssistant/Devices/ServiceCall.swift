import CardeaModel

/// A service call to one entity in Home Assistant.
struct ServiceCall: Hashable, Sendable {
    let service: String
    var data: [String: JSONValue] = [:]

    init(_ service: String, _ data: [String: JSONValue] = [:]) {
        self.service = service
        self.data = data
    }

    /// The fields of `call_service`.
    func fields(for entityID: String) -> [String: JSONValue] {
        [
            "domain": .string(String(entityID.prefix { $0 != "." })), "service": .string(service), "service_data": .object(data),
            "target": ["entity_id": .string(entityID)],
        ]
    }
}
