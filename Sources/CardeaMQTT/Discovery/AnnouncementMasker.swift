import CardeaModel

/// Masks the secrets of an announcement, so that it can be shown and sent with a bug report. Everything else stays unchanged, and text that
/// is not JSON is masked as text.
struct AnnouncementMasker {
    static let mask = "•••"

    /// The announcement as text, its secrets masked.
    static func masked(_ payload: [UInt8]) -> String {
        var mask = AnnouncementMasker(bytes: Array(String(decoding: payload, as: UTF8.self).utf8))
        mask.run()
        let output = JSONValue.read(payload) == nil ? SecretMasker.masked(mask.output[...]) : mask.output
        return String(decoding: output, as: UTF8.self)
    }

    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []
    /// The name of the member whose value comes next.
    private var member: String?
    /// The nesting at which a secret object or list began.
    private var secretDepth: Int?
    private var depth = 0

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): text()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if secretDepth == nil, isSecret { secretDepth = depth }
                member = nil
                copy()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if secretDepth == depth { secretDepth = nil }
                depth -= 1
                copy()
            case UInt8(ascii: ","):
                member = nil
                copy()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            default: copy()
            }
        }
    }

    private mutating func copy() {
        output.append(bytes[position])
        position += 1
    }

    private var isSecret: Bool { secretDepth != nil || member.map(Self.isSecret) ?? false }

    /// A text: the name of a member, or a value.
    private mutating func text() {
        let start = position + 1
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        end = min(end, bytes.count)
        let content = bytes[start..<end]
        position = min(end + 1, bytes.count)
        output.append(UInt8(ascii: "\""))
        if isName {
            member = String(decoding: content, as: UTF8.self)
            output += content
        } else if isSecret || isBareCode(content) {
            output += Self.mask.utf8
        } else {
            output += SecretMasker.masked(content)
        }
        if end < bytes.count { output.append(UInt8(ascii: "\"")) }
    }

    /// A colon follows.
    private var isName: Bool {
        bytes[position...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
    }

    private mutating func number() {
        let end = bytes[position...].firstIndex { !Self.numeric.contains($0) } ?? bytes.count
        let content = bytes[position..<end]
        if isSecret || isBareCode(content) {
            output += "\"\(Self.mask)\"".utf8
        } else {
            output += content
        }
        position = end
    }

    private static let numeric = Set("+-.0123456789eE".utf8)

    /// A command of four digits or more is the code itself.
    private func isBareCode(_ content: ArraySlice<UInt8>) -> Bool {
        guard let member, member.hasPrefix("payload_") || member.hasPrefix("pl_"), content.count >= 4 else { return false }
        return content.allSatisfy { (0x30...0x39).contains($0) }
    }

    // MARK: Names

    /// Names that describe a code, or state whether one is required.
    private static let harmless: Set = ["code_format", "code_arm_required", "code_disarm_required", "code_trigger_required"]

    /// True for the name of a member that holds a secret.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased().replacing("keypad", with: "")
        if harmless.contains(name) { return false }
        if ["password", "passwd", "secret", "token", "key", "code"].contains(where: name.contains) { return true }
        // As a whole word: `ping` and `spinning` do not match.
        return name.split { !$0.isLetter }.contains { ["pin", "pwd", "psk"].contains($0) }
    }
}
