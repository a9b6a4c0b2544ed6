import CardeaModel
import Foundation

/// The texts of the house in the conversation.
extension Interview {
    func greeting() -> String {
        let found = discovered.filter { $0.deviceID == nil }.count
        guard found > 0 else { return Self.phrase(.greeting) }
        let seen = found == 1 ? Self.phrase(.cameUponOne) : Self.phrase(.cameUponSeveral, [.number: Self.numberText(found)])
        return Self.phrase(.greeting) + " " + seen
    }

    func prompt(for question: Question) -> String {
        switch question {
        case .house: return Self.phrase(.askHouse, [.name: houseName])
        case .rooms: return Self.phrase(.askRooms)
        case .room(let key): return Self.phrase(.askRoom, [.room: inRoom(rooms.first { $0.key == key })])
        case .kind(let id): return Self.phrase(.askKind, [.thing: definitePhrase(id)])
        case .count(let id): return Self.phrase(.askCount, [.thing: pluralName(id), .room: candidate(id)?.room.map { inRoom($0) } ?? ""])
        case .place(let id):
            guard let options = candidate(id)?.roomOptions, options.count > 1 else {
                return Self.phrase(isSeveral(id) ? .askRoomOfSeveral : .askRoomOfOne, [.thing: definitePhrase(id)])
            }
            return Self.phrase(
                isSeveral(id) ? .askWhichRoomOfSeveral : .askWhichRoomOfOne,
                [.thing: definitePhrase(id), .list: Self.either(options.map(\.name))])
        case .match(let id, let options):
            let things = options.compactMap { id in discovered.first { $0.id == id } }
            return Self.phrase(.askMatch, [.thing: definitePhrase(id), .list: Self.either(things.map(quotedName))])
        case .thing(let id):
            let thing = discovered.first { $0.id == id }
            return Self.phrase(.askFound, [.thing: thing.map(quotedName) ?? ""])
        case .shared: return Self.phrase(.askShared)
        case .unconnected: return Self.phrase(.askUnconnected)
        case .notFound(let ids):
            return Self.phrase(.askNotFound, [.list: list(ids.compactMap(candidate))])
        case .removal(let ids): return Self.phrase(.askForget, [.list: Self.shortened(ids.map(definitePhrase))])
        case .confirm: return Self.phrase(.askConfirm, [.list: list(candidates.filter(\.isOpen))])
        }
    }

    func summary() -> String {
        let open = candidates.filter(\.isOpen)
        let taken = candidates.filter { $0.status == .confirmed }
        var parts: [String] = []
        if !taken.isEmpty { parts.append(Self.phrase(.taken, [.list: list(taken)])) }
        if !open.isEmpty { parts.append(Self.phrase(.soFar, [.list: list(open)])) }
        let notes = currentNotes.prefix(12).map(\.text) + Self.more(than: 12, of: currentNotes.count)
        if !currentNotes.isEmpty { parts.append(Self.phrase(.noted, [.words: notes.joined(separator: "; ")])) }
        return parts.isEmpty ? Self.phrase(.nothingYet) : parts.joined(separator: " ")
    }

    /// "two Hue lamps over the sofa in the living room".
    public func describe(_ candidate: Candidate) -> String {
        let isSeveral = candidate.count > 1 || candidate.isCountOpen
        let thing = name(of: candidate, isPlural: isSeveral)
        let count: InterviewSentence = candidate.isCountOpen ? .several : candidate.count == 1 ? Self.countingPhrase(thing) : .counted
        let words = Self.phrase(count, [.number: Self.numberText(candidate.count), .thing: thing])
        return withLocation(candidate.givenName.map { Self.phrase(.calledSo, [.thing: words, .name: $0]) } ?? words, candidate)
    }

    /// Adds the place, as far as it is known.
    private func withLocation(_ words: String, _ candidate: Candidate) -> String {
        [candidate.place, candidate.room.map { inRoom($0) }].compactMap(\.self).reduce(words) {
            Self.phrase(.placed, [.thing: $0, .room: $1])
        }
    }

    func list(_ candidates: [Candidate]) -> String { Self.shortened(candidates.map(describe)) }

