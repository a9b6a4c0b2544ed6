import CardeaModel

/// What a name in a sentence may stand for.
enum Referent: Hashable, Sendable {
    case device(String)
    /// One function of a device that has a name of its own.
    case entity(device: String, entity: String)
    case room(String)
    case person(String)
    case guest(String)
    case scene(String)
    case camera(String)
}
