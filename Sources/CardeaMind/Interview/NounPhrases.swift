import CardeaModel
import Foundation

/// The parts of which clauses are made: things with what belongs to them, rooms, places, names.
extension Interview.ClauseReader {
    /// A thing from here on, and where the clause goes on after it.
    ///
    /// - Parameters:
    ///   - untilVerb: it is what the clause is about, so nothing after its name belongs to it but where it is.
    ///   - isBare: a brand alone says no more than a brand.
    ///   - mayBeUnknown: words nobody knows may be a thing too: "a flux capacitor".
    func mention(at start: Int, untilVerb: Bool = false, isBare: Bool = false, mayBeUnknown: Bool = false) -> (
        Interview.Mention, next: Int
    )? {
        var mention = Interview.Mention()
        var index = start
        var unknown: [Interview.Piece] = []
        var head: Interview.Piece?
        var isVague = false
        scan: while let piece = piece(index) {
            if let (rooms, next) = premodifyingRoom(at: index) {
                mention.rooms = rooms
                index = next
                continue
            }
            switch piece.what {
            case .means(.function), .means(.product):
                head = piece
                break scan
            case .means(.brand(let brand)):
                if mention.brand != nil, mention.brand != brand, self.piece(index - 1)?.brand != nil { mention.model = nil }
                mention.brand = brand
                unknown = []
            case .means(.number(let number)) where mention.brand == nil && unknown.isEmpty && mention.count == nil:
                mention.count = number
                if mention.article == .definite { break }
            case .means(.number), .model:
                guard mention.brand != nil || !unknown.isEmpty else { break scan }
                mention.model = [mention.model, piece.written].compactMap(\.self).joined(separator: " ")
            case .means(.grammar(.definite)) where mention.article == .none && mention.brand == nil: mention.article = .definite
            case .means(.grammar(.indefinite)) where mention.article == .none: mention.article = .indefinite
            case .means(.grammar(.another)) where mention.article == .none: mention.article = .another
            case .means(.grammar(.vague)), .means(.grammar(.allOf)), .means(.grammar(.every)):
                guard mention.brand == nil, unknown.isEmpty, mention.article == .none || !piece.is(.every) else { break scan }
                if piece.is(.vague) { isVague = true } else { mention.article = .definite }
            case .means(.grammar(.unconnected)): mention.isConnected = false
            case .means(.grammar(.connected)):
                guard mention.article != .none || mention.count != nil || mention.brand != nil, piece.text == "smart" else { break scan }
            case .means(.modifier), .means(.plain), .means(.furniture), .means(.floor), .unknown:
                guard mention.brand != nil || mention.article != .none || mention.count != nil || isVague || leadsToThing(from: index)
                else { break scan }
                unknown.append(piece)
                if unknown.count > 4 { break scan }
            default: break scan
            }
            index += 1
        }
        // "An old door opener": what stood before the name is what it is like.
        if let last = head {
            while let next = piece(index + 1), next.isThing {
                head = next
                index += 1
            }
            mention.traits = unknown.map(\.text)
            take(head ?? last, into: &mention)
            index += 1
            if let brand = piece(index)?.brand, mention.brand == nil, !untilVerb {
                mention.brand = brand
                index += 1
            }
        } else if let brand = mention.brand, let known = equipment.brands[brand] {
            // A Yale is a lock; a Bosch may be anything.
            if !isBare { mention.function = known.default }
            mention.isPlural = (mention.count ?? 1) > 1
            // "A Yale Linus": words nobody knows right after the brand are its model; others belong to what comes next.
            if let first = unknown.first, let place = pieces.firstIndex(of: first), place > start {
                let named = unknown.prefix(2).prefix { $0.what == .unknown }
                if mention.model == nil, !named.isEmpty { mention.model = named.map(\.written).joined(separator: " ") }
                index = min(index, place + named.count)
            }
        } else if mayBeUnknown, let noun = strangeNoun(unknown),
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
        index = follow(&mention, from: index, untilVerb: untilVerb)
        mention.isCorrected = pieces[start..<min(index, pieces.count)].contains(where: \.isCorrected)
        mention.words = written(from: start, to: index)
        return (mention, index)
    }

