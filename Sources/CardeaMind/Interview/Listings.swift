import CardeaModel

/// What there is: things one after the other, and rooms.
extension Interview.ClauseReader {
    func readRooms(from start: Int) -> Interview.Statement? {
        guard !pieces.contains(where: { $0.isThing || $0.brand != nil }) else { return nil }
        // "There's a flux capacitor in the garage" is about the capacitor.
        guard !pieces.indices.contains(where: { pieces[$0].is(.indefinite) && mention(at: $0, mayBeUnknown: true) != nil }) else {
            return nil
        }
        var rooms: [Interview.SpokenRoom] = []
        var counts: [Int] = []
        var index = start
        while index < pieces.count {
            if let (found, next) = roomPhrase(at: index) {
                let count = pieces[index..<next].lazy.compactMap(\.number).first ?? 1
                if let before = piece(index - 1), let number = before.number {
                    counts += found.map { _ in number }
                } else {
                    counts += found.map { _ in count }
                }
                rooms += found
                index = next
            } else {
                index += 1
            }
        }
        return rooms.isEmpty ? nil : .rooms(rooms, count: counts)
    }

    mutating func readMentions(from start: Int) -> [Interview.Statement] {
        var list = Interview.MentionList()
        var hasOwnLeading = false
        var isSaid = false
        var afterBreak = true
        var edge: (words: String, isOutside: Bool)?
        var index = start
        while let piece = piece(index) {
            if let (rooms, next) = roomPhrase(at: index), leads(at: next, afterBreak: afterBreak) {
                (leading, hasOwnLeading) = (rooms, true)
                index = next
                continue
            }
            if let (words, isOutside, next) = doorThatHas(at: index) ?? placeThatLeads(at: index, afterBreak: afterBreak) {
                edge = (words, isOutside)
                index = next
                continue
            }
            if afterBreak, !list.mentions.isEmpty, let (rooms, next) = roomPhrase(at: index),
                self.piece(next).map({ $0.what == .comma }) ?? true
            {
                // "A washer and a dryer, both Miele, in the garage."
                list.spread(rooms)
                index = next
                continue
            }
            if piece.is(.allOf) || equipment.utterance(piece.text, is: "all"), let brand = self.piece(index + 1)?.brand,
                self.piece(index + 2)?.isThing != true
            {
                list.spread(brand: brand)
                index += 2
                continue
            }
            if let (part, next) = portion(at: index, of: list.mentions.last) {
                list.append(part: part, leading: leading)
                index = next
                continue
            }
            let mayBeUnknown = isSaid || hasOwnLeading && list.mentions.isEmpty || !list.mentions.isEmpty
            if var (mention, next) = mention(at: index, mayBeUnknown: mayBeUnknown && !piece.is(.definite)) {
                if mention.place == nil, mention.rooms.isEmpty, let edge { (mention.place, mention.isOutside) = edge }
                // Said of another room, the one before is left.
                if !mention.rooms.isEmpty, !hasOwnLeading { leading = [] }
                list.append(mention, leading: leading, equipment: equipment)
                next = max(next, index + 1)
                index = next
                afterBreak = false
                continue
            }
            if piece.is(.unconnected) || piece.is(.connected) && isDenied(index) {
                disconnect(&list.mentions, at: index)
            } else if piece.is(.thereIs) || piece.is(.have) {
                isSaid = true
            }
            afterBreak = piece.what == .comma || piece.what == .colon || piece.is(.and)
            index += 1
        }
        if pieces.contains(where: { $0.text == "neither" }), pieces.contains(where: { $0.is(.connected) }) { list.disconnectAll() }
        return list.whole.map { mention in
            var mention = mention
            mention.isStated = isSaid
            return isCorrection ? .correction(mention) : .mention(mention)
        }
    }

    /// "The front door has a lock": no room, and yet it says where.
    func doorThatHas(at start: Int) -> (place: String, isOutside: Bool, next: Int)? {
        guard piece(start)?.is(.definite) == true, let door = piece(start + 1), piece(start + 2)?.is(.have) == true else { return nil }
        guard ["door", "gate", "entrance", "roof", "fence"].contains(where: { door.text.hasSuffix($0) }), !door.isThing else {
            return nil
        }
        return (Interview.words(.atTheDoor, [.thing: door.written]), true, start + 3)
    }

    /// "At the back there's a lock", "next to the TV we have a lamp".
    func placeThatLeads(at start: Int, afterBreak: Bool) -> (place: String, isOutside: Bool, next: Int)? {
        guard afterBreak, let (place, _, isOutside, next) = placePhrase(at: start), let verb = piece(next) else { return nil }
        return verb.is(.thereIs) || verb.is(.have) || verb.text == "we"
            ? (place.prefix(1).lowercased() + place.dropFirst(), isOutside, next) : nil
    }

    /// "… and two in the kitchen", "another one at the back": of what was spoken of just before.
    func portion(at start: Int, of last: Interview.Mention?) -> (Interview.Mention, next: Int)? {
        if let last, let other = otherBrand(at: start, than: last) { return other }
        guard let last, !last.isEmpty, let first = piece(start), first.number != nil || first.is(.another), mention(at: start) == nil
        else { return nil }
        var part = Interview.Mention()
        (part.function, part.noun, part.brand, part.count) = (last.function, last.noun, last.brand, first.number ?? 1)
        if first.is(.another) { part.article = .another }
        part.isPlural = (part.count ?? 1) > 1
        var index = start + 1
        while let piece = piece(index), ["one", "ones", "more", "other"].contains(piece.text) { index += 1 }
        let from = index
        index = follow(&part, from: index, untilVerb: false)
        guard index > from || first.is(.another) && (piece(index) == nil || piece(index)?.what == .comma) else { return nil }
        part.words = written(from: start, to: index)
        return (part, index)
    }

