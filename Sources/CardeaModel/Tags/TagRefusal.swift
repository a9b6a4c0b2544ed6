/// Why a tap does nothing. The names are the wire's.
public enum TagRefusal: String, Error, Hashable, Sendable, Codable, CaseIterable {
    /// Tags are switched off in this house.
    case off = "tags_off"
    /// The button is off, or tags do not press it.
    case buttonOff = "button_off"
    /// No link of a tag.
    case malformed
    /// No tag of this house.
    case unknown = "unknown_tag"
    /// Nobody has read back from it what it was to say.
    case unwritten = "not_written"
    /// Not made by this tag, or with this button's secret.
    case forged
    /// A live link that was made too long ago.
    case stale
    /// It was used before.
    case used = "already_used"
    /// An older touch than one that was believed: an old link, or a copy of the tag.
    case replayed
    /// The house was put back from a backup, and nobody who may change settings has touched the tag since.
    case unsynced = "not_read_in"
    /// It was touched by somebody who may change settings, and is known again from the next touch on.
    case synced = "read_in"
    /// Touched again too soon.
    case cooldown
    /// The button was changed since the tag was written.
    case outdated
    /// What this does is not left to tags.
    case notByTag = "not_by_tag"
    /// A tag that can be copied opens no door.
    case needsProof = "needs_proof"
    /// Encrypted as LRP does it.
    case unsupported
    /// Whoever tapped is to say yes first.
    case unconfirmed = "confirmation_required"
    /// Too many links that were none.
    case tooMany = "too_many_tries"
}
