import CardeaModel
import CardeaStore
import Foundation

/// What an entity said of itself.
public struct EntityReport: Hashable, Sendable {
    public let entityID: String
    public let state: EntityState
    /// Attributes of the device that changed with it.
    public let deviceAttributes: [String: JSONValue]
    /// False for what was said some time ago and only heard now, such as a retained message: it tells the state but answers no command.
    public let isFresh: Bool
    /// A press, or another event: said again, it happened again. Of a sensor it may be one.
    public let isPress: Bool
    /// The command that it answers, and no other; nil where it may answer any.
    public let answeredCommandID: String?

    /// How it came to be known, where that is not by the change itself.
    ///
    /// - Parameter before: what the entity had said until then. A sensor's word is a press only after nothing: else it is a change.
    func reportKind(of kind: EntityKind, after before: EntityState) -> ReportKind? {
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