    /// "… and in the study an Ikea one".
    func otherBrand(at start: Int, than last: Interview.Mention) -> (Interview.Mention, next: Int)? {
        var index = start
        if let piece = piece(index), piece.is(.indefinite) || piece.is(.definite) || piece.is(.another) { index += 1 }
        guard index > start || !last.isEmpty, let brand = piece(index)?.brand, let one = piece(index + 1),
            ["one", "ones"].contains(one.text)
        else { return nil }
        // A Sonos One is no other Sonos.
        guard last.function != nil, last.brand != brand, piece(start)?.brand == nil else { return nil }
        var part = Interview.Mention()
        (part.function, part.noun, part.brand, part.count) = (last.function, last.noun, brand, 1)
        let next = follow(&part, from: index + 2, untilVerb: false)
        part.words = written(from: start, to: next)
        return (part, next)
    }

    /// Whether the rooms before `next` are set for what follows, rather than for what was before.
    func leads(at next: Int, afterBreak: Bool) -> Bool {
        guard afterBreak else { return false }
        var index = next
        while let piece = piece(index), piece.what == .comma || piece.what == .colon || equipment.utterance(piece.text, is: "filler") {
            index += 1
        }
        guard let piece = piece(index) else { return false }
        if piece.is(.have) || piece.is(.thereIs) || piece.is(.it) || piece.is(.is) || ["we", "i", "you", "they"].contains(piece.text) {
            return true
        }
        return mention(at: index, mayBeUnknown: true) != nil
    }

    func isDenied(_ index: Int) -> Bool {
        pieces[max(index - 3, 0)..<index].contains { $0.is(.not) || $0.is(.isNot) || $0.is(.haveNot) || $0.is(.itIsNot) }
    }

    /// Of the last, or of all that were named, where it says "none of them" or "both aren't".
    func disconnect(_ mentions: inout [Interview.Mention], at index: Int) {
        let isAll = pieces[max(index - 4, 0)...index].contains {
            $0.is(.allOf) || equipment.utterance($0.text, is: "none") || equipment.utterance($0.text, is: "all")
        }
        for place in isAll ? mentions.indices.suffix(mentions.count) : mentions.indices.suffix(1) {
            mentions[place].isConnected = false
        }
    }

    func written(from start: Int, to end: Int) -> String {
        let range = pieces[max(start, 0)..<min(max(end, start), pieces.count)]
        guard let first = range.first, let last = range.last else { return "" }
        return reader.utterance.written(first.range.lowerBound..<last.range.upperBound)
    }
}

extension Interview {
    /// The things of one clause, as they come.
    struct MentionList {
        var mentions: [Mention] = []
        /// Places of those that say how those before are spread: "one in the hall".
        private var parts: [Int] = []
        private var base: (place: Int, hasOwnRoom: Bool)?

        mutating func append(_ mention: Mention, leading: [Interview.SpokenRoom], equipment: Equipment) {
            var mention = mention
            let hasOwnRoom = !mention.rooms.isEmpty
            if !hasOwnRoom { mention.rooms = leading }
            // "A lamp, a fan and two speakers in the bedroom": the room is said once, at the end.
            if hasOwnRoom, leading.isEmpty {
                for place in mentions.indices.reversed() {
                    let roams = mentions[place].function.flatMap { equipment.functions[$0] }?.roams == true
                    guard mentions[place].rooms.isEmpty, mentions[place].place == nil else { break }
                    if !roams { mentions[place].rooms = mention.rooms }
                }
            }
            if parts.isEmpty { base = (mentions.count, hasOwnRoom) }
            mentions.append(mention)
        }

        mutating func append(part: Mention, leading: [Interview.SpokenRoom]) {
            var part = part
            if part.rooms.isEmpty { part.rooms = leading }
            parts.append(mentions.count)
            mentions.append(part)
        }

        /// Said once at the end for all that was said before.
        mutating func spread(_ rooms: [Interview.SpokenRoom]) {
            for place in mentions.indices where mentions[place].rooms.isEmpty { mentions[place].rooms = rooms }
        }

        mutating func spread(brand: String) {
            for place in mentions.indices where mentions[place].brand == nil { mentions[place].brand = brand }
        }

        mutating func disconnectAll() {
            for place in mentions.indices { mentions[place].isConnected = false }
        }

        /// "Three lamps: one in the hall and two in the study" are three, not six.
        var whole: [Mention] {
            guard let base, !parts.isEmpty, mentions.indices.contains(base.place), !base.hasOwnRoom, mentions[base.place].place == nil
            else { return mentions }
            let sum = parts.reduce(0) { $0 + min(mentions[$1].count ?? 1, 1000) }
            guard mentions[base.place].count == sum || mentions[base.place].count == nil && mentions[base.place].isPlural else {
                return mentions
            }
            return mentions.indices.filter { $0 != base.place }.map { mentions[$0] }
        }
    }
}
