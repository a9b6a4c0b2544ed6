/// The reason why a card on a reader cannot be used. The descriptions are for the person at the reader, and say how to solve it.
public enum PCSCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The PC/SC service does not run.
    case noService
    /// It does not let this person near the readers.
    case accessDenied
    case noReader
    case unknownReader(String, there: [String])
    /// No card was laid on a reader in time.
    case noCard
    /// Cards lie on more than one reader.
    case multipleCards([String])
    /// The card was removed during the exchange.
    case cardRemoved
    /// It is on the reader and does not answer.
    case unresponsiveCard
    /// Another program speaks to it.
    case busy
    /// Anything else, by the number that PC/SC has for it.
    case other(UInt32)

    init(_ code: UInt32) {
        self =
            switch code {
            case 0x8010_001D, 0x8010_001E: .noService
            case 0x8010_0027, 0x8010_006A: .accessDenied
            case 0x8010_002E, 0x8010_0017, 0x8010_0009: .noReader
            case 0x8010_000A: .noCard
            // Both protocols are offered, and the card's choice is used: another protocol means that the card is gone, or not there yet.
            case 0x8010_000F: .cardRemoved
            case 0x8010_000C, 0x8010_0069, 0x8010_0068, 0x8010_0067, 0x8010_0016, 0x8010_0013, 0x8010_002F: .cardRemoved
            case 0x8010_0066: .unresponsiveCard
            case 0x8010_000B: .busy
            default: .other(code)
            }
    }

    public var description: String {
        switch self {
        case .noService:
            "Nothing looks after card readers here. Install pcscd and start it: sudo apt install pcscd, sudo systemctl start pcscd.socket"
        case .accessDenied: "You may not use the card readers of this machine from here. Sit down at it, or ask as root."
        case .noReader: "No card reader is there. Plug one in, one that pcscd knows, such as an ACR122U or ACR1252U."
        case .unknownReader(let name, let there):
            "No reader is called \"\(name)\". There is: \(there.joined(separator: ", "))."
        case .noCard: "No tag was laid on the reader. Lay one in its middle, and try again."
        case .multipleCards(let readers):
            "Something lies on more than one reader: \(readers.joined(separator: ", ")). Say which with --reader."
        case .cardRemoved: "The tag was taken away too soon. Lay it on the reader, leave it there, and try again."
        case .unresponsiveCard: "The tag on the reader does not respond. Lay it flat in the middle, with no other tag, and try again."
        case .busy: "Another program is using the tag. Close it, and try again."
        case .other(let code): "The reader did not do what was asked (\(String(code, radix: 16, uppercase: true)))."
        }
    }
}
