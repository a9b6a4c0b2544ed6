import CardeaModel
import Foundation

/// Handles the answer to the question that was asked.
extension Interview {
    /// - Returns: the reply, or nil if the message was news rather than an answer.
    mutating func answer(
        _ question: Question, _ utterance: Utterance, _ reader: StatementParser, drafts: inout [DeviceDraft], at now: Date
    ) -> String? {
        let equipment = EquipmentLexicon.english
        let words = utterance.normalized
        func says(_ name: String) -> Bool { equipment.matches(words, is: name) }
        if says("dontKnow"), question != .confirm {
            close(question)
            markUnresolved(question)
            return Self.phrase(.neverMind)
        }
        switch question {
        case .rooms: return says("none") || says("no") ? closeSilently(question) : answerRooms(utterance, reader)
        case .house: return says("none") || says("no") || says("yes") ? closeSilently(question) : nil
        case .room: return says("none") || says("no") ? closeSilently(question) : nil
        case .shared, .unconnected:
            if says("yes") { return Self.phrase(.whatIsIt) }
            return says("none") || says("no") ? closeSilently(question) : nil
        case .kind(let id): return answerKind(id, utterance, reader)
        case .count(let id): return answerCount(id, utterance)
        case .place(let id): return answerPlace(id, utterance, reader)
        case .match(let id, let options): return answerMatch(id, options, utterance)
        case .thing(let id): return answerThing(id, utterance, reader)
        case .notFound(let ids): return answerNotFound(ids, utterance, reader, at: now)
        case .confirm: return answerConfirm(utterance, reader, drafts: &drafts)
        case .removal(let ids): return answerRemoval(ids, utterance, reader)
        }
    }

    private mutating func answerRemoval(_ ids: [String], _ utterance: Utterance, _ reader: StatementParser) -> String? {
        let equipment = EquipmentLexicon.english
        let words = utterance.normalized
        removing = nil
        if equipment.matches(words, is: "no") || equipment.matches(words, is: "none") { return Self.phrase(.asYouLike) }
        let statements = reader.statements()
        if Self.declinesRemoval(utterance, statements) { return Self.phrase(.asYouLike) }
        let isSaidAgain = !statements.isEmpty && statements.allSatisfy { isRemoval($0, of: ids) }
        let isYes = equipment.matches(words, is: "yes") || equipment.matches(words, is: "all") || equipment.matches(words, is: "both")
        guard isYes || isSaidAgain || words.hasPrefix("yes ") && statements.isEmpty else { return nil }
        return remove(ids)
    }

    /// Removes candidates. They are kept as rejected.
    private mutating func remove(_ ids: [String]) -> String {
        let open = ids.filter { candidate($0)?.isOpen == true }
        let text = Self.phrase(.forget, [.thing: Self.shortened(open.map(definitePhrase))])
        for id in open { editCandidate(id) { $0.status = .rejected } }
        topic.removeAll(where: open.contains)
        refresh()
        return text
    }

    private mutating func closeSilently(_ question: Question) -> String {
        close(question)
        return ""
    }

    /// Reads rooms: "Kitchen, two bedrooms and a scullery". Unknown words are rooms too, since rooms were asked for.
    private mutating func answerRooms(_ utterance: Utterance, _ reader: StatementParser) -> String? {
        let allTokens = utterance.clauses.filter { !$0.isQuestion }.flatMap(\.tokens)
        // "They are in the attic" is about the things mentioned before.
        guard !allTokens.contains(where: { $0.isDevice || $0.brand != nil || $0.is(.in) || $0.is(.it) || $0.is(.itIs) }) else { return nil }
        var added: [String] = []
        for part in allTokens.split(whereSeparator: { $0.kind == .comma || $0.is(.and) || $0.kind == .colon }) {
            let part = part.filter { !$0.is(.thereIs) && !$0.is(.have) && !$0.is(.definite) && !$0.is(.indefinite) }
            let count = min(part.lazy.compactMap(\.number).first ?? 1, 10)
            let rest = part.filter { $0.number == nil && !EquipmentLexicon.english.matches($0.text, is: "filler") }
            guard !rest.isEmpty, rest.count <= 4, rest.contains(where: { $0.isRoom || $0.kind == .unknown }) else { continue }
            let kind: RoomKind =
                rest.lazy.compactMap { currentToken in
                    if case .means(.room(let index, _)) = currentToken.kind { EquipmentLexicon.english.rooms[index].kind } else { nil }
                }.first ?? .other
            var name = rest.map { singularRoom($0) }.joined(separator: " ")
            name = name.prefix(1).uppercased() + name.dropFirst()
            for number in 1...max(count, 1) {
                added += add(room: count > 1 ? "\(name) \(number)" : name, kind: kind).map { [$0.name] } ?? []
            }
        }
        guard !added.isEmpty else { return nil }
        close(.rooms)
        return Self.phrase(.knowRooms, [.list: Self.joined(added)])
    }

