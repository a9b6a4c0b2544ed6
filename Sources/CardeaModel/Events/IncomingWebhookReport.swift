import Foundation

/// An event that a webhook reports.
public struct IncomingWebhookReport: Hashable, Sendable {
    public let type: DetectionType
    /// Unchecked.
    public let picture: Data?
    /// The reason why there is no picture, if one was expected.
    public let pictureProblem: PictureError?

    public enum ReportError: Error, Hashable, Sendable {
        /// The last step of the path is no type of an event.
        case type
        /// The body is in none of the known forms, and nothing else says what happened.
        case unreadable
    }

    /// - Parameters:
    ///   - make: whose names of fields and words are looked for.
    ///   - usual: the type of an event if the request does not say it.
    /// - Returns: nil for the end of an event, a sign of life or a trial.
    public static func read(
        _ request: IncomingWebhookRequest, of make: IncomingWebhookVendor, usual: DetectionType
    ) throws(ReportError) -> IncomingWebhookReport? {
        var named: DetectionType?
        if let text = request.type {
            named = IncomingWebhookVocabulary.type(of: text)
            guard named != nil else { throw .type }
        }
        let message = IncomingWebhookMessage(query: request.query, contentType: request.contentType, body: request.body)
        if IncomingWebhookVocabulary.isNoEvent(message, of: make) { return nil }
        if let type = named ?? IncomingWebhookVocabulary.type(of: message, by: make, usual: usual) {
            return IncomingWebhookReport(type, message)
        }
        if make.reportsNonEvents {
            if message.isUnreadable { throw .unreadable }
            if message.hasText { return nil }
        }
        return IncomingWebhookReport(usual, message)
    }

    private init(_ type: DetectionType, _ message: IncomingWebhookMessage) {
        self.type = type
        picture = message.picture
        pictureProblem = message.picture == nil ? message.pictureProblem : nil
    }
}
