import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A part of an app whose answers can be read ahead (Seed 004, item 41).
public enum PrefetchedScreen: Hashable, Sendable, CaseIterable {
    /// What is a tap away from the devices: their sensors' last day, energy, the air.
    case devices
    /// Who waits, and each guest whose pass is not over.
    case guests
    /// The household, one's sessions and tokens, what the house is connected to.
    case settings
    /// The cameras, and the pictures of what was seen last.
    case events
    /// How the house feels and why, and what it remembers of late.
    case mind
}
