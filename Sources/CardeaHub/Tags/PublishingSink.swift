import CardeaModel
import Foundation

/// Where connections that publish for buttons say how they stand.
public protocol PublishingSink: Sendable {
    func reportConnection(_ way: Publication.Broker, isUp: Bool) async
}
