import Foundation

/// The makes whose reports are understood.
public enum IncomingWebhookVendor: String, Codable, Hashable, Sendable, CaseIterable {
    case axis
    /// Amcrest and Lorex too.
    case dahua
    case doorbird
    /// Any other: the usual names of fields and words.
    case generic
    case hikvision
    case reolink
    case shelly
    case unifi

    /// True if a device reports much that is no event, so that a code that is not known is none.
    var reportsNonEvents: Bool { self == .hikvision || self == .dahua }
}
