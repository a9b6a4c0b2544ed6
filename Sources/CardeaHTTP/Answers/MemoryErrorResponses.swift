import CardeaMind
import CardeaModel
import HTTPTypes

/// Errors of the house's mind, as status and code.
extension APIResponseError {
    static func memories(_ problem: MemoryError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "memory_not_found", "There is no such memory.")
        case .field(let problem): .field(problem)
        case .notAllowed: APIResponseError(.forbidden, "forbidden", "Only whoever told it, or who looks after the house, may change it.")
        case .readOnly: APIResponseError(.conflict, "conflict", "This is what happened. It can be looked up, and not be changed.")
        case .learned:
            APIResponseError(
                .conflict, "conflict", "This was learned. Say what is right instead with correction, or delete it to have it not learned.")
        case .correction(.doesNotFit): .validation("correction", "is about another side of a habit than this memory tells of")
        case .correction(.outOfRange): .validation("correction", "has hours of 0 to 167, and a low that is not above its high")
        case .correction(.implausible(let range)):
            .validation(
                "correction",
                "lies from \(Int(range.lowest)) to \(Int(range.highest)) \(range.unit) for such a sensor; say low and high in \(range.unit)"
            )
        case .correction(.tooMany):
            APIResponseError(.conflict, "conflict", "The house keeps as many corrections as it can. Take one back first.")
        case .stale(let memory): .preconditionFailed(MemoryResponses.answer(memory), version: memory.version)
        case .limitReached:
            APIResponseError(.conflict, "conflict", "The house remembers as much as it can. Have it forget something first.")
        case .noDevice(let id): .validation("related_devices", "names \(id.prefix(100)), which is no device")
        }
    }
}
