import CardeaModel

/// The actors whose actions are asked about.
public enum ActorFilter: Hashable, Sendable {
    case anybody, guests
    /// By their keys: `person:{id}`, `guest:{id}`.
    case actors([String])
}