    private func singularRoom(_ currentToken: Token) -> String {
        guard case .means(.room(let index, isPlural: true)) = currentToken.kind else { return currentToken.text }
        return EquipmentLexicon.english.rooms[index].words.first {
            EquipmentLexicon.plurals(of: EquipmentLexicon.folded($0)).contains(currentToken.text)
        } ?? currentToken.text
    }

    /// A room of the house, or one that is proposed to it.
    @discardableResult
    mutating func add(room name: String, kind: RoomKind) -> KnownRoom? {
        let room = RoomResolver.new(named: name, kind: kind)
        if let known = rooms.first(where: { EquipmentLexicon.folded($0.name) == EquipmentLexicon.folded(room.name) }) { return known }
        guard rooms.count < Self.roomLimit else { return nil }
        rooms.append(room)
        return room
    }

    private mutating func answerKind(_ id: String, _ utterance: Utterance, _ reader: StatementParser) -> String? {
        let statements = reader.statements()
        for statement in statements {
            let told: (String, String?)? =
                switch statement {
                case .mention(let mention), .correction(let mention):
                    mention.rooms.isEmpty && statements.count == 1 ? mention.function.map { ($0, mention.noun) } : nil
                case .change(.topic, let change): change.function.map { ($0, change.noun) }
                default: nil
                }
            guard let (function, noun) = told else { continue }
            editCandidate(id) { candidate in
                candidate.function = function
                candidate.isFunctionFromThing = false
                candidate.noun = noun ?? candidate.noun
                Self.appendSource(utterance.sourceText(0..<utterance.characters.count), to: &candidate)
            }
            close(.kind(id))
            refresh()
            return Self.phrase(.soItIs, [.thing: candidate(id).map(describe) ?? ""])
        }
        return nil
    }

    private mutating func answerCount(_ id: String, _ utterance: Utterance) -> String? {
        let allTokens = utterance.clauses.flatMap(\.tokens)
        guard allTokens.count <= 6, let number = allTokens.lazy.compactMap(\.number).first,
            !allTokens.contains(where: { $0.brand != nil || $0.is(.in) })
        else { return nil }
        let same = candidate(id)?.function
        let others = allTokens.contains { currentToken in
            if case .means(.function(let function, _)) = currentToken.kind { function != same } else { false }
        }
        guard !others else { return nil }
        close(.count(id))
        if number <= 0 {
            editCandidate(id) { $0.status = .rejected }
        } else {
            editCandidate(id) { ($0.count, $0.isCountOpen) = (min(number, Self.countLimit), false) }
        }
        refresh()
        return Self.phrase(.thatMany, [.number: Self.numberText(number).capitalized])
    }

