import CardeaModel

/// Whose doing is asked about.
public enum ActorFilter: Hashable, Sendable {
    case anybody, guests
    /// By their keys: `person:{id}`, `guest:{id}`.
    case actors([String])
}
