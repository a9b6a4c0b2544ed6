/// What tags may do in this house, by how much harm it can do.
public struct TagPolicy: Hashable, Sendable {
    /// Off: no tag and no link does anything.
    public var isOn: Bool
    /// What changes comfort and not access.
    public var control: Permission
    /// What lets somebody in. A static tag never does, whatever is written here.
    public var open: Permission

    public init(isOn: Bool = true, control: Permission = .confirmed, open: Permission = .confirmed) {
        self.isOn = isOn
        self.control = control
        self.open = open
    }

    public enum Permission: String, Hashable, Sendable, Codable, CaseIterable {
        case never
        /// Where the tag proves nothing, whoever taps says yes on their screen first.
        case confirmed
        /// A known person's tap is enough.
        case atOnce = "at_once"
    }

    public enum Decision: Hashable, Sendable {
        case act
        /// Whoever tapped is asked on their screen.
        case confirm
        case refuse(TagRefusal)
    }

    /// Whether a tap of a known person is heard. What the person may is for the gate to say, afterwards.
    public func decide(_ kind: TagKind, _ risk: Risk, isConfirmed: Bool) -> Decision {
        guard isOn else { return .refuse(.off) }
        let leave = risk == .open ? open : control
        guard leave != .never else { return .refuse(.notByTag) }
        switch kind {
        case .live, .sun: return .act
        case .static where risk == .open: return .refuse(.needsProof)
        case .static: return isConfirmed || leave == .atOnce ? .act : .confirm
        }
    }

    /// Whether the page that a tag opens does it at once. What lets somebody in is asked for there first, and so is a live link, which acts by
    /// another's right.
    public func allowsWithoutConfirmation(_ kind: TagKind, _ risk: Risk) -> Bool {
        kind != .live && risk != .open && decide(kind, risk, isConfirmed: false) == .act
    }
}

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
