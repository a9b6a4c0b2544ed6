import Dispatch
import Foundation
import Synchronization

/// An event of the terminal while a page is drawn on it.
enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    case resized
    /// Ctrl-Z.
    case suspended
    /// The program is to end, by this signal.
    case signal(Int32)

    enum Key: Hashable, Sendable {
        case quit, next, back, first, last, redraw

        /// The keys that were pressed together, as fast as a paste or one after the other.
        static func all(in bytes: [UInt8]) -> [Key] {
            bytes.first == 0x1B ? [Key(bytes)].compactMap(\.self) : bytes.compactMap { Key([$0]) }
        }

        /// The key with these bytes; nil for an unsupported one.
        init?(_ bytes: [UInt8]) {
            switch String(decoding: bytes, as: UTF8.self) {
            case "q", "Q", "\u{04}": self = .quit
            case " ", "f", "j", "n", "\r", "\n", "\u{1B}[6~", "\u{1B}[B", "\u{1B}[C", "\u{1B}OB", "\u{1B}OC": self = .next
            case "b", "k", "p", "\u{7F}", "\u{1B}[5~", "\u{1B}[A", "\u{1B}[D", "\u{1B}OA", "\u{1B}OD": self = .back
            case "g", "\u{1B}[H", "\u{1B}[1~", "\u{1B}OH": self = .first
            case "G", "\u{1B}[F", "\u{1B}[4~", "\u{1B}OF": self = .last
            case "\u{0C}": self = .redraw
            default: return nil
            }
        }
    }
}
