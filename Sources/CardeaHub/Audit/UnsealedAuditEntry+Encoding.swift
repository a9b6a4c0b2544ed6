import CardeaModel
import CardeaStore
import Foundation

/// The three parts of an entry in the form of RFC 8785, before they are sealed. Members may be added but never changed: an older hub
/// ignores those it does not know.
extension UnsealedAuditEntry {
    /// The owner of the key that seals the actor; nil if the actor is unknown, or the house itself.
    var actor: String? {
        switch kind {
        case "person", "guest": id.map { "\(kind):\($0)" }
        default: nil
        }
    }

    /// The person or guest concerned besides `actor`. A grant is a person's role or a guest's pass. API tokens and automations belong to
    /// the person who made them; backups concern no one.
    func subject(besides actor: String?) -> String? {
        guard let grantID, !grantID.hasPrefix("token:"), !grantID.hasPrefix("automation:"),
            !grantID.hasPrefix("backup:")
        else { return nil }
        let name = grantID.hasPrefix("role:") ? "person:" + grantID.dropFirst("role:".count) : "guest:" + grantID
        return name == actor ? nil : name
    }

    var eventBytes: [UInt8] {
        var members = CanonicalJSON.ObjectWriter(room: 512)
        members.add("action", action)
        members.add("at", at.milliseconds)
        members.add("command", commandID)
        members.add("device", deviceID)
        members.add("entity", entityID)
        members.add("journal", journalSeq)
        members.add("means", means)
        members.add("reason", reason?.rawValue)
        members.add("result", result)
        return members.bytes()
    }

    /// - Parameter subject: the other person concerned. The grant is stored with them.
    func actorBytes(besides subject: String?) -> [UInt8] {
        var members = CanonicalJSON.ObjectWriter(room: 512)
        members.add("grant", subject == nil ? grantID : nil)
        members.add("id", id)
        members.add("kind", kind)
        members.add("remote", remote)
        members.add("request", requestID)
        return members.bytes()
    }

    var subjectBytes: [UInt8] {
        var members = CanonicalJSON.ObjectWriter(room: 512)
        members.add("grant", grantID)
        return members.bytes()
    }

    private struct Event: Decodable {
        let action: String
        let at: Int64
        let command: String?
        let device: String?
        let entity: String?
        let journal: Int64?
        let means: String?
        let reason: String?
        let result: String
    }

    private struct Actor: Decodable {
        let grant: String?
        let id: String?
        let kind: String
        let remote: String?
        let request: String?
    }

    private struct Subject: Decodable {
        let grant: String
    }

    /// Decodes an entry from its unsealed parts.
    ///
    /// - Parameters: actor, subject: nil if the key is destroyed, or there is none.
    init(event: Data, actor: Data?, subject: Data?) throws {
        let decoder = JSONDecoder()
        let event = try decoder.decode(Event.self, from: event)
        let actor = try actor.map { try decoder.decode(Actor.self, from: $0) }
        let subject = try subject.map { try decoder.decode(Subject.self, from: $0) }
        self.init(
            at: Date(milliseconds: event.at), kind: actor?.kind ?? "erased", id: actor?.id, action: event.action, result: event.result,
            reading: event.reason)
        deviceID = event.device
        entityID = event.entity
        grantID = subject?.grant ?? actor?.grant
        means = event.means
        commandID = event.command
        journalSeq = event.journal
        remote = actor?.remote
        requestID = actor?.request
    }
}
