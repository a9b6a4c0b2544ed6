import CardeaModel
import Foundation

/// Parses the parts of clauses: things with their attributes, rooms, places, names.
extension Interview.ClauseParser {
    /// Parses a thing that begins here. Also returns the index at which the clause goes on.
    ///
    /// - Parameters:
    ///   - untilVerb: true for the subject of a clause: after its name only its place belongs to it.
    ///   - isBare: true to take a brand alone as a brand only, not as its default function.
    ///   - mayBeUnknown: true to accept unknown words as a thing: "a flux capacitor".
    func parseMention(at start: Int, untilVerb: Bool = false, isBare: Bool = false, mayBeUnknown: Bool = false) -> (
        Interview.Mention, next: Int
    )? {
        var mention = Interview.Mention()
        var index = start
        var unknown: [Interview.Token] = []
        var head: Interview.Token?
        var isVague = false
        scan: while let currentToken = token(index) {
            if let (rooms, next) = premodifyingRoom(at: index) {
                mention.rooms = rooms
                index = next
                continue
            }
            switch currentToken.kind {
            case .means(.function), .means(.product):
                head = currentToken
                break scan
            case .means(.brand(let brand)):
                if mention.brand != nil, mention.brand != brand, self.token(index - 1)?.brand != nil { mention.model = nil }
                mention.brand = brand
                unknown = []
            case .means(.number(let number)) where mention.brand == nil && unknown.isEmpty && mention.count == nil:
                mention.count = number
                if mention.article == .definite { break }
            case .means(.number), .model:
                guard mention.brand != nil || !unknown.isEmpty else { break scan }
                mention.model = [mention.model, currentToken.written].compactMap(\.self).joined(separator: " ")
            case .means(.grammar(.definite)) where mention.article == .none && mention.brand == nil: mention.article = .definite
            case .means(.grammar(.indefinite)) where mention.article == .none: mention.article = .indefinite
            case .means(.grammar(.another)) where mention.article == .none: mention.article = .another
            case .means(.grammar(.vague)), .means(.grammar(.allOf)), .means(.grammar(.every)):
                guard mention.brand == nil, unknown.isEmpty, mention.article == .none || !currentToken.is(.every) else { break scan }
                if currentToken.is(.vague) { isVague = true } else { mention.article = .definite }
            case .means(.grammar(.unconnected)): mention.isConnected = false
            case .means(.grammar(.connected)):
                guard mention.article != .none || mention.count != nil || mention.brand != nil, currentToken.text == "smart" else {
                    break scan
                }
            case .means(.modifier), .means(.plain), .means(.furniture), .means(.floor), .unknown:
                guard mention.brand != nil || mention.article != .none || mention.count != nil || isVague || leadsToDevice(from: index)
                else { break scan }
                unknown.append(currentToken)
                if unknown.count > 4 { break scan }
            default: break scan
            }
            index += 1
        }
        // "An old door opener": the noun before the name is one of its traits.
        if let last = head {
            while let next = token(index + 1), next.isDevice {
                head = next
                index += 1
            }
            mention.traits = unknown.map(\.text)
            apply(head ?? last, into: &mention)
            index += 1
            if let brand = token(index)?.brand, mention.brand == nil, !untilVerb {
                mention.brand = brand
                index += 1
            }
        } else if let brand = mention.brand, let known = equipment.brands[brand] {
            // A Yale is a lock; a Bosch may be anything.
            if !isBare { mention.function = known.default }
            mention.isPlural = (mention.count ?? 1) > 1
            // "A Yale Linus": unknown words right after the brand are its model; others belong to the next phrase.
            if let first = unknown.first, let place = tokens.firstIndex(of: first), place > start {
                let named = unknown.prefix(2).prefix { $0.kind == .unknown }
                if mention.model == nil, !named.isEmpty { mention.model = named.map(\.written).joined(separator: " ") }
                index = min(index, place + named.count)
            }
        } else if mayBeUnknown, let noun = unknownNoun(unknown),
            mention.article == .indefinite || mention.article == .another || mention.count != nil
        {
            mention.noun = noun
            mention.isPlural = (mention.count ?? 1) > 1
        } else {
            return nil
        }
        guard index > start else { return nil }
        if isVague, mention.count == nil { mention.isPlural = true }
        if mention.article == .another, mention.count == nil, !mention.isPlural { mention.count = 1 }
        index = parsePostmodifiers(&mention, from: index, untilVerb: untilVerb)
        mention.isCorrected = tokens[start..<min(index, tokens.count)].contains(where: \.isCorrected)
        mention.words = sourceText(from: start, to: index)
        return (mention, index)
    }

