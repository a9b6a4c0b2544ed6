import CardeaModel
import Foundation

enum FrigateVocabulary {
    /// The longest message that is read; Frigate's have about two thousand bytes.
    static let payloadLimit = 64 * 1024
    static let nameLimit = 64
    static let listLimit = 32

    static func change(_ payload: [UInt8]) -> (FrigateEvent.Phase, JSONValue)? {
        guard payload.count <= payloadLimit, let json = JSONValue.read(payload),
            let phase = json["type"]?.string.flatMap(FrigateEvent.Phase.init), let after = json["after"]
        else { return nil }
        return (phase, after)
    }

    /// Returns whether the text is a name that Frigate allows for cameras and zones, and uses in its ids.
    static func isName(_ text: String) -> Bool {
        (1...nameLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let scalar = UnicodeScalar(byte)
                return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                    || ["-", "_", "."].contains(scalar)
            }
    }

    static func names(_ json: JSONValue?) -> [String] {
        guard case .array(let all)? = json else { return [] }
        // Labels may consist of two words, and a review writes `person-verified` of one that it recognised.
        return all.prefix(listLimit).compactMap(\.string).filter { isName($0.replacing(" ", with: "_")) }
    }

    static func date(_ json: JSONValue?) -> Date? {
        guard let seconds = json?.number, (0..<10_000_000_000).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    /// A text, or a text with a score, by the version of Frigate.
    static func recognised(_ json: JSONValue?) -> String? {
        var text = json?.string
        if case .array(let parts)? = json { text = parts.first?.string }
        return text.map { Name.cleaned(String($0.prefix(nameLimit)), else: "") }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the house's type for a label of Frigate: vehicles and animals by group, other labels by their own word.
    static func type(of label: String) -> DetectionType? {
        let word = label.lowercased().replacing(" ", with: "_")
        if vehicles.contains(word) { return .vehicle }
        if animals.contains(word) { return .animal }
        return DetectionType(rawValue: word)
    }

    // The labels of Frigate's default model, and of its other models.
    private static let vehicles: Set = [
        "car", "truck", "bus", "motorcycle", "bicycle", "boat", "train", "airplane", "school_bus", "van", "vehicle",
    ]
    private static let animals: Set = [
        "animal", "dog", "cat", "bird", "horse", "sheep", "cow", "bear", "elephant", "zebra", "giraffe", "deer", "fox", "raccoon",
        "rabbit", "squirrel", "skunk", "goat", "kangaroo", "opossum", "pig", "coyote",
    ]
}
