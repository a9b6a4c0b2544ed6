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
}
