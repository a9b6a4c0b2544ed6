import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Makes an integration out of its settings. The executable knows the kinds; the hub does not.
public protocol IntegrationFactory: Sendable {
    var integration: String { get }
    /// - Parameter settings: JSON as `Integrations.connect` was given it.
    /// - Throws: `IntegrationSettingsError` when the settings cannot work.
    func make(settings: Data, desk: any DeviceSink) throws -> any RunningIntegration
    /// The settings with what is not shown of those before them, and so could not be typed again.
    func restoreRedacted(_ settings: Data, from before: Data) -> Data
    /// What may be shown of the settings.
    func redacted(_ settings: Data) -> [String: JSONValue]
    /// Which server these settings lead to, and by what it is known: where it is another than before, the hub sends its credentials elsewhere,
    /// and believes somebody else. Nil where they lead to none.
    func server(_ settings: Data) -> String?
    /// What the other side may do with the house's own locks by these settings; nil for nothing.
    func grant(_ settings: Data) -> IntegrationGrant?
    /// The entities that an announcement would give; nil where this integration reads none.
    ///
    /// - Throws: `IntegrationSettingsError` where the topic is none, or is needed and missing.
    func check(announcement: String, at topic: String?) throws -> AnnouncementCheck?
    /// One device out of two of this integration, which it knows by that device's attributes from its next start on.
    ///
    /// - Throws: `MergeError` where they cannot be one.
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
