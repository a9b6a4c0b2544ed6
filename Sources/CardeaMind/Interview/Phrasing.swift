import CardeaModel
import Foundation

/// The house's side of the conversation, in words.
extension Interview {
    private static let numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

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
        case .confirm: return Self.words(.askConfirm, [.list: list(candidates.filter(\.isOpen))])
        }
    }

    func summary() -> String {
        let open = candidates.filter(\.isOpen)
        let taken = candidates.filter { $0.status == .confirmed }
        var parts: [String] = []
        if !taken.isEmpty { parts.append(Self.words(.taken, [.list: list(taken)])) }
        if !open.isEmpty { parts.append(Self.words(.soFar, [.list: list(open)])) }
        if !currentNotes.isEmpty { parts.append(Self.words(.noted, [.words: currentNotes.prefix(12).map(\.text).joined(separator: "; ")])) }
        return parts.isEmpty ? Self.words(.nothingYet) : parts.joined(separator: " ")
    }

    /// "two Hue lamps over the sofa in the living room".
    public func describe(_ candidate: Candidate) -> String {
        let number =
            candidate.isCountOpen ? "several" : candidate.count == 1 ? Self.article(name(of: candidate)) : Self.number(candidate.count)
        var words = "\(number) \(name(of: candidate, isPlural: candidate.count > 1 || candidate.isCountOpen))"
        if let name = candidate.givenName { words += " called “\(name)”" }
        if let place = candidate.place { words += " \(place)" }
        if let room = candidate.room { words += " \(inRoom(room))" }
        return words
    }

    func list(_ candidates: [Candidate]) -> String {
        let shown = candidates.prefix(12).map(describe)
        let rest = candidates.count - shown.count
        return Self.joined(shown + (rest > 0 ? ["\(rest) more"] : []))
    }

    /// What it is called where nobody named it: "Hue lamp".
    func name(of candidate: Candidate, isPlural: Bool = false) -> String {
        let noun = candidate.noun ?? candidate.function.map { Equipment.english.functions[$0]?.words.first ?? $0 }
        guard let noun else { return candidate.brand ?? "thing" }
        let word = isPlural ? (Equipment.plurals(of: noun).first ?? noun) : noun
        if case .product = Equipment.english.phrases[noun] {
            let proper = word.split(separator: " ").map { $0 == "tv" ? "TV" : $0.prefix(1).uppercased() + $0.dropFirst() }.joined(
                separator: " ")
            guard let brand = candidate.brand, !word.contains(Equipment.folded(brand)) else { return proper }
            return "\(brand) \(proper)"
        }
        let acronym = ["tv", "cctv", "ac", "pir", "trv", "ev"].contains(word) ? word.uppercased() : word
        guard let brand = candidate.brand, !word.contains(Equipment.folded(brand)) else { return acronym }
        return "\(brand) \(acronym)"
    }

    private func plain(_ id: String) -> String { candidate(id).map { name(of: $0, isPlural: true) } ?? "of them" }

    func the(_ id: String) -> String {
        guard let candidate = candidate(id) else { return "it" }
        var words = "the \(name(of: candidate, isPlural: candidate.count > 1 || candidate.isCountOpen))"
        if let place = candidate.place { words += " \(place)" }
        if let room = candidate.room { words += " \(inRoom(room))" }
        return words
    }

    func inRoom(_ room: KnownRoom?) -> String {
        guard let room else { return "there" }
        let open = ["landing", "stairs", "staircase", "terrace", "patio", "balcony", "porch", "drive", "driveway"]
        if case .room = Equipment.english.phrases[Equipment.folded(room.name)] {
            return "\(open.contains(room.name.lowercased()) ? "on" : "in") the \(room.name.lowercased())"
        }
        return "in “\(room.name)”"
    }

    private func shown(_ thing: DiscoveredThing) -> String {
        let room = thing.room.flatMap { text in
            rooms.first { $0.reference == .known(id: text) || Equipment.folded($0.name) == Equipment.folded(text) }
        }
        return "“\(thing.name)”" + (room.map { " " + inRoom($0) } ?? "")
    }

    static func number(_ count: Int) -> String { numbers.indices.contains(count) ? numbers[count] : String(count) }

    /// An LG television, a TV, an Ikea lamp.
    private static func article(_ word: String) -> String {
        let first = word.prefix { $0 != " " }
        let isSpelt = first.count <= 3 && first.allSatisfy(\.isUppercase)
        return (isSpelt ? "AEFHILMNORSX" : "aeiouAEIOU").contains(word.first ?? "b") ? "an" : "a"
    }

    private func isSeveral(_ id: String) -> Bool { candidate(id).map { $0.count > 1 || $0.isCountOpen } ?? false }

    static func joined(_ words: [String], by last: String = "and") -> String {
        guard words.count > 1, let final = words.last else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " \(last) \(final)"
    }

    private static func either(_ words: [String]) -> String { joined(words, by: "or") }
}
