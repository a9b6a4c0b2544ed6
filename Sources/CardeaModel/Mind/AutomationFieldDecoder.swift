import Foundation

/// Decodes the fields of one part of an automation, with errors that name the field.
struct AutomationFieldDecoder<Key: CodingKey> {
    private let container: KeyedDecodingContainer<Key>
    private let names: [String]
    private let path: [any CodingKey]

    init(_ decoder: any Decoder, of keys: Key.Type) throws {
        container = try decoder.container(keyedBy: keys)
        names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        path = decoder.codingPath
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Refuses a field beside `type` that is not among these.
    func rejectUnknown(_ keys: Key...) throws {
        let known = Set(keys.map(\.stringValue)).union(["type"])
        if let stranger = names.first(where: { !known.contains($0) }) {
            let name = AnyKey(stringValue: String(stranger.prefix(64)))
            throw DecodingError.dataCorrupted(
                .init(codingPath: path + [name], debugDescription: "is not a known field. Remove it, or check its spelling"))
        }
    }

    func invalidValue(_ key: Key, _ words: String) -> DecodingError {
        DecodingError.dataCorrupted(.init(codingPath: path + [key], debugDescription: words))
    }

    func has(_ key: Key) throws -> Bool { try container.contains(key) && !container.decodeNil(forKey: key) }

    func text(_ key: Key) throws -> String { try container.decode(String.self, forKey: key) }

    func optionalText(_ key: Key) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }

    func number(_ key: Key) throws -> Double? { try container.decodeIfPresent(Double.self, forKey: key) }

    func integer(_ key: Key) throws -> Int? {
        guard let number = try number(key) else { return nil }
        guard let whole = Int(exactly: number) else { throw invalidValue(key, "must be a whole number") }
        return whole
    }

    func value(_ key: Key) throws -> JSONValue? {
        let value = try container.decodeIfPresent(JSONValue.self, forKey: key)
        return value == .null ? nil : value
    }

    func word<Word: RawRepresentable<String> & CaseIterable>(_ key: Key, as type: Word.Type) throws -> Word {
        guard let word = Word(rawValue: try text(key)) else {
            throw invalidValue(key, "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    func weekdays(_ key: Key) throws -> Set<Weekday>? {
        guard try has(key) else { return nil }
        let words = try list(key, of: String.self, atMost: 14)
        let days = words.compactMap(Weekday.init)
        guard days.count == words.count else {
            throw invalidValue(key, "must have only \(Weekday.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return Set(days)
    }

    func nested<Part: Decodable>(_ key: Key, of type: Part.Type) throws -> Part { try container.decode(type, forKey: key) }

    /// No more than may be is read.
    func list<Part: Decodable>(_ key: Key, of type: Part.Type, atMost most: Int) throws -> [Part] {
        var list = try container.nestedUnkeyedContainer(forKey: key)
        var parts: [Part] = []
        while !list.isAtEnd {
            guard parts.count < most else { throw invalidValue(key, "must have at most \(most) entries") }
            parts.append(try list.decode(type))
        }
        return parts
    }
}

extension Optional {
    func orMissing<Key: CodingKey>(_ fields: AutomationFieldDecoder<Key>, _ key: Key) throws -> Wrapped {
        guard let self else { throw fields.invalidValue(key, "is required") }
        return self
    }
}

extension Set<Weekday> {
    /// Monday first.
    public var sorted: [Weekday] { Weekday.allCases.filter(contains) }
}
