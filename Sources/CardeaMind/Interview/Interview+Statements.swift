import CardeaModel
import Foundation

/// Applies the statements of a message to the interview.
extension Interview {
    /// - Returns: the things that were understood, in words; empty if none were.
    mutating func applyStatements(in statements: [Statement], during open: Question?, at now: Date) -> [String] {
        var heard: [String] = []
        var added: [String] = []
        var isFirst = true
        for statement in statements {
            switch statement {
            case .mention(var mention):
                if open == .unconnected, mention.isConnected == nil { mention.isConnected = false }
                added += applyMention(mention, during: open, heard: &heard, at: now)
            case .correction(let mention):
                if let ids = applyCorrection(mention) {
                    added += ids
                } else {
                    added += applyMention(mention, during: open, heard: &heard, at: now)
                }
            case .change(let subject, let change): added += apply(change, to: subject, heard: &heard, at: now)
            case .forget(let subject): requestRemoval(subject, heard: &heard, at: now)
            case .note(let text, let room):
                addNote(text, room: room?.options.first, at: now)
                heard.append(Self.phrase(.notedAlone))
            case .rooms(let rooms, let counts):
                for (room, count) in zip(rooms, counts) where room.options.count == 1 {
                    if count > 1 { continue }
                    if let room = room.options.first, adoptedRoom(room) != nil {
                        heard.append(Self.phrase(.inTheRoom, [.room: room.name.lowercased()]))
                    }
                }
            }
            if !added.isEmpty, isFirst || !topic.elementsEqual(added) { topic = Array(added.suffix(20)) }
            isFirst = false
        }
        refresh()
        let seen = Set(added)
        let fresh = candidates.filter { seen.contains($0.id) && $0.isActive }
        if !fresh.isEmpty { heard.insert(Self.phrase(.have, [.list: list(fresh)]), at: 0) }
        return heard
    }

    // MARK: New things

    private mutating func applyMention(_ mention: Mention, during open: Question?, heard: inout [String], at now: Date) -> [String] {
        var mention = mention
        if mention.rooms.isEmpty, case .room(let key) = open, let room = rooms.first(where: { $0.key == key }) {
            // It answers "what is there in the kitchen?", unless its kind serves the whole house.
            let function = mention.function.flatMap { EquipmentLexicon.english.functions[$0] }
            if function?.roams != true, mention.article != .definite || find(mention).isEmpty, !mention.isOutside,
                !isElsewhere(mention, than: room)
            {
                mention.rooms = [MentionedRoom(options: [room], words: room.name)]
            }
        }
        if mention.isConnected == false {
            let known = mention.article == .definite ? find(mention) : []
            if known.isEmpty { addNote(mention, at: now) } else { for id in known { convertToNote(id, at: now) } }
            heard.append(known.isEmpty ? Self.phrase(.noted, [.words: mention.words]) : Self.phrase(.noteUnconnected))
            return []
        }
        if mention.article == .definite, let known = find(mention).first {
            merge(known, from: mention)
            return [known]
        }
        return splitByRoom(mention).compactMap { addCandidate($0.mention, room: $0.room) }
    }

    /// Returns whether the furniture beside it belongs to a room other than the one that was asked about.
    private func isElsewhere(_ mention: Mention, than room: KnownRoom) -> Bool {
        guard let hint = mention.placeHint, hint != room.kind else { return false }
        return rooms.filter { $0.kind == hint }.count == 1
    }

    /// One mention for each room, if it was said to be in several.
    private func splitByRoom(_ mention: Mention) -> [(mention: Mention, room: MentionedRoom?)] {
        let rooms = mention.rooms.reduce(into: [MentionedRoom]()) { if !$0.contains($1) { $0.append($1) } }
        guard rooms.count > 1 else { return [(mention, rooms.first)] }
        var one = mention
        if let count = mention.count, !mention.isEach, count > 1 {
            guard count % rooms.count == 0 else {
                // Three lamps in two rooms: the distribution is asked for.
                return [(mention, MentionedRoom(options: rooms.flatMap(\.options), words: rooms.map(\.words).joined(separator: ", ")))]
            }
            one.count = count / rooms.count
        } else if mention.count == nil {
            one.count = 1
        }
        return rooms.map { (one, $0) }
    }

