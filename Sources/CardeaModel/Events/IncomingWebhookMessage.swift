import Foundation

/// The fields and the picture of a webhook's request, whatever form its body has.
struct IncomingWebhookMessage {
    struct Field: Hashable {
        /// In small letters; in a JSON body with the names of the objects around it: `alarm.triggers.key`.
        let name: String
        let value: String
    }

    private(set) var fields: [Field] = []
    /// The first picture that came, unchecked.
    private(set) var picture: Data?
    /// A field for a picture holds something else.
    private(set) var pictureProblem: PictureError?
    /// The body holds text that is in none of the known forms.
    private(set) var isUnreadable = false
    /// The body says anything but a picture.
    private(set) var hasText = false

    private static let fieldLimit = 256
    private static let textLimit = 64 * 1024
    private static let valueLimit = 256
    /// Bytes, those of the objects around it counted in: each field would hold a longer one once more.
    private static let nameLimit = 256
    private static let depthLimit = 8
    /// Members of JSON, and fields of a form, that hold a picture as base64 or as a `data:` URL.
    private static let pictures: Set = ["image", "image_base64", "picture", "snapshot", "thumbnail"]

    init(query: String, contentType: String?, body: Data) {
        readForm(query[...])
        let bytes = [UInt8](body)
        let type = MultipartBody.mediaType(contentType ?? "")
        if type.hasPrefix("multipart/") {
            guard let parts = MultipartBody(bytes, contentType: contentType ?? "")?.parts else {
                isUnreadable = true
                return
            }
            for part in parts { read(part.bytes, named: part.name, type: part.type) }
        } else {
            read(bytes, named: nil, type: type)
        }
    }

    /// The first value under one of these names, in small letters; an outer object does not matter.
    func value(_ names: String...) -> String? { value(names) }

    func value(_ names: [String]) -> String? {
        for name in names {
            // `type` takes precedence over `device.type`.
            let field = fields.first { $0.name == name } ?? fields.first { $0.name.hasSuffix("." + name) }
            if let field { return field.value.lowercased() }
        }
        return nil
    }

    // MARK: Bodies

    /// By its first bytes: cameras are not strict about types.
    private mutating func read(_ bytes: [UInt8], named name: String?, type: String) {
        guard !bytes.isEmpty else { return }
        if type.hasPrefix("image/") || bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            if picture == nil { picture = Data(bytes) }
            return
        }
        let isBinary = type == "application/octet-stream" || type.hasPrefix("video/") || type.hasPrefix("audio/")
        guard !isBinary else { return }
        hasText = true
        switch bytes.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard let value = JSONValue.read(bytes) else { return isUnreadable = true }
            flatten(value, under: "", depth: 0)
        case UInt8(ascii: "<"): readXML(String(decoding: bytes.prefix(Self.textLimit), as: UTF8.self))
        default:
            // A picture in a form field is long; every other field is short.
            let text = String(decoding: bytes, as: UTF8.self)
            let start = text.drop(while: \.isWhitespace)
            if start.hasPrefix("Code=") || start.hasPrefix("Events[") {
                readCodes(start.prefix(Self.textLimit))
            } else if let name {
                add(name.lowercased(), text)
            } else if text.contains("="), !text.contains("\0") {
                readForm(text[...])
            } else {
                add("text", text)
            }
        }
    }

    private mutating func add(_ name: String, _ text: String) {
        guard name.utf8.count <= Self.nameLimit else { return }
        let leaf = name.split(separator: ".").last.map(String.init) ?? name
        if Self.isPicture(leaf) {
            readPicture(text)
        } else if text.utf8.count <= Self.valueLimit, fields.count < Self.fieldLimit {
            fields.append(Field(name: name, value: text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
    }

    private mutating func readPicture(_ text: String) {
        // A word, a name or a picture's address is not a picture.
        guard picture == nil, text.utf8.count > 100, !text.hasPrefix("http") else { return }
        if let bytes = Base64Picture.bytes(in: text), !bytes.isEmpty { picture = bytes } else { pictureProblem = .notBase64 }
    }

    private static func isPicture(_ name: String) -> Bool { pictures.contains(name) }

    private mutating func flatten(_ value: JSONValue, under name: String, depth: Int) {
        guard depth <= Self.depthLimit, name.utf8.count <= Self.nameLimit else { return }
        switch value {
        case .null: break
        case .bool(let bool): add(name, String(bool))
        case .number(let number): add(name, Int(exactly: number).map(String.init) ?? String(number))
        case .string(let text): add(name, text)
        case .array(let elements):
            for element in elements { flatten(element, under: name, depth: depth + 1) }
        case .object(let members):
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                flatten(member, under: name.isEmpty ? key.lowercased() : "\(name).\(key.lowercased())", depth: depth + 1)
            }
        }
    }

    /// `a=1&b=2`, of a query or a form.
    private mutating func readForm(_ text: Substring) {
        for pair in text.split(separator: "&", maxSplits: Self.fieldLimit).prefix(Self.fieldLimit) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0])?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() else { continue }
            // In Base64, `+` is a letter, which few scripts encode as `%2B`.
            let value = parts.count < 2 ? "" : Self.isPicture(name) ? parts[1].removingPercentEncoding : Self.decoded(parts[1])
            if let value { add(name, value) }
        }
    }

    private static func decoded(_ text: Substring) -> String? { text.replacing("+", with: " ").removingPercentEncoding }

    /// `Code=VideoMotion;action=Start;index=0;data={…}`, or `Events[0].Code=VideoMotion` line by line, as Dahua's devices write it.
    private mutating func readCodes(_ text: Substring) {
        let data = text.firstRange(of: ";data=")
        for pair in text[..<(data?.lowerBound ?? text.endIndex)].split(whereSeparator: { $0 == ";" || $0.isNewline }) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            add(parts[0].lowercased(), String(parts[1]))
        }
        if let data, let value = JSONValue.read(Array(text[data.upperBound...].utf8)) { flatten(value, under: "data", depth: 0) }
    }

    /// The elements that hold text alone. Nothing is expanded; a document with a type or entities of its own is not read.
    private mutating func readXML(_ text: String) {
        guard !text.contains("<!DOCTYPE"), !text.contains("<!ENTITY") else { return isUnreadable = true }
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: ">") else { return }
            let tag = rest[..<close]
            rest = rest[rest.index(after: close)...]
            guard tag.first?.isLetter == true, tag.last != "/" else { continue }
            let name = tag.prefix { !$0.isWhitespace }
            let value = rest.prefix { $0 != "<" }
            guard rest[value.endIndex...].hasPrefix("</\(name)") else { continue }
            add(name.split(separator: ":").last?.lowercased() ?? "", String(value))
        }
    }
}
