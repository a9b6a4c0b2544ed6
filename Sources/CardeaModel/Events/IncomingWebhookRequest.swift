import Foundation

/// A webhook's request, as it came.
public struct IncomingWebhookRequest: Sendable {
    /// The last step of the path, which names the type of the event; nil if there is none.
    public var type: String?
    /// The part of the URL behind the question mark, as it was written.
    public var query: String
    public var contentType: String?
    public var body: Data

    /// Bytes of a body at most: a picture of a camera, and what is around it.
    public static let bodyLimit = 6 << 20

    public init(type: String? = nil, query: String = "", contentType: String? = nil, body: Data = Data()) {
        self.type = type
        self.query = query
        self.contentType = contentType
        self.body = body
    }
}
