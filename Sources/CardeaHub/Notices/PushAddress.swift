import CardeaSecurity
import Foundation

/// Who is to get it.
public enum PushAddress: Sendable {
    case browser(WebPushSubscription)
    case apple(ApplePushSubscription)

    /// By which way it goes.
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