    /// The unknown words, if they can be the name of a thing at all.
    private func unknownNoun(_ words: [Interview.Token]) -> String? {
        guard let last = words.last, last.kind == .unknown, !equipment.people.contains(last.text), last.text.count >= 3 else { return nil }
        let spoken = words.filter { $0.kind == .unknown }.map(\.text)
        return spoken.isEmpty ? nil : spoken.joined(separator: " ")
    }

    private func leadsToDevice(from index: Int) -> Bool {
        for place in index..<(index + 4) {
            guard let currentToken = token(place) else { return false }
            if currentToken.isDevice || currentToken.brand != nil { return true }
            guard currentToken.isModifier || currentToken.kind == .unknown || currentToken.kind == .means(.plain) else { return false }
        }
        return false
    }

    private func apply(_ currentToken: Interview.Token, into mention: inout Interview.Mention) {
        switch currentToken.kind {
        case .means(.function(let id, let isPlural)):
            mention.function = id
            mention.noun = singular(currentToken.text, of: equipment.functions[id]?.words ?? [])
            mention.isPlural = isPlural || (mention.count ?? 1) > 1
        case .means(.product(let id, let brand, let isPlural)):
            mention.function = id
            mention.brand = brand
            mention.noun = isPlural ? String(currentToken.text.dropLast()) : currentToken.text
            mention.isPlural = isPlural || (mention.count ?? 1) > 1
        default: break
        }
        // The garage door is in the garage, unless another room is named.
        if mention.noun?.hasPrefix("garage ") == true { mention.placeHint = .garage }
    }

    private func singular(_ text: String, of words: [String]) -> String {
        words.contains(text)
            ? text : words.first { Interview.EquipmentLexicon.plurals(of: Interview.EquipmentLexicon.folded($0)).contains(text) } ?? text
    }

    /// Parses the words after the name of a thing: its brand, given name, rooms, place in the room, and whether it is connected.
    func parsePostmodifiers(_ mention: inout Interview.Mention, from start: Int, untilVerb: Bool) -> Int {
        var index = start
        while let currentToken = token(index) {
            if currentToken.is(.from) || currentToken.text == "by", self.token(index + 2)?.isDevice != true,
                let brand = self.token(index + 1)?.brand
            {
                mention.brand = brand
                index += 2
            } else if currentToken.is(.called), !untilVerb, let (name, next) = namePhrase(from: index + 1) {
                mention.name = name
                index = next
            } else if currentToken.is(.each) {
                mention.isEach = true
                index += 1
            } else if let next = skipRadioPhrase(from: index) {
                index = next
            } else if Self.nonContainingPrepositions.contains(currentToken.text), let (_, next) = roomPhrase(at: index) {
                mention.place = sourceText(from: index, to: next)
                mention.isOutside = currentToken.text == "outside" || currentToken.text == "behind"
                index = next
            } else if let (rooms, next) = roomPhrase(at: index),
                currentToken.is(.in) || currentToken.is(.preposition) || currentToken.is(.every) || currentToken.isModifier
            {
                mention.rooms += rooms
                index = next
            } else if currentToken.is(.and), let (rooms, next) = roomPhrase(at: index + 1), !mention.rooms.isEmpty, endsList(next),
                self.token(index + 1).map({ $0.is(.in) || $0.is(.definite) || $0.isRoom || $0.is(.allOf) || $0.is(.every) }) ?? false
            {
                mention.rooms += rooms
                index = next
            } else if currentToken.kind == .comma, !mention.rooms.isEmpty, let (rooms, next) = roomPhrase(at: index + 1),
                self.token(next).map({ $0.is(.and) && roomPhrase(at: next + 1) != nil || $0.kind == .comma }) ?? false,
                isRoomList(from: index)
            {
                mention.rooms += rooms
                index = next
            } else if let (place, hint, outside, next) = placePhrase(at: index) {
                mention.place = [mention.place, place].compactMap(\.self).joined(separator: " ")
                mention.placeHint = mention.placeHint ?? hint
                mention.isOutside = mention.isOutside || outside
                index = next
            } else if currentToken.text == "of", !mention.isEmpty, mention.rooms.isEmpty, let (rooms, next) = roomPhrase(at: index + 1) {
                mention.rooms += rooms
                index = next
            } else if currentToken.is(.who), !untilVerb, self.token(index + 1).map({ !$0.is(.thereIs) }) ?? false {
                guard let next = parseRelativeClause(&mention, from: index + 1) else { return index }
                index = next
            } else if currentToken.is(.unconnected), !untilVerb {
                mention.isConnected = false
                index += 1
            } else if case .model(let model) = currentToken.kind {
                mention.model = model
                index += 1
            } else {
                break
            }
        }
        return index
    }

