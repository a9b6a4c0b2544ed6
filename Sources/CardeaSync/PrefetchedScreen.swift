import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A part of an app whose answers can be read ahead (Seed 004, item 41).
public enum PrefetchedScreen: Hashable, Sendable, CaseIterable {
    /// Content one tap away from the devices: their sensors' last day, energy, air quality.
    case devices
    /// Pending approvals, and each guest whose pass has not ended.
    case guests
    /// The household, the person's sessions and tokens, the integrations.
    case settings
    /// The cameras, and the pictures of the latest events.
    case events
    /// The house's mood with its causes, and its latest memories.
    case mind
}
