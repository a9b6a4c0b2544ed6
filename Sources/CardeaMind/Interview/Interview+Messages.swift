import CardeaModel
import Foundation

/// Handles a message: an instruction to the conversation, an answer to the question, or news of the house.
extension Interview {
    /// Handles a message of a person, and replies.
    public mutating func receive(_ message: String, at now: Date) throws(ConversationError) -> Reply {
        guard status == .active else { throw .notActive(status) }
        let message = Self.cleaned(message)
        guard !message.isEmpty else { throw .empty }
        hasHeard = true
        record(.person, message, at: now)
        let utterance = Utterance(message, equipment: .english, own: roomVocabulary)
        let before = Dictionary(candidates.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var drafts: [DeviceDraft] = []
        let text = process(utterance, drafts: &drafts, at: now)
        let changed = candidates.filter { before[$0.id] != $0 }.map(\.id)
        return reply(text, candidates: changed, drafts: drafts, at: now)
    }

    private mutating func process(_ utterance: Utterance, drafts: inout [DeviceDraft], at now: Date) -> String {
        if let text = handleInstruction(utterance.normalized) { return text }
        let reader = StatementParser(utterance, equipment: .english, rooms: rooms)
        if let question, let text = answer(question, utterance, reader, drafts: &drafts, at: now) { return advance(after: text) }
        let open = question
        if let id = open?.candidateID { topic = [id] }
        let statements = reader.statements()
        let known = Set(notes.map(\.id))
        let heard = applyStatements(in: statements, during: open, at: now)
        let noted = notes.filter { !known.contains($0.id) }
        if case .room(let key) = open,
            candidates.contains(where: { $0.room?.key == key }) || noted.contains(where: { $0.room?.key == key }), let open
        {
            close(open)
        }
        if open == .unconnected || open == .shared, !heard.isEmpty, let open { close(open) }
        if heard.isEmpty, removing == nil {
            return advance(after: Self.phrase(utterance.clauses.contains(where: \.isQuestion) ? .questionsLater : .noDevice))
        }
        // There is news, so the confirmation is worth asking for again.
        asked[Question.confirm.key] = nil
        isEnding = isEnding && candidates.contains(where: \.isOpen)
        return advance(after: heard.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " "))
    }

    /// Returns whether a message asks the house something that has nothing to do with the interview.
    public func isQuestion(_ message: String) -> Bool {
        let utterance = Utterance(Self.cleaned(message), equipment: .english, own: roomVocabulary)
        let words = utterance.normalized
        let steering = ["pause", "cancel", "status", "help", "done", "skip", "dontKnow", "yes", "no"]
        guard status == .active, utterance.clauses.contains(where: \.isQuestion),
            !steering.contains(where: { EquipmentLexicon.english.matches(words, is: $0) })
        else { return false }
        return StatementParser(utterance, equipment: .english, rooms: rooms).statements().isEmpty
    }

    /// Relays the house's answer to such a question, and repeats the question of the interview.
    public mutating func relayAnswer(on words: String, to message: String, at now: Date) throws(ConversationError) -> Reply {
        guard status == .active else { throw .notActive(status) }
        record(.person, Self.cleaned(message), at: now)
        return reply([words, question.map { self.prompt(for: $0) }].compactMap(\.self).joined(separator: " "), at: now)
    }

    /// The devices that a sentence says exist, in the person's words: "two Hue lamps over the sofa". Empty if it says nothing of the kind.
    static func mentionedDevices(in sentence: String, of house: HouseSnapshot, at now: Date) -> [String] {
        let interview = start(id: "heard", in: house, discovered: [], at: now).interview
        let utterance = Utterance(cleaned(sentence), equipment: .english, own: interview.roomVocabulary)
        guard !utterance.clauses.contains(where: \.isQuestion),
            utterance.clauses.first?.tokens.prefix(3).contains(where: { $0.is(.thereIs) || $0.is(.have) }) == true
        else { return [] }
        return StatementParser(utterance, equipment: .english, rooms: interview.rooms).statements().compactMap { statement in
            guard case .mention(let mention) = statement, mention.function != nil, mention.article != .definite else { return nil }
            return mention.words
        }
    }

