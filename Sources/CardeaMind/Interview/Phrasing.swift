import CardeaModel
import Foundation

/// The house's side of the conversation, in words.
extension Interview {
    func greeting() -> String {
        let found = discovered.filter { $0.deviceID == nil }.count
        guard found > 0 else { return Self.words(.greeting) }
        let seen = found == 1 ? Self.words(.cameUponOne) : Self.words(.cameUponSeveral, [.number: Self.number(found)])
        return Self.words(.greeting) + " " + seen
    }

    func words(for question: Question) -> String {
        switch question {
        case .house: return Self.words(.askHouse, [.name: houseName])
        case .rooms: return Self.words(.askRooms)
        case .room(let key): return Self.words(.askRoom, [.room: inRoom(rooms.first { $0.key == key })])
        case .kind(let id): return Self.words(.askKind, [.thing: the(id)])
        case .count(let id): return Self.words(.askCount, [.thing: plain(id), .room: candidate(id)?.room.map { inRoom($0) } ?? ""])
        case .place(let id):
            guard let options = candidate(id)?.roomOptions, options.count > 1 else {
                return Self.words(isSeveral(id) ? .askRoomOfSeveral : .askRoomOfOne, [.thing: the(id)])
            }
            return Self.words(
                isSeveral(id) ? .askWhichRoomOfSeveral : .askWhichRoomOfOne, [.thing: the(id), .list: Self.either(options.map(\.name))])
        case .match(let id, let options):
            let things = options.compactMap { id in discovered.first { $0.id == id } }
            return Self.words(.askMatch, [.thing: the(id), .list: Self.either(things.map(shown))])
        case .thing(let id):
            let thing = discovered.first { $0.id == id }
            return Self.words(.askFound, [.thing: thing.map(shown) ?? ""])
        case .shared: return Self.words(.askShared)
        case .unconnected: return Self.words(.askUnconnected)
        case .notFound(let ids):
            return Self.words(.askNotFound, [.list: list(ids.compactMap(candidate))])
        case .removal(let ids): return Self.words(.askForget, [.list: Self.shortened(ids.map(the))])
        case .confirm: return Self.words(.askConfirm, [.list: list(candidates.filter(\.isOpen))])
        }
    }

    func summary() -> String {
        let open = candidates.filter(\.isOpen)
        let taken = candidates.filter { $0.status == .confirmed }
        var parts: [String] = []
        if !taken.isEmpty { parts.append(Self.words(.taken, [.list: list(taken)])) }
        if !open.isEmpty { parts.append(Self.words(.soFar, [.list: list(open)])) }
        let notes = currentNotes.prefix(12).map(\.text) + Self.more(than: 12, of: currentNotes.count)
        if !currentNotes.isEmpty { parts.append(Self.words(.noted, [.words: notes.joined(separator: "; ")])) }
        return parts.isEmpty ? Self.words(.nothingYet) : parts.joined(separator: " ")
    }

    /// "two Hue lamps over the sofa in the living room".
    public func describe(_ candidate: Candidate) -> String {
        let isSeveral = candidate.count > 1 || candidate.isCountOpen
        let thing = name(of: candidate, isPlural: isSeveral)
        let count: Sentence = candidate.isCountOpen ? .several : candidate.count == 1 ? Self.article(thing) : .counted
        let words = Self.words(count, [.number: Self.number(candidate.count), .thing: thing])
        return placed(candidate.givenName.map { Self.words(.calledSo, [.thing: words, .name: $0]) } ?? words, candidate)
    }

    /// With where it stands, as far as that was said.
    private func placed(_ words: String, _ candidate: Candidate) -> String {
        [candidate.place, candidate.room.map { inRoom($0) }].compactMap(\.self).reduce(words) {
            Self.words(.placed, [.thing: $0, .room: $1])
        }
    }

    func list(_ candidates: [Candidate]) -> String { Self.shortened(candidates.map(describe)) }

    /// The first of them, and how many more there are.
    static func shortened(_ names: [String]) -> String {
        joined(Array(names.prefix(12)) + more(than: 12, of: names.count))
    }

    private static func more(than shown: Int, of count: Int) -> [String] {
        count > shown ? [words(.more, [.number: "\(count - shown)"])] : []
    }

    /// What it is called where nobody named it: "Hue lamp".
    func name(of candidate: Candidate, isPlural: Bool = false) -> String {
        let noun = candidate.noun ?? candidate.function.map { Equipment.english.functions[$0]?.words.first ?? $0 }
        guard let noun else { return candidate.brand ?? Self.words(.aThing) }
        let word = isPlural ? (Equipment.plurals(of: noun).first ?? noun) : noun
        if case .product = Equipment.english.phrases[noun] {
            let parts = word.split(separator: " ").map { part -> String in
                part == "tv" ? part.uppercased() : part.prefix(1).uppercased() + part.dropFirst()
            }
            let proper = parts.joined(separator: " ")
            guard let brand = candidate.brand, !word.contains(Equipment.folded(brand)) else { return proper }
            return "\(brand) \(proper)"
        }
        let acronym = Equipment.english.said.acronyms.contains(word) ? word.uppercased() : word
        guard let brand = candidate.brand, !word.contains(Equipment.folded(brand)) else { return acronym }
        return "\(brand) \(acronym)"
    }

    private func plain(_ id: String) -> String { candidate(id).map { name(of: $0, isPlural: true) } ?? Self.words(.ofThem) }

    func the(_ id: String) -> String {
        guard let candidate = candidate(id) else { return Self.words(.it) }
        let thing = name(of: candidate, isPlural: candidate.count > 1 || candidate.isCountOpen)
        return placed(Self.words(.theThing, [.thing: thing]), candidate)
    }

    func inRoom(_ room: KnownRoom?) -> String {
        guard let room else { return Self.words(.there) }
        guard case .room = Equipment.english.phrases[Equipment.folded(room.name)] else {
            return Self.words(.inNamedRoom, [.room: room.name])
        }
        let name = room.name.lowercased()
        return Self.words(Equipment.english.said.onRooms.contains(name) ? .onRoom : .inRoom, [.room: name])
    }

    private func shown(_ thing: DiscoveredThing) -> String {
        let room = thing.room.flatMap { text in
            rooms.first { $0.reference == .known(id: text) || Equipment.folded($0.name) == Equipment.folded(text) }
        }
        let name = Self.words(.quoted, [.name: thing.name])
        return room.map { Self.words(.placed, [.thing: name, .room: inRoom($0)]) } ?? name
    }

    static func number(_ count: Int) -> String {
        let numbers = Equipment.english.said.numbers
        return numbers.indices.contains(count) ? numbers[count] : String(count)
    }

    /// An LG television, a TV, an Ikea lamp.
    private static func article(_ word: String) -> Sentence {
        let (said, first) = (Equipment.english.said, word.prefix { $0 != " " })
        guard let letter = word.first else { return .oneOf }
        let isSpelt = first.count <= 3 && first.allSatisfy(\.isUppercase)
        let isVowel = isSpelt ? said.speltVowels.contains(letter) : said.vowels.contains(letter.lowercased())
        return isVowel ? .oneOfVowel : .oneOf
    }

    private func isSeveral(_ id: String) -> Bool { candidate(id).map { $0.count > 1 || $0.isCountOpen } ?? false }

    static func joined(_ items: [String], by sentence: Sentence = .listed) -> String {
        guard items.count > 1, let last = items.last else { return items.first ?? words(.nothing) }
        return words(sentence, [.list: items.dropLast().joined(separator: ", "), .rest: last])
    }

    private static func either(_ items: [String]) -> String { joined(items, by: .either) }
}
