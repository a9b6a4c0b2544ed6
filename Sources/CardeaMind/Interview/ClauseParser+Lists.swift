import CardeaModel

/// Parses lists of things and of rooms.
extension Interview.ClauseParser {
    func parseRooms(from start: Int) -> Interview.Statement? {
        guard !tokens.contains(where: { $0.isDevice || $0.brand != nil }) else { return nil }
        // "There's a flux capacitor in the garage" is about the capacitor.
        guard !tokens.indices.contains(where: { tokens[$0].is(.indefinite) && parseMention(at: $0, mayBeUnknown: true) != nil }) else {
            return nil
        }
        var rooms: [Interview.MentionedRoom] = []
        var counts: [Int] = []
        var index = start
        while index < tokens.count {
            if let (found, next) = roomPhrase(at: index) {
                let count = tokens[index..<next].lazy.compactMap(\.number).first ?? 1
                if let before = token(index - 1), let number = before.number {
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

    mutating func parseMentions(from start: Int) -> [Interview.Statement] {
        var list = Interview.MentionList()
        var hasOwnLeading = false
        var isSaid = false
        var afterBreak = true
        var edge: (words: String, isOutside: Bool)?
        var index = start
        while let currentToken = token(index) {
            if let (rooms, next) = roomPhrase(at: index), introducesDevices(at: next, afterBreak: afterBreak) {
                (leadingRooms, hasOwnLeading) = (rooms, true)
                index = next
                continue
            }
            if let (words, isOutside, next) = doorPhrase(at: index) ?? leadingPlacePhrase(at: index, afterBreak: afterBreak) {
                edge = (words, isOutside)
                index = next
                continue
            }
            if afterBreak, !list.mentions.isEmpty, let (rooms, next) = roomPhrase(at: index),
                self.token(next).map({ $0.kind == .comma }) ?? true
            {
                // "A washer and a dryer, both Miele, in the garage."
                list.distribute(rooms)
                index = next
                continue
            }
            if currentToken.is(.allOf) || equipment.matches(currentToken.text, is: "all"), let brand = self.token(index + 1)?.brand,
                self.token(index + 2)?.isDevice != true
            {
                list.distribute(brand: brand)
                index += 2
                continue
            }
            if let (part, next) = partialMention(at: index, of: list.mentions.last) {
                list.append(part: part, leading: leadingRooms)
                index = next
                continue
            }
            let mayBeUnknown = isSaid || hasOwnLeading && list.mentions.isEmpty || !list.mentions.isEmpty
            if var (mention, next) = parseMention(at: index, mayBeUnknown: mayBeUnknown && !currentToken.is(.definite)) {
                if mention.place == nil, mention.rooms.isEmpty, let edge { (mention.place, mention.isOutside) = edge }
                // A mention in another room ends the leading rooms.
                if !mention.rooms.isEmpty, !hasOwnLeading { leadingRooms = [] }
                list.append(mention, leading: leadingRooms, equipment: equipment)
                next = max(next, index + 1)
                index = next
                afterBreak = false
                continue
            }
            if currentToken.is(.unconnected) || currentToken.is(.connected) && isNegated(index) {
                markDisconnected(&list.mentions, at: index)
            } else if currentToken.is(.thereIs) || currentToken.is(.have) {
                isSaid = true
            }
            afterBreak = currentToken.kind == .comma || currentToken.kind == .colon || currentToken.is(.and)
            index += 1
        }
        if tokens.contains(where: { $0.text == "neither" }), tokens.contains(where: { $0.is(.connected) }) { list.markAllDisconnected() }
        return list.resolved.map { mention in
            var mention = mention
            mention.isStated = isSaid
            return isCorrection ? .correction(mention) : .mention(mention)
        }
    }

    /// "The front door has a lock": it names no room, and still says the place.
    func doorPhrase(at start: Int) -> (place: String, isOutside: Bool, next: Int)? {
        guard token(start)?.is(.definite) == true, let door = token(start + 1), token(start + 2)?.is(.have) == true else { return nil }
        guard ["door", "gate", "entrance", "roof", "fence"].contains(where: { door.text.hasSuffix($0) }), !door.isDevice else {
            return nil
        }
        return (Interview.phrase(.atTheDoor, [.thing: door.written]), true, start + 3)
    }

    /// "At the back there's a lock", "next to the TV we have a lamp".
    func leadingPlacePhrase(at start: Int, afterBreak: Bool) -> (place: String, isOutside: Bool, next: Int)? {
        guard afterBreak, let (place, _, isOutside, next) = placePhrase(at: start), let verb = token(next) else { return nil }
        return verb.is(.thereIs) || verb.is(.have) || verb.text == "we"
            ? (place.prefix(1).lowercased() + place.dropFirst(), isOutside, next) : nil
    }

    /// "… and two in the kitchen", "another one at the back": more of the thing that was mentioned just before.
    func partialMention(at start: Int, of last: Interview.Mention?) -> (Interview.Mention, next: Int)? {
        if let last, let other = otherBrandMention(at: start, than: last) { return other }
        guard let last, !last.isEmpty, let first = token(start), first.number != nil || first.is(.another), parseMention(at: start) == nil
        else { return nil }
        var part = Interview.Mention()
        (part.function, part.noun, part.brand, part.count) = (last.function, last.noun, last.brand, first.number ?? 1)
        if first.is(.another) { part.article = .another }
        part.isPlural = (part.count ?? 1) > 1
        var index = start + 1
        while let currentToken = token(index), ["one", "ones", "more", "other"].contains(currentToken.text) { index += 1 }
        let from = index
        index = parsePostmodifiers(&part, from: index, untilVerb: false)
        guard index > from || first.is(.another) && (token(index) == nil || token(index)?.kind == .comma) else { return nil }
        part.words = sourceText(from: start, to: index)
        return (part, index)
    }

    /// "… and in the study an Ikea one".
    func otherBrandMention(at start: Int, than last: Interview.Mention) -> (Interview.Mention, next: Int)? {
        var index = start
        if let currentToken = token(index), currentToken.is(.indefinite) || currentToken.is(.definite) || currentToken.is(.another) {
            index += 1
        }
        guard index > start || !last.isEmpty, let brand = token(index)?.brand, let one = token(index + 1),
            ["one", "ones"].contains(one.text)
        else { return nil }
        // A Sonos One is not another Sonos.
        guard last.function != nil, last.brand != brand, token(start)?.brand == nil else { return nil }
        var part = Interview.Mention()
        (part.function, part.noun, part.brand, part.count) = (last.function, last.noun, brand, 1)
        let next = parsePostmodifiers(&part, from: index + 2, untilVerb: false)
        part.words = sourceText(from: start, to: next)
        return (part, next)
    }

    /// Returns whether the rooms before `next` belong to the things that follow, rather than to those before.
    func introducesDevices(at next: Int, afterBreak: Bool) -> Bool {
        guard afterBreak else { return false }
        var index = next
        while let currentToken = token(index),
            currentToken.kind == .comma || currentToken.kind == .colon || equipment.matches(currentToken.text, is: "filler")
        {
            index += 1
        }
        guard let currentToken = token(index) else { return false }
        if currentToken.is(.have) || currentToken.is(.thereIs) || currentToken.is(.it) || currentToken.is(.is)
            || ["we", "i", "you", "they"].contains(currentToken.text)
        {
            return true
        }
        return parseMention(at: index, mayBeUnknown: true) != nil
    }

    func isNegated(_ index: Int) -> Bool {
        tokens[max(index - 3, 0)..<index].contains { $0.is(.not) || $0.is(.isNot) || $0.is(.haveNot) || $0.is(.itIsNot) }
    }

    /// Marks the last mention as not connected, or all of them after "none of them" or "both aren't".
    func markDisconnected(_ mentions: inout [Interview.Mention], at index: Int) {
        let isAll = tokens[max(index - 4, 0)...index].contains {
            $0.is(.allOf) || equipment.matches($0.text, is: "none") || equipment.matches($0.text, is: "all")
        }
        for place in isAll ? mentions.indices.suffix(mentions.count) : mentions.indices.suffix(1) {
            mentions[place].isConnected = false
        }
    }

    func sourceText(from start: Int, to end: Int) -> String {
        let range = tokens[max(start, 0)..<min(max(end, start), tokens.count)]
        guard let first = range.first, let last = range.last else { return "" }
        return parser.utterance.sourceText(first.range.lowerBound..<last.range.upperBound)
    }
}

extension Interview {
    /// The things of one clause, in order.
    struct MentionList {
        var mentions: [Mention] = []
        /// Indices of mentions that only say how earlier ones are distributed: "one in the hall".
        private var parts: [Int] = []
        private var base: (place: Int, hasOwnRoom: Bool)?

        mutating func append(_ mention: Mention, leading: [Interview.MentionedRoom], equipment: EquipmentLexicon) {
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

        mutating func append(part: Mention, leading: [Interview.MentionedRoom]) {
            var part = part
            if part.rooms.isEmpty { part.rooms = leading }
            parts.append(mentions.count)
            mentions.append(part)
        }

        /// Applies rooms that are named once at the end to all the mentions before.
        mutating func distribute(_ rooms: [Interview.MentionedRoom]) {
            for place in mentions.indices where mentions[place].rooms.isEmpty { mentions[place].rooms = rooms }
        }

        mutating func distribute(brand: String) {
            for place in mentions.indices where mentions[place].brand == nil { mentions[place].brand = brand }
        }

        mutating func markAllDisconnected() {
            for place in mentions.indices { mentions[place].isConnected = false }
        }

        /// "Three lamps: one in the hall and two in the study" are three, not six.
        var resolved: [Mention] {
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