    /// Prepositions that do not put a thing into the room: what is over the garage is not in it.
    private static let nonContainingPrepositions: Set<String> = [
        "above", "over", "outside", "behind", "opposite", "facing", "towards", "below", "underneath", "around",
    ]

    /// Returns whether only rooms follow up to the end of the list: "…, the hall and the landing".
    private func isRoomList(from start: Int) -> Bool {
        var index = start
        while let currentToken = token(index), currentToken.kind == .comma || currentToken.is(.and) {
            guard let (_, next) = roomPhrase(at: index + 1) else { return false }
            index = next
        }
        return token(index) == nil
    }

    /// Returns whether the list ends at `index`, so that the word there does not begin the next statement.
    private func endsList(_ index: Int) -> Bool {
        guard let currentToken = token(index) else { return true }
        if currentToken.is(.thereIs) || currentToken.is(.have) || currentToken.is(.is) || currentToken.isDevice || currentToken.brand != nil
        {
            return false
        }
        if currentToken.is(.indefinite) || currentToken.is(.another) || currentToken.is(.definite) || currentToken.number != nil {
            return false
        }
        return true
    }

    /// "That isn't connected", "which is a Bosch", "that's in the hall".
    private func parseRelativeClause(_ mention: inout Interview.Mention, from start: Int) -> Int? {
        var isNegated = false
        var index = start
        var didTake = false
        while let currentToken = token(index) {
            if currentToken.is(.not) || currentToken.is(.isNot) || currentToken.is(.itIsNot) || currentToken.is(.haveNot) {
                isNegated = true
            } else if currentToken.is(.unconnected) {
                mention.isConnected = false
                return index + 1
            } else if currentToken.is(.connected) {
                mention.isConnected = !isNegated
                return index + 1
            } else if let brand = currentToken.brand {
                if !isNegated { mention.brand = brand }
                didTake = true
            } else if let (rooms, next) = roomPhrase(at: index) {
                if !isNegated { mention.rooms += rooms }
                return next
            } else if currentToken.isDevice, !currentToken.is(.indefinite), index > start {
                // "That controls the gate": the thing it controls is not another mention.
                return index + 1
            } else if currentToken.kind == .comma || currentToken.is(.and) || currentToken.isDevice || currentToken.kind == .colon {
                return didTake || isNegated || index > start + 1 ? index : nil
            }
            index += 1
            if index > start + 12 { break }
        }
        return index
    }

    // MARK: Rooms, places and names

    /// "The kitchen light": a room right before the thing.
    private func premodifyingRoom(at start: Int) -> ([Interview.MentionedRoom], next: Int)? {
        var index = start
        while let currentToken = token(index), currentToken.isModifier, index < start + 2 { index += 1 }
        guard let room = token(index), room.isRoom, let next = token(index + 1) else { return nil }
        // "The kitchen has": the room itself is the subject.
        var ahead = index + 1
        while let currentToken = token(ahead), currentToken.isModifier || currentToken.brand != nil || currentToken.kind == .unknown,
            ahead < index + 4
        { ahead += 1 }
        guard next.isDevice || token(ahead)?.isDevice == true else { return nil }
        if case .means(.room(_, let isPlural)) = room.kind, isPlural { return nil }
        let found = parser.roomResolver.resolve(room, modifiers: Array(tokens[start..<index]))
        guard !found.isEmpty else { return nil }
        return ([Interview.MentionedRoom(options: found, words: room.text)], index + 1)
    }

    /// "In the kitchen and the hall", "upstairs bathroom", "in every bedroom".
    func roomPhrase(at start: Int) -> (rooms: [Interview.MentionedRoom], next: Int)? {
        var index = start
        if let currentToken = token(index), currentToken.is(.in) || currentToken.is(.preposition) { index += 1 }
        // "Upstairs in the bathroom".
        var floor: Interview.Token?
        if let first = token(start), case .means(.floor) = first.kind, token(start + 1)?.is(.in) == true {
            floor = first
            index = start + 2
        }
        var isEvery = false
        while let currentToken = token(index) {
            if currentToken.is(.every) || currentToken.is(.each) || currentToken.is(.allOf) {
                isEvery = true
            } else if !currentToken.is(.definite), !currentToken.is(.indefinite),
                currentToken.number == nil || self.token(index + 1)?.isRoom != true
            {
                break
            }
            index += 1
        }
        if let currentToken = token(index),
            equipment.matches(currentToken.text, is: "everywhere") || isEvery && ["room", "rooms"].contains(currentToken.text)
        {
            let all = parser.roomResolver.rooms.prefix(Interview.roomLimit).map { Interview.MentionedRoom(options: [$0], words: $0.name) }
            return all.isEmpty ? nil : (Array(all), index + 1)
        }
        if let own = possessiveRoom(at: index) { return own }
        let modifiersFrom = index
        while let currentToken = token(index), currentToken.isModifier { index += 1 }
        guard let room = token(index), room.isRoom else { return nil }
        // A thing with a room in its name is not the room: "the garage light".
        if token(index + 1)?.isDevice == true || (token(index + 1)?.brand != nil && token(index + 2)?.isDevice == true) { return nil }
        let found = parser.roomResolver.resolve(
            room, modifiers: (floor.map { [$0] } ?? []) + tokens[modifiersFrom..<index], isEvery: isEvery)
        guard !found.isEmpty else { return nil }
        var isMany = isEvery
        if case .means(.room(_, let isPlural)) = room.kind, isPlural { isMany = true }
        if isMany { return (found.map { Interview.MentionedRoom(options: [$0], words: $0.name) }, index + 1) }
        let words = tokens[modifiersFrom...index].map(\.text).joined(separator: " ")
        return ([Interview.MentionedRoom(options: found, words: words)], index + 1)
    }