    private mutating func answerPlace(_ id: String, _ utterance: Utterance, _ reader: StatementParser) -> String? {
        let equipment = EquipmentLexicon.english
        let words = utterance.normalized
        func settle(_ room: KnownRoom?) -> String {
            close(.place(id))
            editCandidate(id) { candidate in
                candidate.isRoomSettled = true
                candidate.roomOptions = []
                if let room { (candidate.room, candidate.isRoomFromThing, candidate.isRoomInferred) = (room, false, false) }
            }
            refresh()
            return room.map { "\(self.inRoom($0).prefix(1).uppercased())\(self.inRoom($0).dropFirst())." } ?? Self.phrase(.asYouLike)
        }
        if equipment.matches(words, is: "noRoom") || equipment.matches(words, is: "none") || equipment.matches(words, is: "no") {
            return settle(nil)
        }
        if equipment.matches(words, is: "sameRoom"),
            let room = candidates.last(where: { $0.id != id && $0.isActive && $0.room != nil })?.room
        {
            return settle(room)
        }
        let allTokens = utterance.clauses.flatMap(\.tokens)
        guard !allTokens.contains(where: { $0.isDevice || $0.brand != nil }) else { return nil }
        let options = candidate(id)?.roomOptions ?? []
        if !options.isEmpty, let chosen = Self.selectedIndex(of: options.map(\.name), floors: options.map(\.floor), by: utterance) {
            return settle(options[chosen])
        }
        for statement in reader.statements() {
            let found: [MentionedRoom]
            switch statement {
            case .rooms(let rooms, _): found = rooms
            case .change(_, let change): found = change.rooms
            default: continue
            }
            guard let first = found.first else { continue }
            if first.options.count == 1, let room = first.options.first { return settle(adoptedRoom(room)) }
            editCandidate(id) { $0.roomOptions = first.options }
            refresh()
            return ""
        }
        // "The scullery": an unknown word in an answer about a room is a room.
        let named = allTokens.filter {
            !$0.is(.in) && !$0.is(.definite) && !$0.is(.preposition) && !$0.is(.itIs) && !$0.is(.indefinite) && $0.kind != .comma
        }
        guard (1...3).contains(named.count), named.contains(where: { $0.kind == .unknown }),
            named.allSatisfy({ $0.kind == .unknown || $0.isModifier }),
            let room = add(room: named.map(\.written).joined(separator: " "), kind: .other)
        else { return nil }
        return settle(room)
    }

    /// Adds a room that a sentence proposed to the rooms of the interview.
    mutating func adoptedRoom(_ room: KnownRoom) -> KnownRoom? {
        guard case .new(let name, let kind) = room.reference else { return room }
        return add(room: name, kind: kind)
    }

    /// The index of the name that a person picks: by its place in the list, its words or its floor. Nil if it could be more than one.
    static func selectedIndex(of names: [String], floors: [Int?], by utterance: Utterance) -> Int? {
        let equipment = EquipmentLexicon.english
        let spoken = utterance.normalized.split(separator: " ").map(String.init)
        let exact = names.indices.filter { EquipmentLexicon.folded(names[$0]) == utterance.normalized }
        if exact.count == 1 { return exact.first }
        let heard = Set(spoken).subtracting(["the", "one", "in", "at", "on", "a", "it", "is", "it's", "of", "by"])
        let shared = names.map { heard.intersection(DeviceMatcher.wordSet($0)).count }
        if let most = shared.max(), most > 0 {
            let best = names.indices.filter { shared[$0] == most }
            if best.count == 1 { return best.first }
        }
        for word in spoken {
            if let floor = equipment.floors[word] {
                let there = names.indices.filter { floor >= 1 ? (floors[$0] ?? 0) >= 1 : floors[$0] == floor }
                if there.count == 1 { return there.first }
            }
            if let ordinal = equipment.ordinals[word] {
                let index = ordinal < 0 ? names.count - 1 : ordinal - 1
                if names.indices.contains(index) { return index }
            }
        }
        guard spoken.count <= 3, let number = spoken.lazy.compactMap({ Int($0) }).first, names.indices.contains(number - 1) else {
            return nil
        }
        return number - 1
    }

