import CardeaModel
import Foundation

/// Receives the connection state of the publishers for buttons.
public protocol PublishingSink: Sendable {
    func reportConnection(_ way: ButtonPublication.Broker, isUp: Bool) async
}