    /// The first names, and the number of the others.
    static func shortened(_ names: [String]) -> String {
        joined(Array(names.prefix(12)) + more(than: 12, of: names.count))
    }

    private static func more(than shown: Int, of count: Int) -> [String] {
        count > shown ? [phrase(.more, [.number: "\(count - shown)"])] : []
    }

    /// The name of a candidate that has none of its own: "Hue lamp".
    func name(of candidate: Candidate, isPlural: Bool = false) -> String {
        let noun = candidate.noun ?? candidate.function.map { EquipmentLexicon.english.functions[$0]?.words.first ?? $0 }
        guard let noun else { return candidate.brand ?? Self.phrase(.aThing) }
        let word = isPlural ? (EquipmentLexicon.plurals(of: noun).first ?? noun) : noun
        if case .product = EquipmentLexicon.english.phrases[noun] {
            let parts = word.split(separator: " ").map { part -> String in
                part == "tv" ? part.uppercased() : part.prefix(1).uppercased() + part.dropFirst()
            }
            let proper = parts.joined(separator: " ")
            guard let brand = candidate.brand, !word.contains(EquipmentLexicon.folded(brand)) else { return proper }
            return "\(brand) \(proper)"
        }
        let acronym = EquipmentLexicon.english.output.acronyms.contains(word) ? word.uppercased() : word
        guard let brand = candidate.brand, !word.contains(EquipmentLexicon.folded(brand)) else { return acronym }
        return "\(brand) \(acronym)"
    }

    private func pluralName(_ id: String) -> String { candidate(id).map { name(of: $0, isPlural: true) } ?? Self.phrase(.ofThem) }

    func definitePhrase(_ id: String) -> String {
        guard let candidate = candidate(id) else { return Self.phrase(.it) }
        let thing = name(of: candidate, isPlural: candidate.count > 1 || candidate.isCountOpen)
        return withLocation(Self.phrase(.theThing, [.thing: thing]), candidate)
    }

    func inRoom(_ room: KnownRoom?) -> String {
        guard let room else { return Self.phrase(.there) }
        guard case .room = EquipmentLexicon.english.phrases[EquipmentLexicon.folded(room.name)] else {
            return Self.phrase(.inNamedRoom, [.room: room.name])
        }
        let name = room.name.lowercased()
        return Self.phrase(EquipmentLexicon.english.output.onRooms.contains(name) ? .onRoom : .inRoom, [.room: name])
    }

    private func quotedName(_ thing: DiscoveredDevice) -> String {
        let room = thing.room.flatMap { text in
            rooms.first { $0.reference == .known(id: text) || EquipmentLexicon.folded($0.name) == EquipmentLexicon.folded(text) }
        }
        let name = Self.phrase(.quoted, [.name: thing.name])
        return room.map { Self.phrase(.placed, [.thing: name, .room: inRoom($0)]) } ?? name
    }

    static func numberText(_ count: Int) -> String {
        let numbers = EquipmentLexicon.english.output.numbers
        return numbers.indices.contains(count) ? numbers[count] : String(count)
    }

    /// An LG television, a TV, an Ikea lamp.
    private static func countingPhrase(_ word: String) -> InterviewSentence {
        let (said, first) = (EquipmentLexicon.english.output, word.prefix { $0 != " " })
        guard let letter = word.first else { return .oneOf }
        let isSpelt = first.count <= 3 && first.allSatisfy(\.isUppercase)
        let isVowel = isSpelt ? said.speltVowels.contains(letter) : said.vowels.contains(letter.lowercased())
        return isVowel ? .oneOfVowel : .oneOf
    }

    private func isSeveral(_ id: String) -> Bool { candidate(id).map { $0.count > 1 || $0.isCountOpen } ?? false }

    static func joined(_ items: [String], by sentence: InterviewSentence = .listed) -> String {
        guard items.count > 1, let last = items.last else { return items.first ?? phrase(.nothing) }
        return phrase(sentence, [.list: items.dropLast().joined(separator: ", "), .rest: last])
    }

    private static func either(_ items: [String]) -> String { joined(items, by: .either) }
}
