import CardeaModel
import CardeaStore
import Foundation

/// A state report of an entity.
public struct EntityReport: Hashable, Sendable {
    public let entityID: String
    public let state: EntityState
    /// Attributes of the device that changed with it.
    public let deviceAttributes: [String: JSONValue]
    /// False for a report that is older than its arrival, such as a retained message: it sets the state but completes no command.
    public let isFresh: Bool
    /// A press or another event, which repeats when the report is repeated. A sensor's report may be one.
    public let isPress: Bool
    /// The only command that it answers; nil if it may answer any.
    public let answeredCommandID: String?

    /// The kind of the report: retained, or a press; nil for a plain change.
    ///
    /// - Parameter before: the previous state. A sensor's report is a press only if its state was unknown before; otherwise it is a change.
    func reportKind(of kind: EntityKind, after before: EntityState) -> StateReportKind? {
        guard isFresh else { return .kept }
        return isPress && (kind != .sensor || before.value == "unknown") ? .press : nil
    }

    public init(
        entityID: String, state: EntityState, deviceAttributes: [String: JSONValue] = [:], isFresh: Bool = true, isPress: Bool = false,
        answers: String? = nil
    ) {
        self.entityID = entityID
        self.state = state
        self.deviceAttributes = deviceAttributes
        self.isFresh = isFresh
        self.isPress = isPress
        self.answeredCommandID = answers
    }
}
