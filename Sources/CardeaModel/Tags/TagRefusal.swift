/// The reason why a tap does nothing. The names are the wire's.
public enum TagRefusal: String, Error, Hashable, Sendable, Codable, CaseIterable {
    /// Tags are switched off in this house.
    case off = "tags_off"
    /// The button is off, or tags do not press it.
    case buttonOff = "button_off"
    /// Not a link of a tag.
    case malformed
    /// Not a tag of this house.
    case unknown = "unknown_tag"
    /// The tag's content has not been read back since it was to be written.
    case unwritten = "not_written"
    /// Not made by this tag, or with this button's secret.
    case forged
    /// A live link that was made too long ago.
    case stale
    /// It was used before.
    case used = "already_used"
    /// An older touch than an accepted one: an old link, or a copy of the tag.
    case replayed
    /// The house was restored from a backup, and no person who may change settings has touched the tag since.
    case unsynced = "not_read_in"
    /// A person who may change settings touched it; it works again from the next touch on.
    case synced = "read_in"
    /// The tag was touched again too soon.
    case cooldown
    /// The button was changed since the tag was written.
    case outdated
    /// The policy does not allow this action by tags.
    case notByTag = "not_by_tag"
    /// A tag that can be copied opens no door.
    case needsProof = "needs_proof"
    /// The tag encrypts with LRP.
    case unsupported
    /// The person who tapped must confirm first.
    case unconfirmed = "confirmation_required"
    /// Too many invalid links.
    case tooMany = "too_many_tries"
}
