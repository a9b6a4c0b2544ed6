import CardeaModel
import Foundation

extension Events {
    /// An event as reported by its source.
    public struct Draft: Sendable {
        public var source: String
        public var cameraID: String?
        public var type: String
        public var description: String?
        public var confidence: Int?
        public var occurredAt: Date
        /// A JPEG as received: it is checked when the event is recorded.
        public var picture: Data?
        /// The reason why there is no picture, if the source already knows it.
        public var pictureProblem: PictureError?

        public init(
            source: String, cameraID: String? = nil, type: String, description: String? = nil, confidence: Int? = nil, occurredAt: Date,
            picture: Data? = nil
        ) {
            self.source = source
            self.cameraID = cameraID
            self.type = type
            self.description = description
            self.confidence = confidence
            self.occurredAt = occurredAt
            self.picture = picture
        }

        /// Sets a picture from Base64.
        public mutating func setPicture(pictureText text: String) {
            picture = Base64Picture.bytes(in: text)
            pictureProblem = picture == nil ? .notBase64 : nil
        }
    }

    /// A draft that was validated.
    struct ValidatedDraft: Sendable {
        let source: String
        let cameraID: String?
        let type: DetectionType
        let description: String
        let confidence: Int?
        let at: Date

        var place: String { cameraID ?? source }
        var sighting: Incident.Sighting { Incident.Sighting(place: place, at: at, type: type) }
    }

    /// The maximum number of characters of a description.
    public static let maxDescriptionLength = 2000
    /// Seconds that a source's clock may be ahead of the house's.
    static let clockTolerance: TimeInterval = 300

    static func validate(_ draft: Draft, at now: Date, days: Int) throws(EventError) -> ValidatedDraft {
        guard let type = DetectionType(rawValue: draft.type.lowercased()) else {
            throw .field("type", "must have 1 to 64 characters of a-z, 0-9, _, - and .")
        }
        let description = draft.description ?? ""
        guard description.count <= maxDescriptionLength, !description.unicodeScalars.contains(where: isInvisible) else {
            throw .field("description", "must have at most \(maxDescriptionLength) visible characters")
        }
        if let confidence = draft.confidence, !(0...100).contains(confidence) { throw .field("confidence", "must be from 0 to 100") }
        guard draft.occurredAt <= now.addingTimeInterval(clockTolerance) else {
            throw .field("occurred_at", "is in the future by the house's clock. Check the sender's clock")
        }
        guard draft.occurredAt > now.addingTimeInterval(-Double(days) * 86_400) else {
            throw .field("occurred_at", "is older than the retention period of events")
        }
        return ValidatedDraft(
            source: try name(draft.source, "source"),
            cameraID: try draft.cameraID.map { text throws(EventError) in try name(text, "camera_id") },
            type: type, description: description, confidence: draft.confidence, at: Date(milliseconds: draft.occurredAt.milliseconds))
    }

    private static func name(_ text: String, _ field: String) throws(EventError) -> String {
        do { return try Name.check(text) } catch { throw .field(field, "must have 1 to \(Name.limit) visible characters") }
    }

    /// Line breaks and tabs are allowed in a text; invisible characters and those that change its direction are not.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\n" && scalar != "\t"
        case .format: scalar != "\u{200D}"
        case .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