    private mutating func answerMatch(_ id: String, _ options: [String], _ utterance: Utterance) -> String? {
        let equipment = EquipmentLexicon.english
        let words = utterance.normalized
        let things = options.compactMap { id in discovered.first { $0.id == id } }
        func settle(_ chosen: [DiscoveredDevice]) -> String {
            close(.match(id, options: options))
            editCandidate(id) { candidate in
                candidate.chosen = Array((candidate.chosen + chosen.map(\.id)).prefix(Self.countLimit))
                candidate.count = max(candidate.count, candidate.chosen.count)
            }
            refresh()
            return Self.phrase(.thenItIs, [.list: Self.joined(chosen.map { Self.phrase(.quoted, [.name: $0.name]) })])
        }
        if equipment.matches(words, is: "both") || equipment.matches(words, is: "all") { return settle(things) }
        if equipment.matches(words, is: "none") || equipment.matches(words, is: "no") {
            close(.match(id, options: options))
            editCandidate(id) { $0.refused = Array(($0.refused + options).suffix(Self.discoveryLimit)) }
            refresh()
            return Self.phrase(.noneOfThese)
        }
        if equipment.matches(words, is: "yes"), things.count == 1 { return settle(things) }
        let allTokens = utterance.clauses.flatMap(\.tokens)
        guard allTokens.count <= 10, !allTokens.contains(where: { $0.is(.thereIs) || $0.is(.have) || $0.is(.forget) || $0.is(.isNot) })
        else {
            return nil
        }
        let names = things.map { thing in
            [thing.name, thing.model, thing.room.flatMap { text in room(of: text)?.name }].compactMap(\.self).joined(separator: " ")
        }
        let floors = things.map { $0.room.flatMap { text in room(of: text)?.floor } }
        guard let index = Self.selectedIndex(of: names, floors: floors, by: utterance) else { return nil }
        return settle([things[index]])
    }

    private func room(of text: String) -> KnownRoom? { DeviceMatcher(equipment: .english, devices: [], rooms: rooms).room(text) }

    /// Handles an answer about a discovered device that had not been mentioned: yes, no, its room, or its kind.
    private mutating func answerThing(_ id: String, _ utterance: Utterance, _ reader: StatementParser) -> String? {
        let equipment = EquipmentLexicon.english
        let words = utterance.normalized
        guard let thing = discovered.first(where: { $0.id == id }) else { return closeSilently(.thing(id)) }
        if equipment.matches(words, is: "no") || equipment.matches(words, is: "none")
            || ["ignore it", "forget it", "leave it out", "it's not ours", "not ours"].contains(words)
        {
            ignore(id)
            close(.thing(id))
            return Self.phrase(.leftAlone)
        }
        let statements = reader.statements()
        var mention = Mention()
        if equipment.matches(words, is: "yes") {
            // Keeps the name that it announces.
        } else if statements.count == 1, case .rooms(let rooms, _) = statements[0], let first = rooms.first {
            mention.rooms = [first]
        } else if statements.count == 1, case .change(.topic, let change) = statements[0], change.isConnected == nil {
            (mention.function, mention.noun, mention.brand, mention.rooms) = (change.function, change.noun, change.brand, change.rooms)
            (mention.place, mention.placeHint) = (change.place, change.placeHint)
        } else if statements.count == 1, case .mention(let told) = statements[0],
            told.article == .definite || !told.isStated && told.count == nil, canDescribe(told, thing)
        {
            mention = told
        } else {
            return nil
        }
        let matching = DeviceMatcher(equipment: equipment, devices: discovered, rooms: rooms)
        let told = matching.functionsInName(by: thing)
        mention.brand =
            mention.brand
            ?? equipment.brands.keys.sorted().first { EquipmentLexicon.folded($0) == EquipmentLexicon.folded(thing.brand ?? "") }
        mention.function =
            mention.function ?? (told.count == 1 ? told.first : nil) ?? mention.brand.flatMap { equipment.brands[$0]?.default }
        mention.count = 1
        mention.words = utterance.sourceText(0..<utterance.characters.count)
        close(.thing(id))
        guard let new = addCandidate(mention, room: mention.rooms.first) else { return Self.phrase(.full) }
        editCandidate(new) { candidate in
            candidate.chosen = [id]
            if candidate.function == nil { candidate.givenName = thing.name }
        }
        refresh()
        topic = [new]
        return Self.phrase(.good, [.thing: candidate(new).map(describe) ?? ""])
    }

