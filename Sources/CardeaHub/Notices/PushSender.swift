import CardeaSecurity
import Foundation

/// Brings a notification to one browser or phone by way of the push service that it belongs to. `CardeaPush` fills this port.
public protocol PushSender: Sendable {
    /// Asks the service to bring `parcel`, once. Who wants it tried again asks again.
    func send(_ parcel: PushMessage, to address: PushAddress) async -> PushResult
}
