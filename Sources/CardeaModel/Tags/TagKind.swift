import Foundation

/// The kind of a tag, and so what it can prove.
public enum TagKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A live link that was just made, without a tag. It proves that its maker wanted this now, once.
    case live
    /// Plain memory, which anyone can read and copy. It names a place and proves nothing.
    case `static`
    /// An NTAG 424 DNA, which says another thing at each touch. It proves that it was touched once more than before, and not when.
    case sun
}
