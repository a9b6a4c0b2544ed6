import CardeaSecurity
import Foundation

/// Writes and reads tags, with a phone's reader or one at a desk.
public protocol TagWriter: Sendable {
    /// True if this device has a reader; without one nothing about tags is shown (Seed 002, item 28).
    static var isAvailable: Bool { get }

    /// Writes a link on the tag at the reader, and reads it back.
    ///
    /// - Parameters:
    ///   - words: the instruction for the person, such as "Hold your iPhone near the NFC tag to configure it".
    func write(_ link: Secret, asking words: String) async throws(TagWritingError) -> String
}

public enum TagWritingError: Error, Hashable, Sendable {
    /// The person cancelled; no message is shown (Seed 002, item 17).
    case cancelled
    /// The tag holds fewer octets than the link has.
    case tooSmall(capacity: Int)
    /// It is locked.
    case readOnly
    /// No tag, several tags, or a removed one.
    case lost
    /// The content read back is different.
    case notReadBack
    /// The system's words.
    case reader(String)

    /// For an alert; nil if none is shown.
    public var message: String? {
        switch self {
        case .cancelled: nil
        case .tooSmall: "Tag too small. Use NTAG215 or NTAG216."
        case .readOnly: "The tag is locked. Use another tag."
        case .lost: "The connection to the tag was lost. Hold the tag still and try again; its previous configuration still works."
        case .notReadBack: "The written data could not be verified. Try again; the previous configuration still works."
        case .reader(let words): words
        }
    }
}
