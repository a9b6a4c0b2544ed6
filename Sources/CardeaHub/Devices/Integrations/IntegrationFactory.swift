import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Makes an integration from its settings. The executable knows the kinds; the hub does not.
public protocol IntegrationFactory: Sendable {
    var integration: String { get }
    /// - Parameter settings: JSON as `Integrations.connect` was given it.
    /// - Throws: `IntegrationSettingsError` when the settings cannot work.
    func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration
    /// Fills in the redacted fields of `settings` from the previous settings, since a user cannot type them again.
    func restoreRedacted(_ settings: Data, from before: Data) -> Data
    /// The settings without their secrets, safe to show.
    func redacted(_ settings: Data) -> [String: JSONValue]
    /// The server that these settings lead to, and how it is recognised; nil if they lead to none. When it changes, the hub sends its
    /// credentials to another server and trusts another one.
    func server(_ settings: Data) -> String?
    /// The rights on the house's own locks that these settings give the other side; nil for none.
    func grant(_ settings: Data) -> IntegrationGrant?
    /// The entities that an announcement would give; nil if this integration does not read announcements.
    ///
    /// - Throws: `IntegrationSettingsError` if the topic is invalid, or is required and missing.
    func check(announcement: String, at topic: String?) throws -> AnnouncementCheck?
    /// Merges two devices of this integration into one. The integration recognises it by that device's attributes from its next start on.
    ///
    /// - Throws: `MergeError` if they cannot be merged.
    func merge(_ other: MergeCandidate, into staying: MergeCandidate) throws -> MergeResult
}

extension IntegrationFactory {
    public func restoreRedacted(_ settings: Data, from before: Data) -> Data { settings }
    public func grant(_ settings: Data) -> IntegrationGrant? { nil }
    public func check(announcement: String, at topic: String?) throws -> AnnouncementCheck? { nil }

    public func merge(_ other: MergeCandidate, into staying: MergeCandidate) throws -> MergeResult {
        throw MergeError("Devices of \(integration) cannot be merged.")
    }
}
