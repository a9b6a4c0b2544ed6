import Foundation

/// JSON in the one form that RFC 8785 (JCS) gives it: equal values are equal bytes, and so can be hashed and compared.
public enum CanonicalJSON {
    /// A number that JSON cannot say: not a number, or an infinity.
    public struct NotFiniteError: Error {}

    public static func encode(_ value: JSONValue) throws(NotFiniteError) -> String {
        var text = OutputBuffer()
        try write(value, to: &text)
        return text.string
    }

    /// A text in the making, as its bytes: adding to a `String` piece by piece costs several times as much.
    fileprivate struct OutputBuffer {
        private(set) var bytes: [UInt8] = []

        var string: String { String(decoding: bytes, as: UTF8.self) }

        mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

        static func += (text: inout OutputBuffer, more: String) {
            // On the contiguous bytes: iterating the UTF-8 view takes several times as long.
            var more = more
            more.withUTF8 { text.bytes.append(contentsOf: $0) }
        }

        mutating func add(_ byte: UInt8) { bytes.append(byte) }

        mutating func add(_ more: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: more) }
    }

    private static func write(_ value: JSONValue, to text: inout OutputBuffer) throws(NotFiniteError) {
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

    private static func write(_ members: [String: JSONValue], to text: inout OutputBuffer) throws(NotFiniteError) {
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
        var (one, other) = (one, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                for (left, right) in zip(one, other) where left != right {
                    let swaps = min(left, right) >= 0xEE && min(left, right) < 0xF0 && max(left, right) >= 0xF0
                    return (left < right) != swaps
                }
                return one.count < other.count
            }
        }
    }

    // MARK: Numbers

    /// Section 3.2.2.3: as ECMAScript writes a number, the shortest digits that read back the same.
    public static func number(_ number: Double) throws(NotFiniteError) -> String {
        guard number.isFinite else { throw NotFiniteError() }
        // Every integer up to here is exact, with its shortest digits; minus zero is zero.
        if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53 { return String(whole) }
        let (digits, point) = shortest(number.magnitude)
        return (number < 0 ? "-" : "") + formatted(digits, point)
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
    private static func formatted(_ digits: Substring, _ point: Int) -> String {
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

    /// Section 3.2.2.2: quotation mark, reverse solidus and control characters are escaped; everything else is kept.
    private static func write(_ string: String, to text: inout OutputBuffer) {
        var string = string
        text.add(UInt8(ascii: "\""))
        string.withUTF8 { bytes in
            if bytes.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                for byte in bytes { escape(byte, to: &text) }
            } else {
                text.add(bytes)
            }
        }
        text.add(UInt8(ascii: "\""))
    }

    /// Escaped characters are one byte of UTF-8, and no byte of a longer sequence equals one of them.
    private static func escape(_ byte: UInt8, to text: inout OutputBuffer) {
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
    /// An object that is written member by member, because building a dictionary first would cost too much. The members must come in order,
    /// under names that need no escape; nil values are omitted.
    public struct ObjectWriter {
        private var text = OutputBuffer()

        /// - Parameter room: bytes that the object will need, or somewhat more.
        public init(room: Int = 0) {
            text.reserve(room)
            text += "{"
        }

        public mutating func add(_ name: String, _ value: String?) {
            guard let value else { return }
            beginMember(name)
            CanonicalJSON.write(value, to: &text)
        }

        /// - Parameter value: a whole number of at most 53 bits, which is all that a number of JSON holds exactly.
        public mutating func add(_ name: String, _ value: Int64?) {
            guard let value else { return }
            assert(value.magnitude <= 1 << 53)
            beginMember(name)
            text += String(value)
        }

        /// Bytes, in Base64 (RFC 4648, section 4).
        public mutating func add(_ name: String, _ value: Data) {
            beginMember(name)
            text += "\""
            text += value.base64EncodedString()
            text += "\""
        }

        /// A number as text of its digits of base 16, without leading zeros.
        mutating func add(_ name: String, hex value: UInt64) {
            beginMember(name)
            text += "\""
            for place in stride(from: max(0, 63 - value.leadingZeroBitCount) / 4, through: 0, by: -1) {
                let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * place) & 0xF)
                text.add(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
            text += "\""
        }

        public mutating func add(_ name: String, _ value: Bool) {
            beginMember(name)
            text += value ? "true" : "false"
        }

        /// A member that is there also if it says nothing.
        public mutating func add(_ name: String, orNull value: String?) {
            if let value { add(name, value) } else { addNull(name) }
        }

        public mutating func add(_ name: String, orNull value: Bool?) {
            if let value { add(name, value) } else { addNull(name) }
        }

        public mutating func add(_ name: String, orNull value: Double?) throws(NotFiniteError) {
            guard let value else { return addNull(name) }
            beginMember(name)
            text += try CanonicalJSON.number(value)
        }

        public mutating func addNull(_ name: String) {
            beginMember(name)
            text += "null"
        }

        public mutating func add(_ name: String, _ values: [String]) {
            beginMember(name)
            text += "["
            for index in values.indices {
                if index > 0 { text += "," }
                CanonicalJSON.write(values[index], to: &text)
            }
            text += "]"
        }

        public mutating func add(_ name: String, _ object: [String: JSONValue]) throws(NotFiniteError) {
            beginMember(name)
            try CanonicalJSON.write(object, to: &text)
        }

        public mutating func add(_ name: String, value: JSONValue) throws(NotFiniteError) {
            beginMember(name)
            try CanonicalJSON.write(value, to: &text)
        }

        /// An object whose members `body` adds.
        public mutating func add<Failure>(_ name: String, _ body: (inout ObjectWriter) throws(Failure) -> Void) throws(Failure) {
            beginMember(name)
            text += "{"
            try body(&self)
            text += "}"
        }

        /// A list of `count` objects, the members of each added by `body`, by its place.
        public mutating func add(
            _ name: String, count: Int, _ body: (Int, inout ObjectWriter) throws(NotFiniteError) -> Void
        ) throws(NotFiniteError) {
            beginMember(name)
            text += "["
            for index in 0..<count {
                text += index > 0 ? ",{" : "{"
                try body(index, &self)
                text += "}"
            }
            text += "]"
        }

        /// A list of values that are canonical JSON already.
        public mutating func add(_ name: String, written values: [String]) {
            beginMember(name)
            text += "["
            for index in values.indices {
                if index > 0 { text += "," }
                text += values[index]
            }
            text += "]"
        }

        /// A value that is canonical JSON already.
        public mutating func add(_ name: String, written value: String) {
            beginMember(name)
            text += value
        }

        /// The object, with its end.
        public var finishedText: String { String(decoding: bytes(), as: UTF8.self) }

        /// The same as bytes of UTF-8, without a copy.
        public consuming func bytes() -> [UInt8] {
            text.add(UInt8(ascii: "}"))
            return text.bytes
        }

        private mutating func beginMember(_ name: String) {
            if text.bytes.last != UInt8(ascii: "{") { text.add(UInt8(ascii: ",")) }
            text.add(UInt8(ascii: "\""))
            text += name
            text.add(UInt8(ascii: "\""))
            text.add(UInt8(ascii: ":"))
        }
    }
}