    /// Words nobody knows, where they can be a thing's name at all.
    private func strangeNoun(_ words: [Interview.Piece]) -> String? {
        guard let last = words.last, last.what == .unknown, !equipment.people.contains(last.text), last.text.count >= 3 else { return nil }
        let spoken = words.filter { $0.what == .unknown }.map(\.text)
        return spoken.isEmpty ? nil : spoken.joined(separator: " ")
    }

    private func leadsToThing(from index: Int) -> Bool {
        for place in index..<(index + 4) {
            guard let piece = piece(place) else { return false }
            if piece.isThing || piece.brand != nil { return true }
            guard piece.isModifier || piece.what == .unknown || piece.what == .means(.plain) else { return false }
        }
        return false
    }

    private func take(_ piece: Interview.Piece, into mention: inout Interview.Mention) {
        switch piece.what {
        case .means(.function(let id, let isPlural)):
            mention.function = id
            mention.noun = singular(piece.text, of: equipment.functions[id]?.words ?? [])
            mention.isPlural = isPlural || (mention.count ?? 1) > 1
        case .means(.product(let id, let brand, let isPlural)):
            mention.function = id
            mention.brand = brand
            mention.noun = isPlural ? String(piece.text.dropLast()) : piece.text
            mention.isPlural = isPlural || (mention.count ?? 1) > 1
        default: break
        }
        // The garage door is in the garage, where nothing else is said.
        if mention.noun?.hasPrefix("garage ") == true { mention.placeHint = .garage }
    }

    private func singular(_ text: String, of words: [String]) -> String {
        words.contains(text) ? text : words.first { Interview.Equipment.plurals(of: Interview.Equipment.folded($0)).contains(text) } ?? text
    }

    /// What follows a thing's name: made by whom, called what, in which rooms, where in them, connected or not.
    func follow(_ mention: inout Interview.Mention, from start: Int, untilVerb: Bool) -> Int {
        var index = start
        while let piece = piece(index) {
            if piece.is(.from) || piece.text == "by", self.piece(index + 2)?.isThing != true, let brand = self.piece(index + 1)?.brand {
                mention.brand = brand
                index += 2
            } else if piece.is(.called), !untilVerb, let (name, next) = spokenName(from: index + 1) {
                mention.name = name
                index = next
            } else if piece.is(.each) {
                mention.isEach = true
                index += 1
            } else if let next = afterRadio(from: index) {
                index = next
            } else if Self.apart.contains(piece.text), let (_, next) = roomPhrase(at: index) {
                mention.place = written(from: index, to: next)
                mention.isOutside = piece.text == "outside" || piece.text == "behind"
                index = next
            } else if let (rooms, next) = roomPhrase(at: index),
                piece.is(.in) || piece.is(.preposition) || piece.is(.every) || piece.isModifier
            {
                mention.rooms += rooms
                index = next
            } else if piece.is(.and), let (rooms, next) = roomPhrase(at: index + 1), !mention.rooms.isEmpty, endsHere(next),
                self.piece(index + 1).map({ $0.is(.in) || $0.is(.definite) || $0.isRoom || $0.is(.allOf) || $0.is(.every) }) ?? false
            {
                mention.rooms += rooms
                index = next
            } else if piece.what == .comma, !mention.rooms.isEmpty, let (rooms, next) = roomPhrase(at: index + 1),
                self.piece(next).map({ $0.is(.and) && roomPhrase(at: next + 1) != nil || $0.what == .comma }) ?? false,
                listOfRooms(from: index)
            {
                mention.rooms += rooms
                index = next
            } else if let (place, hint, outside, next) = placePhrase(at: index) {
                mention.place = [mention.place, place].compactMap(\.self).joined(separator: " ")
                mention.placeHint = mention.placeHint ?? hint
                mention.isOutside = mention.isOutside || outside
                index = next
            } else if piece.text == "of", !mention.isEmpty, mention.rooms.isEmpty, let (rooms, next) = roomPhrase(at: index + 1) {
                mention.rooms += rooms
                index = next
            } else if piece.is(.who), !untilVerb, self.piece(index + 1).map({ !$0.is(.thereIs) }) ?? false {
                guard let next = relative(&mention, from: index + 1) else { return index }
                index = next
            } else if piece.is(.unconnected), !untilVerb {
                mention.isConnected = false
                index += 1
            } else if case .model(let model) = piece.what {
                mention.model = model
                index += 1
            } else {
                break
            }
        }
        return index
    }

