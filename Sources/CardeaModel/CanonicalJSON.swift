import Foundation

/// JSON in the one form that RFC 8785 (JCS) gives it: equal values are equal bytes, and so can be hashed and compared.
public enum CanonicalJSON {
    /// A number that JSON cannot say: not a number, or an infinity.
    public struct NotFinite: Error {}

    public static func encode(_ value: JSONValue) throws(NotFinite) -> String {
        var text = Text()
        try write(value, to: &text)
        return text.string
    }

    /// A text in the making, as its bytes: adding to a `String` piece by piece costs several times as much.
    fileprivate struct Text {
        private(set) var bytes: [UInt8] = []

        var string: String { String(decoding: bytes, as: UTF8.self) }

        mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

        static func += (text: inout Text, more: some StringProtocol) { text.bytes.append(contentsOf: more.utf8) }

        mutating func add(_ byte: UInt8) { bytes.append(byte) }
    }

    private static func write(_ value: JSONValue, to text: inout Text) throws(NotFinite) {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number): text += try self.number(number)
        case .string(let string): write(string, to: &text)
        case .array(let array):
            text += "["
            for (index, element) in array.enumerated() {
                if index > 0 { text += "," }
                try write(element, to: &text)
            }
            text += "]"
        case .object(let members): try write(members, to: &text)
        }
    }

    private static func write(_ members: [String: JSONValue], to text: inout Text) throws(NotFinite) {
        text += "{"
        for (index, member) in members.sorted(by: { precedes($0.key, $1.key) }).enumerated() {
            if index > 0 { text += "," }
            write(member.key, to: &text)
            text += ":"
            try write(member.value, to: &text)
        }
        text += "}"
    }

    /// Section 3.2.3: names are sorted by their UTF-16 units. That is the order of their bytes but for one thing: what takes two units,
    /// and begins with a byte from F0 on, comes before what takes one and begins with EE or EF.
    static func precedes(_ one: String, _ other: String) -> Bool {
        for (left, right) in zip(one.utf8, other.utf8) where left != right {
            let swaps = min(left, right) >= 0xEE && min(left, right) < 0xF0 && max(left, right) >= 0xF0
            return (left < right) != swaps
        }
        return one.utf8.count < other.utf8.count
    }

    // MARK: Numbers

    /// Section 3.2.2.3: as ECMAScript writes a number, the shortest digits that read back the same.
    public static func number(_ number: Double) throws(NotFinite) -> String {
        guard number.isFinite else { throw NotFinite() }
        // Every whole number up to here is exact, and its digits are the shortest; minus nought is nought.
        if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 { return String(whole) }
        let (digits, point) = shortest(number.magnitude)
        return (number < 0 ? "-" : "") + placed(digits, point)
    }

    /// Swift finds the same digits as ECMAScript and sets them out differently: here they are alone, with the place of the point.
    private static func shortest(_ number: Double) -> (digits: Substring, point: Int) {
        let parts = number.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let whole = String(mantissa[0])
        let digits = Substring(whole + (mantissa.count > 1 ? mantissa[1] : ""))
        let significant = digits.drop { $0 == "0" }
        let exponent = parts.dropFirst().first.flatMap { Int($0) } ?? 0
        let point = whole.count + exponent - (digits.count - significant.count)
        let zeros = significant.reversed().prefix { $0 == "0" }.count
        return (significant.dropLast(zeros), point)
    }

    /// ECMA-262, Number::toString: plain between 10⁻⁷ and 10²¹, with an exponent beyond.
    private static func placed(_ digits: Substring, _ point: Int) -> String {
        func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
        switch point {
        case digits.count...21: return digits + zeros(point - digits.count)
        case 1...21: return "\(digits.prefix(point)).\(digits.dropFirst(point))"
        case -5...0: return "0." + zeros(-point) + digits
        default:
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            return "\(digits.prefix(1))\(fraction)e\(point > 0 ? "+" : "-")\((point - 1).magnitude)"
        }
    }

    // MARK: Text

    /// Section 3.2.2.2: quotation mark, reverse solidus and control characters are escaped, all else stands as it is.
    private static func write(_ string: String, to text: inout Text) {
        text.add(UInt8(ascii: "\""))
        if !string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
            text += string
        } else {
            for byte in string.utf8 { escape(byte, to: &text) }
        }
        text.add(UInt8(ascii: "\""))
    }

    /// What is escaped is one byte of UTF-8, and no byte of anything longer looks like it.
    private static func escape(_ byte: UInt8, to text: inout Text) {
        switch byte {
        case UInt8(ascii: "\""): text += "\\\""
        case UInt8(ascii: "\\"): text += "\\\\"
        case 0x08: text += "\\b"
        case 0x09: text += "\\t"
        case 0x0A: text += "\\n"
        case 0x0C: text += "\\f"
        case 0x0D: text += "\\r"
        case ..<0x20: text += (byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)
        default: text.add(byte)
        }
    }
}

