import CardeaAPI
import CardeaModel

enum PersonText {
    /// The role, and the person's additional rights.
    static func role(_ person: PersonAnswer) -> String {
        let isExtra = person.canInviteGuests && !person.role.rights.contains(.inviteGuests)
        return person.role.rawValue + (isExtra ? ", lets guests in" : "")
    }
}
