/// The reason why a tag cannot be read or written. The descriptions are for the person who holds it.
public enum NFCTagError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not a tag for messages: another kind of card, or an unformatted one.
    case unsuitable
    /// Its description of itself is impossible.
    case malformed
    /// It cannot be written any more, or not without its key.
    case readOnly
    /// The way to lock a tag of this make is unknown.
    case unknownLock
    /// - Parameters:
    ///   - needs: octets.
    ///   - has: octets.
    case tooSmall(needs: Int, has: Int)
    /// The card refused, with its status number.
    case refused(Step, status: UInt16)
    /// The content read back is not the content that was written.
    case verificationFailed

    public enum Step: String, Hashable, Sendable {
        case select = "be chosen"
        case read = "be read"
        case write = "be written"
        case lock = "be locked"
        case uid = "say its number"
    }

    public var description: String {
        switch self {
        case .unsuitable: "This is no tag that links are written on. Use an NTAG215, NTAG216 or NTAG 424 DNA."
        case .malformed: "This tag says things of itself that cannot be. Try another one."
        case .readOnly: "This tag is locked: it cannot be written again. Use another one."
        case .unknownLock: "How this tag is locked is not known here. Use an NTAG213, NTAG215 or NTAG216."
        case .tooSmall(let needs, let has):
            "Tag too small: the link needs \(needs) octets, and there is room for \(has). Use NTAG215 or NTAG216."
        case .refused(let step, let status):
            "The tag would not \(step.rawValue) (\(Self.hex(status))). Lay it on the reader again, flat and still, and try once more."
        case .verificationFailed:
            "What is on the tag now is not what was written. Lay it on the reader again, flat and still, and try once more."
        }
    }

    private static func hex(_ status: UInt16) -> String {
        let digits = String(status, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
