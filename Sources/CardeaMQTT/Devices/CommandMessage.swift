import CardeaModel
import CardeaTemplates
import Foundation

/// One message to a device.
struct CommandMessage: Hashable, Sendable {
    let topic: String
    let payload: String
}