    /// Handles an instruction to the conversation itself, such as "pause" or "cancel". Returns nil for any other message.
    private mutating func handleInstruction(_ words: String) -> String? {
        let equipment = EquipmentLexicon.english
        if equipment.matches(words, is: "pause") {
            status = .paused
            return Self.phrase(.pausing)
        }
        if equipment.matches(words, is: "cancel") {
            stop()
            return Self.phrase(.stopped)
        }
        if equipment.matches(words, is: "status") {
            return [summary(), question.map { self.prompt(for: $0) }].compactMap(\.self).joined(separator: " ")
        }
        if equipment.matches(words, is: "help") {
            return Self.phrase(.help)
        }
        if equipment.matches(words, is: "done") {
            removing = nil
            if isEnding || question == .confirm {
                // The second "done" leaves unconfirmed candidates as they are.
                isEnding = true
                close(.confirm)
            }
            isEnding = true
            return advance(after: "")
        }
        if equipment.matches(words, is: "skip"), let question {
            close(question)
            markUnresolved(question)
            return advance(after: "")
        }
        return nil
    }

    /// Settles as unknown whatever the person could not answer.
    mutating func markUnresolved(_ question: Question) {
        switch question {
        case .kind(let id): editCandidate(id) { $0.isKindUnknown = true }
        case .count(let id): editCandidate(id) { $0.isCountOpen = false }
        case .place(let id): editCandidate(id) { $0.isRoomSettled = true }
        case .match(let id, _): editCandidate(id) { $0.isConnectionSettled = true }
        case .thing(let id): ignore(id)
        case .removal: removing = nil
        case .notFound(let ids): for id in ids { editCandidate(id) { $0.isConnectionSettled = true } }
        default: break
        }
        refresh()
    }

    mutating func ignore(_ thingID: String) {
        if !ignoredThings.contains(thingID), ignoredThings.count < Self.discoveryLimit { ignoredThings.append(thingID) }
    }

    // MARK: Record

    mutating func reply(_ text: String, candidates: [String] = [], drafts: [DeviceDraft] = [], at now: Date) -> Reply {
        record(.house, text, at: now)
        return Reply(text: text, phase: phase, status: status, candidates: candidates, drafts: drafts)
    }

    private mutating func record(_ speaker: Message.Speaker, _ text: String, at now: Date) {
        conversation.append(Message(speaker: speaker, text: String(text.prefix(Utterance.limit * 2)), at: now.milliseconds))
        if conversation.count > Self.messageLimit { conversation.removeFirst(conversation.count - Self.messageLimit) }
        totalTurns += 1
        lastActivityAt = now.milliseconds
    }