    /// Adds a candidate for a mention, or updates the one that it refers to.
    mutating func addCandidate(_ mention: Mention, room spoken: MentionedRoom?) -> String? {
        let options = spoken?.options ?? []
        let room = options.count == 1 ? options.first.flatMap { adoptedRoom($0) } : nil
        let count = min(max(mention.count ?? 1, 1), Self.countLimit)
        let same = candidates.first {
            $0.isOpen && $0.function == mention.function && $0.noun == mention.noun && $0.brand == mention.brand && !$0.isRoomFromThing
                && ($0.room?.key == room?.key || $0.isRoomInferred && room == nil) && $0.place == mention.place
                && $0.givenName == mention.name
                && $0.chosen.isEmpty
        }
        if let same {
            editCandidate(same.id) { candidate in
                if mention.article == .another {
                    candidate.count = min(candidate.count + count, Self.countLimit)
                } else {
                    candidate.count = max(candidate.count, count)
                }
                if mention.count != nil { candidate.isCountOpen = false }
                Self.appendSource(mention.words, to: &candidate)
            }
            return same.id
        }
        evictRejected()
        guard candidates.count < Self.candidateLimit else { return nil }
        var candidate = Candidate(id: "candidate_\(nextNumber)")
        nextNumber += 1
        candidate.function = mention.function
        candidate.noun = mention.noun
        candidate.brand = mention.brand
        candidate.model = mention.model.map { String($0.prefix(Name.limit)) }
        candidate.traits = Array(mention.traits.prefix(6))
        candidate.place = mention.place.map { String($0.prefix(Name.limit)) }
        candidate.isOutside = mention.isOutside
        candidate.count = count
        candidate.isCountOpen = mention.count == nil && mention.isPlural
        candidate.room = room
        candidate.roomOptions = options.count > 1 ? Array(options.prefix(8)) : []
        candidate.isCorrected = mention.isCorrected
        candidate.givenName = mention.name.flatMap { try? Name.check($0) }
        Self.appendSource(mention.words, to: &candidate)
        inferRoom(&candidate, from: mention.placeHint)
        candidates.append(candidate)
        return candidate.id
    }

    /// Infers the room from furniture: a sofa is in the living room, if the house has just one.
    private func inferRoom(_ candidate: inout Candidate, from hint: RoomKind?) {
        guard candidate.room == nil, candidate.roomOptions.isEmpty, let hint else { return }
        let fitting = rooms.filter { $0.kind == hint }
        if fitting.count == 1, let room = fitting.first { (candidate.room, candidate.isRoomInferred) = (room, true) }
    }

    /// Removes the candidate that was left out longest ago if the interview is full.
    private mutating func evictRejected() {
        guard candidates.count >= Self.candidateLimit, let place = candidates.firstIndex(where: { $0.status == .rejected }) else { return }
        let id = candidates.remove(at: place).id
        asked = asked.filter { !$0.key.contains(":\(id):") && !$0.key.hasSuffix(":\(id)") }
    }

    static func appendSource(_ words: String, to candidate: inout Candidate) {
        guard !words.isEmpty, !candidate.words.contains(words) else { return }
        candidate.words = Array((candidate.words + [words]).suffix(wordsLimit))
    }