    /// What is over the garage is not in it.
    private static let apart: Set<String> = [
        "above", "over", "outside", "behind", "opposite", "facing", "towards", "below", "underneath", "around",
    ]

    /// "…, the hall and the landing": nothing but rooms up to the end of the list.
    private func listOfRooms(from start: Int) -> Bool {
        var index = start
        while let piece = piece(index), piece.what == .comma || piece.is(.and) {
            guard let (_, next) = roomPhrase(at: index + 1) else { return false }
            index = next
        }
        return piece(index) == nil
    }

    /// Whether what ends at `index` is the end of a list, and not the start of what is said next.
    private func endsHere(_ index: Int) -> Bool {
        guard let piece = piece(index) else { return true }
        if piece.is(.thereIs) || piece.is(.have) || piece.is(.is) || piece.isThing || piece.brand != nil { return false }
        if piece.is(.indefinite) || piece.is(.another) || piece.is(.definite) || piece.number != nil { return false }
        return true
    }

    /// "That isn't connected", "which is a Bosch", "that's in the hall".
    private func relative(_ mention: inout Interview.Mention, from start: Int) -> Int? {
        var isNegated = false
        var index = start
        var didTake = false
        while let piece = piece(index) {
            if piece.is(.not) || piece.is(.isNot) || piece.is(.itIsNot) || piece.is(.haveNot) {
                isNegated = true
            } else if piece.is(.unconnected) {
                mention.isConnected = false
                return index + 1
            } else if piece.is(.connected) {
                mention.isConnected = !isNegated
                return index + 1
            } else if let brand = piece.brand {
                if !isNegated { mention.brand = brand }
                didTake = true
            } else if let (rooms, next) = roomPhrase(at: index) {
                if !isNegated { mention.rooms += rooms }
                return next
            } else if piece.isThing, !piece.is(.indefinite), index > start {
                // "That controls the gate": what it does is no other thing.
                return index + 1
            } else if piece.what == .comma || piece.is(.and) || piece.isThing || piece.what == .colon {
                return didTake || isNegated || index > start + 1 ? index : nil
            }
            index += 1
            if index > start + 12 { break }
        }
        return index
    }

    // MARK: Rooms, places and names

    /// "The kitchen light": a room right before the thing.
    private func premodifyingRoom(at start: Int) -> ([Interview.SpokenRoom], next: Int)? {
        var index = start
        while let piece = piece(index), piece.isModifier, index < start + 2 { index += 1 }
        guard let room = piece(index), room.isRoom, let next = piece(index + 1) else { return nil }
        // "The kitchen has": the room is spoken of, and not a thing in it.
        var ahead = index + 1
        while let piece = piece(ahead), piece.isModifier || piece.brand != nil || piece.what == .unknown, ahead < index + 4 { ahead += 1 }
        guard next.isThing || piece(ahead)?.isThing == true else { return nil }
        if case .means(.room(_, let isPlural)) = room.what, isPlural { return nil }
        let found = reader.finder.find(room, modifiers: Array(pieces[start..<index]))
        guard !found.isEmpty else { return nil }
        return ([Interview.SpokenRoom(options: found, words: room.text)], index + 1)
    }

    /// "In the kitchen and the hall", "upstairs bathroom", "in every bedroom".
    func roomPhrase(at start: Int) -> (rooms: [Interview.SpokenRoom], next: Int)? {
        var index = start
        if let piece = piece(index), piece.is(.in) || piece.is(.preposition) { index += 1 }
        // "Upstairs in the bathroom".
        var floor: Interview.Piece?
        if let first = piece(start), case .means(.floor) = first.what, piece(start + 1)?.is(.in) == true {
            floor = first
            index = start + 2
        }
        var isEvery = false
        while let piece = piece(index) {
            if piece.is(.every) || piece.is(.each) || piece.is(.allOf) {
                isEvery = true
            } else if !piece.is(.definite), !piece.is(.indefinite), piece.number == nil || self.piece(index + 1)?.isRoom != true {
                break
            }
            index += 1
        }
        if let piece = piece(index), equipment.utterance(piece.text, is: "everywhere") || isEvery && ["room", "rooms"].contains(piece.text)
        {
            let all = reader.finder.rooms.prefix(Interview.roomLimit).map { Interview.SpokenRoom(options: [$0], words: $0.name) }
            return all.isEmpty ? nil : (Array(all), index + 1)
        }
        if let own = ownRoom(at: index) { return own }
        let modifiersFrom = index
        while let piece = piece(index), piece.isModifier { index += 1 }
        guard let room = piece(index), room.isRoom else { return nil }
        // What is called after a room is not the room: "the garage light".
        if piece(index + 1)?.isThing == true || (piece(index + 1)?.brand != nil && piece(index + 2)?.isThing == true) { return nil }
        let found = reader.finder.find(room, modifiers: (floor.map { [$0] } ?? []) + pieces[modifiersFrom..<index], isEvery: isEvery)
        guard !found.isEmpty else { return nil }
        var isMany = isEvery
        if case .means(.room(_, let isPlural)) = room.what, isPlural { isMany = true }
        if isMany { return (found.map { Interview.SpokenRoom(options: [$0], words: $0.name) }, index + 1) }
        let words = pieces[modifiersFrom...index].map(\.text).joined(separator: " ")
        return ([Interview.SpokenRoom(options: found, words: words)], index + 1)
    }

