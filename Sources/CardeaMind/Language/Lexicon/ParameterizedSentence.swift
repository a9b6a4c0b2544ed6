import CardeaModel
import Foundation

/// A sentence of the lexicon with names and temperatures. Names are given by people: they are put in last and unchanged, and are never read
/// as part of the sentence. Temperatures are stored in °C, and shown in the reader's unit.
public struct ParameterizedSentence: Codable, Hashable, Sendable, CustomStringConvertible {
    /// `{}` is the place of a name, `{#}` of a temperature, and `{°}` of the temperature unit.
    public let form: String
    public let names: [String]
    /// °C, in the order in which the sentence has them.
    public let warmths: [Double]

    enum Marker: String, CaseIterable {
        case name = "{}"
        case warmth = "{#}"
        case sign = "{°}"
    }

    public init(_ form: String, _ names: String...) { self.init(form, names: names) }

    init(_ form: String, names: [String], warmths: [Double] = []) {
        self.form = form
        self.names = names
        self.warmths = warmths
    }

    private enum CodingKeys: String, CodingKey {
        case form, names, warmths
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        form = try container.decode(String.self, forKey: .form)
        names = try container.decode([String].self, forKey: .names)
        // Older versions stored the temperatures in the form, in °C.
        warmths = try container.decodeIfPresent([Double].self, forKey: .warmths) ?? []
    }

    /// The text in °C, as the house stores it.
    public var text: String { text(in: .celsius) }

    /// The text in the reader's unit.
    public func text(in degrees: TemperatureUnit) -> String {
        var text = ""
        var rest = form[...]
        var (names, warmths) = (self.names[...], self.warmths[...])
        while let (mark, range) = Self.firstMarker(in: rest) {
            text += rest[..<range.lowerBound]
            switch mark {
            case .name: text += names.popFirst() ?? "something"
            case .warmth: text += warmths.popFirst().map { HabitText.number(degrees.fromCelsius($0)) } ?? "?"
            case .sign: text += degrees.symbol
            }
            rest = rest[range.upperBound...]
        }
        return text + rest
    }

    public var description: String { text }

    /// Another sentence with the same names and temperatures, in the same order.
    func with(form: String) -> ParameterizedSentence { ParameterizedSentence(form, names: names, warmths: warmths) }

    private static func firstMarker(in text: Substring) -> (Marker, Range<String.Index>)? {
        Marker.allCases.compactMap { mark in text.range(of: mark.rawValue).map { (mark, $0) } }
            .min { $0.1.lowerBound < $1.1.lowerBound }
    }
}

// MARK: Stored beside the words of a memory

extension ParameterizedSentence {
    init?(stored: JSONValue?) {
        guard let form = stored?["form"]?.string, case .array(let names)? = stored?["names"], case .array(let warmths)? = stored?["warmths"]
        else { return nil }
        self.init(form, names: names.compactMap(\.string), warmths: warmths.compactMap(\.number))
    }

    var stored: JSONValue {
        ["form": .string(form), "names": .array(names.map { .string($0) }), "warmths": .array(warmths.map { .number($0) })]
    }
}