    private mutating func merge(_ id: String, from mention: Mention) {
        let room = mention.rooms.first.flatMap { $0.options.count == 1 ? $0.options.first : nil }.flatMap { adoptedRoom($0) }
        editCandidate(id) { candidate in
            candidate.brand = candidate.brand ?? mention.brand
            candidate.model = candidate.model ?? mention.model
            candidate.function = candidate.function ?? mention.function
            candidate.place = candidate.place ?? mention.place
            if candidate.room == nil || candidate.isRoomInferred || candidate.isRoomFromThing, let room {
                Self.assign(&candidate, in: room)
            }
            if let count = mention.count { (candidate.count, candidate.isCountOpen) = (min(max(count, 1), Self.countLimit), false) }
            if let name = mention.name.flatMap({ try? Name.check($0) }) { candidate.givenName = name }
            Self.appendSource(mention.words, to: &candidate)
        }
    }

    private static func assign(_ candidate: inout Candidate, in room: KnownRoom) {
        (candidate.room, candidate.roomOptions) = (room, [])
        (candidate.isRoomInferred, candidate.isRoomFromThing) = (false, false)
    }

    // MARK: References

    /// The candidates that "the Yale lock" may refer to, the likeliest first; all of them for "the lamps".
    func find(_ mention: Mention, among pool: [Candidate]? = nil) -> [String] {
        let keys = Set(mention.rooms.flatMap(\.options).map(\.key))
        let fitting = (pool ?? candidates).filter { candidate in
            guard candidate.isOpen,
                mention.function == nil || candidate.function == mention.function || candidate.function == nil && mention.brand != nil
            else { return false }
            if let brand = mention.brand, let own = candidate.brand, own != brand { return false }
            if mention.brand != nil, candidate.brand == nil, mention.function == nil { return false }
            if mention.function == nil, mention.brand == nil, candidate.noun != mention.noun { return false }
            // The lamp over the table is not the lamp over the sofa.
            if let place = mention.place, let own = candidate.place, place != own { return false }
            if keys.isEmpty { return true }
            guard let room = candidate.room else {
                return candidate.roomOptions.isEmpty || candidate.roomOptions.contains { keys.contains($0.key) }
            }
            return keys.contains(room.key)
        }
        let ranked = fitting.enumerated().map { place, candidate in
            var rank = 0
            if candidate.noun == mention.noun { rank += 4 }
            if candidate.brand == mention.brand { rank += 2 }
            if let said = mention.place, candidate.place == said { rank += 8 }
            if let said = mention.name, candidate.givenName == said { rank += 16 }
            if topic.contains(candidate.id) { rank += 1 }
            return (rank: rank, place: place, candidate: candidate)
        }.sorted { ($0.rank, $0.place) > ($1.rank, $1.place) }
        if mention.isPlural, mention.count == nil {
            let noun = ranked.filter { $0.candidate.noun == mention.noun }
            return (noun.isEmpty ? ranked : noun).map(\.candidate.id)
        }
        return ranked.prefix(1).map(\.candidate.id)
    }

    // MARK: Corrections

    /// Applies a correction, such as "no, three lamps"; nil if there is nothing to correct.
    private mutating func applyCorrection(_ mention: Mention) -> [String]? {
        var probe = mention
        // A correction may give just the brand, or just the room.
        let meant =
            find(probe).first
            ?? {
                probe.brand = nil
                probe.rooms = []
                return mention.isStated && !mention.rooms.isEmpty ? nil : find(probe).first
            }()
        if let meant, mention.article != .another {
            var change = CandidateChange()
            (change.brand, change.model, change.count, change.rooms, change.place) = (
                mention.brand, mention.model, mention.count, mention.rooms, mention.place
            )
            (change.isConnected, change.name, change.words) = (mention.isConnected, mention.name, mention.words)
            if mention.article == .indefinite, !mention.isStated { change.count = change.count ?? 1 }
            return apply(change, toCandidate: meant)
        }
        // "No, a fan": it was understood as the wrong thing.
        guard !mention.isStated, mention.rooms.isEmpty, mention.place == nil, mention.article == .indefinite, topic.count == 1,
            let id = topic.first,
            let candidate = candidate(id), candidate.isOpen, let function = mention.function
        else { return nil }
        editCandidate(id) { candidate in
            (candidate.function, candidate.noun, candidate.isFunctionFromThing) = (function, mention.noun, false)
            candidate.brand = mention.brand ?? candidate.brand
            Self.appendSource(mention.words, to: &candidate)
        }
        return [id]
    }

