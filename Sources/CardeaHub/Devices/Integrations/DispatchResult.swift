import CardeaModel
import CardeaStore
import Foundation

/// What became of handing an order over. The outcome is another matter: that is what the device reports.
public enum DispatchResult: Hashable, Sendable {
    /// It is on its way; a report will tell.
    case dispatched
    /// It is on its way, and this device never reports: nobody will know.
    case dispatchedWithoutReport
    /// It may be on its way, and nobody will know.
    case uncertain(reason: String)
    /// Definitely not sent.
    case refused(reason: String)
    /// Definitely not sent: the device is there, and does not do this, or not with this value. Asking again does not help.
    case unsupported
}