    /// Returns whether the words can refer to the discovered device that was asked about.
    private func canDescribe(_ mention: Mention, _ thing: DiscoveredDevice) -> Bool {
        var probe = Candidate(id: "probe")
        (probe.function, probe.noun, probe.brand) = (mention.function, mention.noun, mention.brand)
        return DeviceMatcher(equipment: .english, devices: [thing], rooms: rooms).score(probe, thing) != nil
    }

    private mutating func answerNotFound(_ ids: [String], _ utterance: Utterance, _ reader: StatementParser, at now: Date) -> String? {
        let equipment = EquipmentLexicon.english
        let words = utterance.normalized
        func settle(_ lost: [String]) -> String {
            close(.notFound(ids))
            for id in ids {
                if lost.contains(id) { convertToNote(id, at: now) } else { editCandidate(id) { $0.isConnectionSettled = true } }
            }
            refresh()
            return Self.phrase(lost.isEmpty ? .lookLater : .notedAlone)
        }
        if equipment.matches(words, is: "none") || equipment.matches(words, is: "no") { return settle([]) }
        if equipment.matches(words, is: "all") || equipment.matches(words, is: "both") { return settle(ids) }
        if equipment.matches(words, is: "yes") { return ids.count == 1 ? settle(ids) : Self.phrase(.whichOfThem) }
        var lost: [String] = []
        for statement in reader.statements() {
            guard case .mention(let mention) = statement, !mention.isStated, mention.article == .definite || mention.article == .none else {
                return nil
            }
            let meant = find(mention, among: candidates.filter { ids.contains($0.id) })
            guard !meant.isEmpty else { return nil }
            lost += meant
        }
        return lost.isEmpty ? nil : settle(lost)
    }

    private mutating func answerConfirm(_ utterance: Utterance, _ reader: StatementParser, drafts: inout [DeviceDraft]) -> String? {
        let equipment = EquipmentLexicon.english
        let words = utterance.normalized
        let open = candidates.filter(\.isOpen)
        if equipment.matches(words, is: "yes") || equipment.matches(words, is: "all")
            || ["yes all", "yes all of them", "take them in", "take it in", "yes take them in"].contains(words)
        {
            drafts += confirmAndDraft(open)
            return Self.phrase(.takeIn, [.list: list(open)])
        }
        if equipment.matches(words, is: "no") || equipment.matches(words, is: "dontKnow") {
            return Self.phrase(.tellChange)
        }
        if equipment.matches(words, is: "none") {
            for candidate in open { editCandidate(candidate.id) { $0.status = .rejected } }
            refresh()
            return Self.phrase(.leaveThemOut)
        }
        guard let (isExcept, rest) = Self.selection(utterance.normalized) else { return nil }
        let part = Utterance(rest, equipment: equipment, own: roomVocabulary)
        let meant = StatementParser(part, equipment: equipment, rooms: rooms).statements().flatMap { statement -> [String] in
            if case .mention(let mention) = statement { return find(mention, among: open) }
            return []
        }
        guard !meant.isEmpty else { return nil }
        let wanted = open.filter { meant.contains($0.id) != isExcept }
        for candidate in open where !wanted.contains(where: { $0.id == candidate.id }) {
            editCandidate(candidate.id) { $0.status = .rejected }
        }
        drafts += confirmAndDraft(wanted)
        return Self.phrase(.takeIn, [.list: list(wanted)])
    }

    /// "All but the fan", "only the lock": the rest, and whether it is an exception.
    private static func selection(_ words: String) -> (isExcept: Bool, rest: String)? {
        for (name, isExcept) in [("except", true), ("only", false)] {
            // Longest first, so that "all but" is not read as "but".
            for phrase in (EquipmentLexicon.english.utterances[name] ?? []).sorted(by: { ($0.count, $0) > ($1.count, $1) }) {
                guard let range = (" " + words + " ").range(of: " \(phrase) ") else { continue }
                let rest = (" " + words + " ")[range.upperBound...].trimmingCharacters(in: .whitespaces)
                if !rest.isEmpty { return (isExcept, rest) }
            }
        }
        return nil
    }
}
