import Foundation

/// A fact that may be notified to people.
public struct NotifiableFact: Hashable, Sendable {
    public let kind: NoticeKind
    /// The event, the command that waits for approval, or the job that has ended.
    public let subject: String
    /// The id of the facts that share one notification: a visit at the door, or one request for approval.
    public let incident: String
    /// The camera, or the source if there is none; for a request for approval, the device.
    public let place: String
    /// When it happened.
    public let at: Date
    /// The text, if kind and place do not say it; nil otherwise.
    public let text: String?
    /// The same text for people who read temperatures in another unit, if it contains one.
    public let localizedText: [TemperatureUnit: String]
    /// The only person whom it concerns; nil for everyone who may know.
    public let personID: String?
    /// The right that a person needs to be notified.
    public let requiredRight: Right

    public init(
        kind: NoticeKind, subject: String, incident: String, place: String, at: Date, words: String? = nil,
        wordsIn: [TemperatureUnit: String] = [:], personID: String? = nil, needs: Right? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.incident = incident
        self.place = place
        self.at = at
        self.text = words
        self.localizedText = wordsIn
        self.personID = personID
        self.requiredRight = needs ?? (kind == .ask ? .inviteGuests : .controlDevices)
    }

    /// Returns the same fact in the words for readers of this temperature unit.
    public func localized(in unit: TemperatureUnit) -> NotifiableFact {
        NotifiableFact(
            kind: kind, subject: subject, incident: incident, place: place, at: at, words: localizedText[unit] ?? text, personID: personID,
            needs: requiredRight)
    }
}
