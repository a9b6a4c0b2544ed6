import CardeaSecurity
import Foundation

/// The recipient of a push message.
public enum PushAddress: Sendable {
    case browser(WebPushSubscription)
    case apple(ApplePushSubscription)

    /// The delivery channels.
    public enum Channel: String, Sendable, CaseIterable {
        case browser = "web"
        case apple = "apns"
    }

    public var channel: Channel {
        switch self {
        case .browser: .browser
        case .apple: .apple
        }
    }
}
