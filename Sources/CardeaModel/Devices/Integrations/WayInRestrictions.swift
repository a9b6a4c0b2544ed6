import Foundation

/// The protection of an entity that is a way in by the house's memory, whatever its announcement says.
public struct WayInRestrictions: Hashable, Sendable {
    /// It is a way in until a person says otherwise.
    public var isHeld = false
    /// Members may not open it, since it shares a topic with a security device.
    public var isSecurity = false
    /// The way in whose topic it shares.
    public var shares: String?
    /// It is announced with other topics or payloads than the household knows.
    public var isRewired = false
    /// Its commands to lock, to close or to stop are announced otherwise than the household knows, and might open.
    public var hasChangedCommands = false
    /// When its announcement last changed, or it came to share a topic.
    public var changedAt: Date?

    public init(
        isHeld: Bool = false, isSecurity: Bool = false, shares: String? = nil, isRewired: Bool = false, hasOtherOrders: Bool = false,
        changedAt: Date? = nil
    ) {
        self.isHeld = isHeld
        self.isSecurity = isSecurity
        self.shares = shares
        self.isRewired = isRewired
        self.hasChangedCommands = hasOtherOrders
        self.changedAt = changedAt
    }

    /// Closed to guests, and to everything set up before: tags, buttons, scenes and automations.
    public var isClosed: Bool { isRewired || shares != nil }

    /// Also its orders to lock, to close and to stop might open something.
    public var isUntrusted: Bool { hasChangedCommands || shares != nil }

    /// As the journal keeps it: words with blanks between them.
    public var storedText: String {
        var words: [String] = []
        if isHeld { words.append("held") }
        if isSecurity { words.append("security") }
        if isRewired { words.append("rewired") }
        if hasChangedCommands { words.append("other_orders") }
        if let shares { words.append("shares:\(shares)") }
        return words.joined(separator: " ")
    }

    public init(words: String, changedAt: Date? = nil) {
        self.init(changedAt: changedAt)
        for word in words.split(separator: " ").map(String.init) {
            switch word {
            case "held": isHeld = true
            case "security": isSecurity = true
            case "rewired": isRewired = true
            case "other_orders": hasChangedCommands = true
            default: if word.hasPrefix("shares:") { shares = String(word.dropFirst("shares:".count)) }
            }
        }
    }
}