    /// "My daughter's room", where the house has none that is called so.
    private func ownRoom(at index: Int) -> (rooms: [Interview.SpokenRoom], next: Int)? {
        guard let owner = piece(index), owner.text.hasSuffix("'s") || owner.text.hasSuffix("s'"), !owner.isRoom, !owner.isThing,
            piece(index + 1)?.text == "room", piece(index + 2)?.isThing != true
        else { return nil }
        let name = "\(owner.written) room"
        let known = reader.finder.rooms.filter { Interview.Equipment.folded($0.name) == Interview.Equipment.folded(name) }
        let room = known.first ?? Interview.RoomFinder.new(named: name, kind: .bedroom)
        return ([Interview.SpokenRoom(options: [room], words: name)], index + 2)
    }

    /// "Over the sofa", "at the back", "upstairs".
    func placePhrase(at start: Int) -> (place: String, hint: RoomKind?, isOutside: Bool, next: Int)? {
        guard let first = piece(start) else { return nil }
        if case .means(.floor) = first.what { return (first.written, nil, false, start + 1) }
        if ["outside", "outdoors"].contains(first.text), piece(start + 1).map({ $0.what == .comma || $0.is(.and) }) ?? true {
            return (first.written, nil, true, start + 1)
        }
        guard first.is(.in) || first.is(.preposition), let after = piece(start + 1) else { return nil }
        var index = start + 1
        var hint: RoomKind?
        if after.is(.definite) || after.is(.indefinite) || after.is(.each) || after.is(.every) { index += 1 }
        var count = 0
        while let piece = piece(index), count < 4 {
            switch piece.what {
            case .means(.furniture(let kind)): hint = kind
            // "On either side of the bed"; but "the window of the bedroom" goes on with the room.
            case .means(.grammar(.definite)) where count > 0 && self.piece(index - 1)?.text == "of":
                index += 1
                continue
            case .means(.plain) where piece.text == "of" && roomPhrase(at: index + 1) != nil: return count == 0 ? nil : finish()
            case .means(.plain), .means(.modifier), .unknown, .means(.floor): break
            // "Behind the washing machine": a landmark.
            case .means(.function)
            where count == 0 && first.is(.preposition) && after.is(.definite) && !["with", "for"].contains(first.text): break
            // "By the front door": a door there is where it is, not another thing.
            default: return count == 0 ? nil : finish()
            }
            index += 1
            if piece.text != "of" { count += 1 }
        }
        return count == 0 ? nil : finish()

        func finish() -> (String, RoomKind?, Bool, Int) {
            let words = written(from: start, to: index)
            let parts = Set(Interview.Equipment.folded(words).split(separator: " ").map(String.init))
            return (
                words, hint,
                !parts.isDisjoint(with: ["back", "front", "outside", "door", "fence", "street", "roof", "gate", "throughout"]), index
            )
        }
    }

    /// A name that is given: in quotation marks, or up to where something else begins.
    func spokenName(from start: Int) -> (name: String, next: Int)? {
        guard let first = piece(start) else { return nil }
        if case .quoted(let name) = first.what { return (String(name.prefix(200)), start + 1) }
        var index = start
        while let piece = piece(index), piece.what != .comma, !piece.is(.and), index < start + 12 {
            if index > start, piece.is(.in), roomPhrase(at: index) != nil { break }
            index += 1
        }
        guard index > start else { return nil }
        return (written(from: start, to: index), index)
    }
}
