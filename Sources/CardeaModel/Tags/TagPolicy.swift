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