    /// The message on one line, without invisible characters; a line break ends a sentence.
    static func cleaned(_ message: String) -> String {
        // A character may carry any number of combining marks, so scalars are limited too.
        let seen = message.unicodeScalars.prefix(Utterance.limit * 4).filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n" || scalar == "\t"
            case .surrogate, .privateUse, .unassigned, .format: scalar == "\u{200D}" || scalar == "\u{200C}"
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(seen)).trimmingCharacters(in: .whitespacesAndNewlines).prefix(Utterance.limit))
    }

    var roomVocabulary: RoomVocabulary { RoomVocabulary(rooms.map { ($0.key, $0.name) }, equipment: .english) }

    mutating func editCandidate(_ id: String, _ edit: (inout Candidate) -> Void) {
        guard let place = candidates.firstIndex(where: { $0.id == id }) else { return }
        edit(&candidates[place])
    }

    /// Updates everything that follows from the statements: matches, missing properties, confidence.
    mutating func refresh() {
        let equipment = EquipmentLexicon.english
        let matching = DeviceMatcher(equipment: equipment, devices: discovered, rooms: rooms)
        // Each candidate is copied, changed and stored: changed in place, the whole list would be copied for each.
        for place in candidates.indices where candidates[place].isOpen {
            var candidate = candidates[place]
            resetInferred(&candidate)
            if candidate.isCountOpen { inferCount(&candidate, matching) }
            candidates[place] = candidate
        }
        let result = matching.match(candidates)
        for place in candidates.indices where candidates[place].isOpen {
            var candidate = candidates[place]
            candidate.matched = Array((result.matched[candidate.id] ?? []).prefix(candidate.count))
            candidate.matchOptions = Array((result.options[candidate.id] ?? []).prefix(8))
            inferFromMatches(&candidate, matching)
            updateStatus(&candidate)
            candidates[place] = candidate
        }
    }

    private func resetInferred(_ candidate: inout Candidate) {
        if candidate.isRoomFromThing { (candidate.room, candidate.isRoomFromThing) = (nil, false) }
        if candidate.isFunctionFromThing { (candidate.function, candidate.isFunctionFromThing) = (nil, false) }
    }

    /// Sets the count of "the lamps in the kitchen" to the number that was discovered there.
    private func inferCount(_ candidate: inout Candidate, _ matching: DeviceMatcher) {
        let others = Set(candidates.filter { $0.id != candidate.id && $0.isActive }.flatMap { $0.chosen + $0.matched })
        let seen = candidate
        let found = discovered.filter { !others.contains($0.id) && !seen.refused.contains($0.id) && matching.score(seen, $0) != nil }.count
        if found >= 2 { (candidate.count, candidate.isCountOpen) = (min(found, Self.countLimit), false) }
    }

    private func inferFromMatches(_ candidate: inout Candidate, _ matching: DeviceMatcher) {
        let things = candidate.matched.compactMap { id in discovered.first { $0.id == id } }
        let found = Set(things.map { $0.room.flatMap(matching.room) })
        if candidate.room == nil, found.count == 1, let room = found.first ?? nil {
            (candidate.room, candidate.isRoomFromThing) = (room, true)
        }
        let equipment = matching.equipment
        if candidate.function == nil, let thing = things.first {
            let told = matching.functionsInName(by: thing)
            if told.count == 1, let function = told.first { (candidate.function, candidate.isFunctionFromThing) = (function, true) }
        }
        let function = candidate.function.flatMap { equipment.functions[$0] }
        candidate.kind = function?.kind ?? things.first?.kind
        candidate.deviceClass = function?.class ?? .other
        candidate.possibleIntegrations = candidate.brand.flatMap { equipment.brands[$0]?.integrations } ?? []
        for thing in things
        where ![.virtual, .planned].contains(thing.source) && !candidate.possibleIntegrations.contains(thing.source.rawValue) {
            candidate.possibleIntegrations.insert(thing.source.rawValue, at: 0)
        }
    }

    private func updateStatus(_ candidate: inout Candidate) {
        let function = candidate.function.flatMap { EquipmentLexicon.english.functions[$0] }
        var missing: [Candidate.Field] = []
        if function == nil, candidate.kind == nil { missing.append(.kind) }
        if candidate.isCountOpen { missing.append(.count) }
        let needsNoRoom = function?.roams == true || candidate.isOutside || function?.edge == true && candidate.place != nil
        if candidate.room == nil, !candidate.isRoomSettled, !needsNoRoom || !candidate.roomOptions.isEmpty { missing.append(.room) }
        if candidate.matched.isEmpty { missing.append(.connection) }
        candidate.missing = missing
        candidate.status = missing.isEmpty ? .pending : .needsInfo
        var confidence = 0.4
        if function != nil { confidence += 0.2 }
        if candidate.brand != nil { confidence += 0.1 }
        if candidate.room != nil { confidence += candidate.isRoomInferred ? 0.05 : 0.1 }
        if !candidate.matched.isEmpty { confidence += 0.2 }
        if candidate.isCorrected { confidence -= 0.1 }
        candidate.confidence = (min(max(confidence, 0), 1) * 100).rounded() / 100
    }
}