    private mutating func apply(_ change: CandidateChange, to subject: Subject, heard: inout [String], at now: Date) -> [String] {
        var meant: [String]
        switch subject {
        case .everything: meant = candidates.filter(\.isOpen).map(\.id)
        case .topic:
            meant = topic.filter { candidate($0)?.isOpen == true }
            // "It isn't an oven" refers to the oven.
            if let wrong = change.notFunction {
                meant = meant.filter { candidate($0)?.function == wrong }
                if meant.isEmpty { meant = Array(candidates.filter { $0.isOpen && $0.function == wrong }.map(\.id).suffix(1)) }
            } else if !meant.isEmpty {
                meant = referents(by: change, among: meant)
            }
        case .thing(let mention):
            if let wrong = change.notBrand {
                var probe = mention
                probe.brand = wrong
                meant = find(probe)
                if meant.isEmpty { meant = find(mention) }
            } else {
                meant = find(mention)
            }
            if meant.isEmpty { return introduceDevice(mention, with: change, heard: &heard, at: now) }
        }
        if meant.count > 1, change.brand == nil, change.isConnected == nil, change.rooms.isEmpty { meant = Array(meant.suffix(1)) }
        if meant.isEmpty, subject == .topic, change.function != nil || change.brand != nil, change.notBrand == nil {
            var mention = Mention()
            (mention.article, mention.words, mention.isPlural) = (.indefinite, change.words, change.isOfSeveral)
            return introduceDevice(mention, with: change, heard: &heard, at: now)
        }
        if change.isConnected == false {
            for id in meant { convertToNote(id, at: now) }
            if !meant.isEmpty { heard.append(Self.phrase(.noteUnconnected)) }
            return []
        }
        return meant.flatMap { apply(change, toCandidate: $0) }
    }

    /// The candidates, of those just mentioned, that a sentence about "it" or "them" can refer to. A thing of another known kind is not
    /// changed: "they are Hue lights" does not refer to a fridge. Empty if the sentence is about something new.
    private func referents(by change: CandidateChange, among meant: [String]) -> [String] {
        let those = meant.compactMap { candidate($0) }
        guard let function = change.function else {
            guard let brand = change.brand, change.notBrand == nil, those.count > 1, Set(those.map(\.function)).count > 1 else {
                return meant
            }
            let made = EquipmentLexicon.english.brands[brand]?.functions ?? []
            let fitting = those.filter { $0.function.map(made.contains) ?? true }
            let likely = (fitting.isEmpty ? those : fitting).map(\.id)
            return change.isOfSeveral ? likely : Array(likely.suffix(1))
        }
        let fitting = those.filter { $0.function == function || $0.function == nil || $0.isFunctionFromThing }
        if !fitting.isEmpty { return fitting.map(\.id) }
        // "It's a fan": a correction of the one thing that was mentioned.
        if those.count == 1, let one = those.first, !change.isOfSeveral || one.count > 1 || one.isCountOpen { return [one.id] }
        // "They" may be things that were mentioned earlier.
        let earlier = candidates.filter { candidate in
            candidate.isOpen && candidate.function == function
                && (candidate.brand == nil || change.brand == nil || candidate.brand == change.brand)
        }.map(\.id)
        return change.isOfSeveral ? earlier : Array(earlier.suffix(1))
    }

