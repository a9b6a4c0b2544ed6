/// The wire speaks snake_case and understands camelCase.
public enum SnakeCase {
    /// `setBrightness` becomes `set_brightness`; a snake_case name stays.
    public static func convert(_ name: String) -> String {
        // Nearly every name is plain snake_case, and checking each letter's Unicode properties costs more than the rest of the read.
        guard !name.utf8.allSatisfy({ $0 < 0x80 && !(0x41...0x5A).contains($0) }), name.contains(where: \.isUppercase) else { return name }
        var converted = ""
        var previousIsLower = false
        for character in name {
            if character.isUppercase {
                if previousIsLower { converted.append("_") }
                converted.append(contentsOf: character.lowercased())
                previousIsLower = false
            } else {
                converted.append(character)
                previousIsLower = character != "_"
            }
        }
        // `deviceID` and `deviceId` are the same name.
        return converted
    }
}
