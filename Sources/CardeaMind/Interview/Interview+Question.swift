import CardeaModel

extension Interview {
    /// The next question for the person. One at a time.
    enum Question: Codable, Hashable, Sendable {
        /// The opening question: the whole house, in the person's own words.
        case house
        case rooms
        case room(String)
        case kind(String)
        case match(String, options: [String])
        case count(String)
        case place(String)
        /// Asks about a discovered device that was not mentioned.
        case thing(String)
        case shared
        case unconnected
        case notFound([String])
        case confirm
        /// Asks whether these candidates are to be removed.
        case removal([String])

        /// The key under which it is recorded as asked.
        var key: String {
            switch self {
            case .house: "house"
            case .rooms: "rooms"
            case .room(let key): "room:\(key)"
            case .kind(let id): "kind:\(id)"
            case .match(let id, let options): "match:\(id):\(options.count)"
            case .count(let id): "count:\(id)"
            case .place(let id): "place:\(id)"
            case .thing(let id): "thing:\(id)"
            case .shared: "shared"
            case .unconnected: "unconnected"
            case .notFound: "not_found"
            case .confirm: "confirm"
            case .removal: "removal"
            }
        }

        /// The number of times it is asked without an answer, so that the interview does not become an interrogation.
        var maximumAttempts: Int {
            switch self {
            case .confirm: 30
            case .thing, .house: 1
            default: 2
            }
        }

        /// The candidate that the question is about.
        var candidateID: String? {
            switch self {
            case .kind(let id), .match(let id, _), .count(let id), .place(let id): id
            default: nil
            }
        }
    }

    /// The order is: the house, its rooms, their things, things for the whole house, and equipment that is not connected. What was just
    /// mentioned comes first.
    func nextQuestion() -> Question? {
        let leaving = (removing ?? []).filter { candidate($0)?.isOpen == true }
        if !leaving.isEmpty { return .removal(leaving) }
        if isEnding { return candidates.contains(where: \.isOpen) ? askable(.confirm) : nil }
        if rooms.isEmpty, let question = askable(.rooms) { return question }
        if !hasHeard, let question = askable(.house) { return question }
        for candidate in candidates where candidate.isOpen {
            if let question = openQuestion(of: candidate) { return question }
        }
        let spoken = Set(candidates.filter(\.isActive).compactMap { $0.room?.key } + currentNotes.compactMap { $0.room?.key })
        for room in rooms where !spoken.contains(room.key) {
            if let question = askable(.room(room.key)) { return question }
        }
        for thing in unclaimed.prefix(Self.discoveryLimit) {
            if let question = askable(.thing(thing.id)) { return question }
        }
        if let question = askable(.shared) ?? askable(.unconnected) { return question }
        let lost = candidates.filter { $0.isOpen && $0.matched.isEmpty && !$0.isConnectionSettled }.map(\.id)
        if !lost.isEmpty, discovered.contains(where: { $0.deviceID == nil }), let question = askable(.notFound(lost)) { return question }
        return candidates.contains(where: \.isOpen) ? askable(.confirm) : nil
    }

    private func openQuestion(of candidate: Candidate) -> Question? {
        if candidate.missing.contains(.kind), let question = askable(.kind(candidate.id)) { return question }
        if candidate.missing.contains(.count), let question = askable(.count(candidate.id)) { return question }
        // The room may tell which thing it is, so the clearer question comes first.
        if candidate.missing.contains(.room), !candidate.roomOptions.isEmpty, let question = askable(.place(candidate.id)) {
            return question
        }
        if !candidate.matchOptions.isEmpty, !candidate.isConnectionSettled,
            let question = askable(.match(candidate.id, options: Array(candidate.matchOptions.prefix(8))))
        {
            return question
        }
        if candidate.missing.contains(.room) { return askable(.place(candidate.id)) }
        return nil
    }

    private func askable(_ question: Question) -> Question? { asked[question.key, default: 0] < question.maximumAttempts ? question : nil }

    /// Discovered devices that were not mentioned.
    var unclaimed: [DiscoveredDevice] {
        let claimed = Set(candidates.filter(\.isActive).flatMap { $0.matched + $0.matchOptions + $0.refused } + ignoredThings)
        return discovered.filter { $0.deviceID == nil && !claimed.contains($0.id) }
    }

    /// Marks a question as closed, because it was answered or will not be. It is not asked again.
    mutating func close(_ question: Question) { asked[question.key] = question.maximumAttempts }

    /// Returns `text`, followed by the next question.
    mutating func advance(after text: String) -> String {
        question = nextQuestion()
        guard let question else {
            completeIfDone()
            return [text, status == .completed ? Self.phrase(.thatIsAll) : ""].filter { !$0.isEmpty }.joined(separator: " ")
        }
        asked[question.key, default: 0] += 1
        return [text, prompt(for: question)].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
