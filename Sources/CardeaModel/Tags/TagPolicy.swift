/// The actions that tags may take in this house, by risk.
public struct TagPolicy: Hashable, Sendable {
    /// If false, no tag and no link does anything.
    public var isOn: Bool
    /// The permission for actions that affect comfort and not access.
    public var control: Permission
    /// The permission for actions that open a way in. A static tag never has it, whatever is set here.
    public var open: Permission

    public init(isOn: Bool = true, control: Permission = .confirmed, open: Permission = .confirmed) {
        self.isOn = isOn
        self.control = control
        self.open = open
    }

    public enum Permission: String, Hashable, Sendable, Codable, CaseIterable {
        case never
        /// A person who taps a tag that proves nothing confirms on their screen first.
        case confirmed
        /// A known person's tap is enough.
        case atOnce = "at_once"
    }

    public enum Decision: Hashable, Sendable {
        case act
        /// The person who tapped is asked on their screen.
        case confirm
        case refuse(TagRefusal)
    }

    /// Decides on a tap by a known person. The gate decides afterwards what the person may do.
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

    /// Returns whether the page that a tag opens acts without confirmation. An action that opens a way in is confirmed there first, and so
    /// is a live link, which acts by another person's right.
    public func allowsWithoutConfirmation(_ kind: TagKind, _ risk: Risk) -> Bool {
        kind != .live && risk != .open && decide(kind, risk, isConfirmed: false) == .act
    }
}
