import Foundation

/// Something that somebody may want to be told of.
public struct NoticeTrigger: Hashable, Sendable {
    public let kind: NoticeKind
    /// The event, the command that waits for a yes, or the job that is at its end.
    public let subject: String
    /// What belongs together and is told once: a visit at the door, an ask.
    public let incident: String
    /// The camera, or the source where there is none; the device of an ask.
    public let place: String
    /// When it happened.
    public let at: Date
    /// What there is to say, where its kind and its place do not say it.
    public let text: String?
    /// The same to those who read temperatures otherwise, where there is one in it.
    public let localizedText: [TemperatureUnit: String]
    /// The only one whom it concerns; nil for everybody who may know.
    public let personID: String?
    /// Only whoever holds it may know.
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

    /// In the words of somebody who reads temperatures so.
    public func localized(in unit: TemperatureUnit) -> NoticeTrigger {
        NoticeTrigger(
            kind: kind, subject: subject, incident: incident, place: place, at: at, words: localizedText[unit] ?? text, personID: personID,
            needs: requiredRight)
    }
}