extension CanonicalJSON {
    /// An object that is written member by member, where making a dictionary first would cost too much. The members must come in
    /// their order, under names that need no escape; what is nil is left out.
    public struct Members {
        private var text = Text()

        /// - Parameter room: bytes that the object will need, or somewhat more.
        public init(room: Int = 0) {
            text.reserve(room)
            text += "{"
        }

        public mutating func add(_ name: String, _ value: String?) {
            guard let value else { return }
            begin(name)
            CanonicalJSON.write(value, to: &text)
        }

        /// - Parameter value: a whole number of at most 53 bits, which is all that a number of JSON holds exactly.
        public mutating func add(_ name: String, _ value: Int64?) {
            guard let value else { return }
            assert(value.magnitude <= 1 << 53)
            begin(name)
            text += String(value)
        }

        /// Bytes, in Base64 (RFC 4648, section 4).
        public mutating func add(_ name: String, _ value: Data) {
            begin(name)
            text += "\""
            text += value.base64EncodedString()
            text += "\""
        }

        public mutating func add(_ name: String, _ value: Bool) {
            begin(name)
            text += value ? "true" : "false"
        }

        /// A member that is there also where it says nothing.
        public mutating func add(_ name: String, orNull value: String?) {
            if let value { add(name, value) } else { addNull(name) }
        }

        public mutating func add(_ name: String, orNull value: Bool?) {
            if let value { add(name, value) } else { addNull(name) }
        }

        public mutating func add(_ name: String, orNull value: Double?) throws(NotFinite) {
            guard let value else { return addNull(name) }
            begin(name)
            text += try CanonicalJSON.number(value)
        }

        public mutating func addNull(_ name: String) {
            begin(name)
            text += "null"
        }

        public mutating func add(_ name: String, _ values: [String]) {
            list(name, values) { CanonicalJSON.write($0, to: &$1.text) }
        }

        public mutating func add(_ name: String, _ object: [String: JSONValue]) throws(NotFinite) {
            begin(name)
            try CanonicalJSON.write(object, to: &text)
        }

        /// An object whose members `body` adds.
        public mutating func add<Failure>(_ name: String, _ body: (inout Members) throws(Failure) -> Void) throws(Failure) {
            begin(name)
            text += "{"
            try body(&self)
            text += "}"
        }

        /// A list of objects, the members of each added by `body`.
        public mutating func add<Element, Failure>(
            _ name: String, _ elements: [Element], _ body: (Element, inout Members) throws(Failure) -> Void
        ) throws(Failure) {
            try list(name, elements) { element, members throws(Failure) in
                members.text += "{"
                try body(element, &members)
                members.text += "}"
            }
        }

        /// A list of values that are canonical JSON already.
        public mutating func add(_ name: String, written values: [String]) {
            list(name, values) { $1.text += $0 }
        }

        /// A value that is canonical JSON already.
        public mutating func add(_ name: String, written value: String) {
            begin(name)
            text += value
        }

        private mutating func list<Element, Failure>(
            _ name: String, _ elements: [Element], _ write: (Element, inout Members) throws(Failure) -> Void
        ) throws(Failure) {
            begin(name)
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                try write(element, &self)
            }
            text += "]"
        }

        /// The object, with its end.
        public var closed: String { String(decoding: bytes(), as: UTF8.self) }

        /// The same as bytes of UTF-8, without a copy.
        public consuming func bytes() -> [UInt8] {
            text.add(UInt8(ascii: "}"))
            return text.bytes
        }

        private mutating func begin(_ name: String) {
            if text.bytes.last != UInt8(ascii: "{") { text.add(UInt8(ascii: ",")) }
            text.add(UInt8(ascii: "\""))
            text += name
            text += "\":"
        }
    }
}
