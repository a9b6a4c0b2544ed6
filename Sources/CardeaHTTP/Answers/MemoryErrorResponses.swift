import CardeaMind
import CardeaModel
import HTTPTypes

/// Errors of the house's mind, as status and code.
extension APIResponseError {
    static func memories(_ problem: MemoryError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "memory_not_found", "There is no memory with this id. Reload the list of memories.")
        case .field(.name("content", .tooLong)): .name(.tooLong, field: "content", limit: Memory.contentLimit)
        case .field(let problem): .field(problem)
        case .notAllowed: APIResponseError(.forbidden, "forbidden", "Only its author, an owner or an admin may change this memory.")
        case .readOnly: APIResponseError(.conflict, "conflict", "This memory records an event and cannot be changed.")
        case .learned:
            APIResponseError(
                .conflict, "conflict", "This memory was learned. Send a correction, or delete it.")
        case .correction(.doesNotFit): .validation("correction", "does not match this memory: it corrects another kind of habit")
        case .correction(.outOfRange): .validation("correction", "must have hours from 0 to 167, and low must not be above high")
        case .correction(.implausible(let range)):
            .validation(
                "correction",
                "must have low and high from \(Int(range.lowest)) to \(Int(range.highest)) \(range.unit) for this sensor"
            )
        case .correction(.tooMany):
            APIResponseError(.conflict, "conflict", "The house has the maximum number of corrections. Delete one first.")
        case .stale(let memory): .preconditionFailed(MemoryResponses.answer(memory), version: memory.version)
        case .limitReached:
            APIResponseError(.conflict, "conflict", "The house has the maximum number of memories. Delete one first.")
        case .noDevice(let id): .validation("related_devices", "has an unknown device: \(id.prefix(100)). Use ids from the list of devices")
        }
    }
}