    /// Adds a device for "The lock is an August", if no lock was mentioned before.
    private mutating func introduceDevice(_ mention: Mention, with change: CandidateChange, heard: inout [String], at now: Date) -> [String]
    {
        var mention = mention
        mention.brand = change.brand ?? mention.brand
        mention.model = change.model ?? mention.model
        mention.function = change.function ?? mention.function ?? mention.brand.flatMap { EquipmentLexicon.english.brands[$0]?.default }
        mention.noun = change.noun ?? mention.noun
        mention.count = change.count ?? mention.count
        if !change.rooms.isEmpty { mention.rooms = change.rooms }
        mention.place = change.place ?? mention.place
        mention.placeHint = change.placeHint ?? mention.placeHint
        mention.name = change.name ?? mention.name
        mention.isConnected = change.isConnected ?? mention.isConnected
        if !change.words.isEmpty { mention.words = change.words }
        // A thing that is connected now needs no note any more.
        if change.isConnected == true { supersede(mention, because: Self.phrase(.becauseConnected), at: now) }
        guard mention.function != nil || mention.brand != nil else { return [] }
        mention.article = .indefinite
        return applyMention(mention, during: nil, heard: &heard, at: now)
    }

    private mutating func apply(_ new: CandidateChange, toCandidate id: String) -> [String] {
        let spoken = new.rooms.first
        let room = spoken.flatMap { $0.options.count == 1 ? $0.options.first : nil }.flatMap { adoptedRoom($0) }
        let equipment = EquipmentLexicon.english
        editCandidate(id) { candidate in
            let wasDefault = candidate.noun == nil && candidate.function == candidate.brand.flatMap { equipment.brands[$0]?.default }
            if let brand = new.brand {
                if candidate.brand != brand { candidate.model = nil }
                candidate.brand = brand
                if wasDefault || candidate.function == nil { candidate.function = equipment.brands[brand]?.default ?? candidate.function }
            } else if let wrong = new.notBrand, candidate.brand == wrong {
                (candidate.brand, candidate.model) = (nil, nil)
            }
            if let function = new.function {
                (candidate.function, candidate.noun, candidate.isFunctionFromThing) = (function, new.noun, false)
            }
            candidate.model = new.model.map { String($0.prefix(Name.limit)) } ?? candidate.model
            if let count = new.count { (candidate.count, candidate.isCountOpen) = (min(max(count, 1), Self.countLimit), false) }
            if let room {
                Self.assign(&candidate, in: room)
                candidate.isRoomSettled = false
            } else if let spoken, spoken.options.count > 1 {
                (candidate.room, candidate.roomOptions) = (nil, Array(spoken.options.prefix(8)))
            }
            if let place = new.place { (candidate.place, candidate.isOutside) = (String(place.prefix(Name.limit)), new.isOutside) }
            if let name = new.name.flatMap({ try? Name.check($0) }) { candidate.givenName = name }
            // After a correction by the person it is matched again.
            candidate.chosen = Array(candidate.chosen.prefix(candidate.count))
            Self.appendSource(new.words, to: &candidate)
        }
        return [id]
    }

    private mutating func requestRemoval(_ subject: Subject, heard: inout [String], at now: Date) {
        var meant: [String]
        switch subject {
        case .everything: meant = candidates.filter(\.isOpen).map(\.id)
        case .topic: meant = topic
        case .thing(let mention):
            meant = find(mention)
            if meant.isEmpty { supersede(mention, because: Self.phrase(.becauseGone, [.words: mention.words]), at: now) }
            // "Remove one lamp", of three.
            if let fewer = mention.count, fewer > 0, let id = meant.first, let candidate = candidate(id), fewer < candidate.count {
                editCandidate(id) { $0.count -= fewer }
                editCandidate(id) { $0.chosen = Array($0.chosen.prefix($0.count)) }
                heard.append(Self.phrase(.leaves, [.number: Self.numberText(candidate.count - fewer)]))
                return
            }
        }
        meant = meant.filter { candidate($0)?.isOpen == true }
        if meant.isEmpty {
            heard.append(Self.phrase(.goodAlone))
        } else {
            // It stays until the person confirms the removal.
            let asked = removing ?? []
            removing = asked + meant.filter { !asked.contains($0) }
        }
    }
}