    /// "My daughter's room", if the house has no room of that name.
    private func possessiveRoom(at index: Int) -> (rooms: [Interview.MentionedRoom], next: Int)? {
        guard let owner = token(index), owner.text.hasSuffix("'s") || owner.text.hasSuffix("s'"), !owner.isRoom, !owner.isDevice,
            token(index + 1)?.text == "room", token(index + 2)?.isDevice != true
        else { return nil }
        let name = "\(owner.written) room"
        let known = parser.roomResolver.rooms.filter {
            Interview.EquipmentLexicon.folded($0.name) == Interview.EquipmentLexicon.folded(name)
        }
        let room = known.first ?? Interview.RoomResolver.new(named: name, kind: .bedroom)
        return ([Interview.MentionedRoom(options: [room], words: name)], index + 2)
    }

    /// "Over the sofa", "at the back", "upstairs".
    func placePhrase(at start: Int) -> (place: String, hint: RoomKind?, isOutside: Bool, next: Int)? {
        guard let first = token(start) else { return nil }
        if case .means(.floor) = first.kind { return (first.written, nil, false, start + 1) }
        if ["outside", "outdoors"].contains(first.text), token(start + 1).map({ $0.kind == .comma || $0.is(.and) }) ?? true {
            return (first.written, nil, true, start + 1)
        }
        guard first.is(.in) || first.is(.preposition), let after = token(start + 1) else { return nil }
        var index = start + 1
        var hint: RoomKind?
        if after.is(.definite) || after.is(.indefinite) || after.is(.each) || after.is(.every) { index += 1 }
        var count = 0
        while let currentToken = token(index), count < 4 {
            switch currentToken.kind {
            case .means(.furniture(let kind)): hint = kind
            // "On either side of the bed"; but "the window of the bedroom" goes on with the room.
            case .means(.grammar(.definite)) where count > 0 && self.token(index - 1)?.text == "of":
                index += 1
                continue
            case .means(.plain) where currentToken.text == "of" && roomPhrase(at: index + 1) != nil: return count == 0 ? nil : finish()
            case .means(.plain), .means(.modifier), .unknown, .means(.floor): break
            // "Behind the washing machine": a landmark.
            case .means(.function)
            where count == 0 && first.is(.preposition) && after.is(.definite) && !["with", "for"].contains(first.text): break
            // "By the front door": that door tells the place and is not another thing.
            default: return count == 0 ? nil : finish()
            }
            index += 1
            if currentToken.text != "of" { count += 1 }
        }
        return count == 0 ? nil : finish()

        func finish() -> (String, RoomKind?, Bool, Int) {
            let words = sourceText(from: start, to: index)
            let parts = Set(Interview.EquipmentLexicon.folded(words).split(separator: " ").map(String.init))
            return (
                words, hint,
                !parts.isDisjoint(with: ["back", "front", "outside", "door", "fence", "street", "roof", "gate", "throughout"]), index
            )
        }
    }

    /// A given name: in quotation marks, or up to the beginning of the next phrase.
    func namePhrase(from start: Int) -> (name: String, next: Int)? {
        guard let first = token(start) else { return nil }
        if case .quoted(let name) = first.kind { return (String(name.prefix(200)), start + 1) }
        var index = start
        while let currentToken = token(index), currentToken.kind != .comma, !currentToken.is(.and), index < start + 12 {
            if index > start, currentToken.is(.in), roomPhrase(at: index) != nil { break }
            index += 1
        }
        guard index > start else { return nil }
        return (sourceText(from: start, to: index), index)
    }
}
