import CardeaModel

/// A possible meaning of a name in a sentence.
enum Referent: Hashable, Sendable {
    case device(String)
    /// An entity of a device that has a name of its own.
    case entity(device: String, entity: String)
    case room(String)
    case person(String)
    case guest(String)
    case scene(String)
    case camera(String)
}
