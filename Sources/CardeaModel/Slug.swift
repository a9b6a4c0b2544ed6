/// Identifiers made of names: `front-door`, `front_door`.
public enum Slug {
    /// Lower-case ASCII letters and digits, everything else joined by `separator`; nil when nothing is left.
    public static func make(_ name: String, separator: Character = "-") -> String? {
        var slug = ""
        for scalar in name.lowercased().unicodeScalars {
            if ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
                slug.unicodeScalars.append(scalar)
            } else if let last = slug.last, last != separator {
                slug.append(separator)
            }
        }
        while slug.last == separator { slug.removeLast() }
        return slug.isEmpty ? nil : String(slug.prefix(64))
    }

    /// `wish`, or `wish` followed by digits made from `key` if it is taken: always the same for the same key.
    public static func unique(_ wish: String, separator: Character = "-", key: String, isTaken: (String) -> Bool) -> String {
        var id = wish
        var attempt: UInt64 = 0
        while isTaken(id) {
            id = "\(wish)\(separator)\(fingerprint(key, attempt))"
            attempt += 1
        }
        return id
    }

    /// Six hexadecimal digits that are the same in every run (FNV-1a; this keeps names apart, it protects nothing).
    public static func fingerprint(_ key: String, _ attempt: UInt64 = 0) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ attempt
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash >> 40, radix: 16)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
