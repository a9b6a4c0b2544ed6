import CardeaModel
import Foundation

/// Answers questions about an action: who did it, whether it happened, when and how often.
extension AnswerBuilder {
    func answerActions(_ question: Question) async throws -> Reply {
        guard let actionKind = question.intent.action else { return unknownReply(.noSense) }
        let found = resolver.resolve(question.subject, isSet: question.subject.isAny) { actionKind.rank($0, isNamed: $1) }
        if let problem = resolutionProblem(found, question, .cannotBeDone) { return problem }
        guard case .targets(let targets) = found else { return unknownReply(.noSense) }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        var reply: Reply
        switch question.intent {
        case .whoDid where question.period == nil: reply = try await answerLastAction(actionKind, targets, question, isFirst: false)
        case .when(_, let isFirst): reply = try await answerLastAction(actionKind, targets, question, isFirst: isFirst)
        case .howOften: reply = try await answerActionCount(actionKind, targets, question)
        case .did where question.period == nil && question.actors != nil && question.actors != .anybody:
            reply = try await answerLastAction(actionKind, targets, question, isFirst: false)
        default: reply = try await answerActionsInPeriod(actionKind, targets, question)
        }
        if reply.devices.isEmpty { reply.devices = targets.count <= 8 ? targets.map(\.device.id) : [] }
        return reply
    }

    private func answerActionsInPeriod(_ actionKind: ActionKind, _ targets: [DeviceEntity], _ question: Question) async throws -> Reply {
        let period =
            question.period
            ?? Period(from: calendar.moment(calendar.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        let done = try await actionHistory.actions(actionKind, to: targets, in: period)
        let mine = done.actions.filter { matches(question.actors, $0.actor) }
        guard done.isWhole else { return unknownReply(.tooMuch) }
        let sureness = try await answerConfidence(actionKind, targets, done, question.actors, from: period.from, to: period.to)
        guard let first = mine.first else { return noActionReply(actionKind, targets, question, period, sureness) }
        var reply: Reply
        if mine.count == 1 {
            reply = Reply(sentence(first, targets, period))
        } else if mine.count <= 4 {
            let parts = mine.map { doing in
                lexicon.answerText(
                    .doneAt, [.who: actorPhrase(doing), .when: time(doing, period), .thing: targets.count > 1 ? deviceName(doing) : ""])
            }
            reply = Reply(
                answerText(
                    .doneTimes,
                    [
                        .thing: targetName(question.subject, targets), .did: participle(actionKind, mine, targets),
                        .count: countPhrase(mine.count),
                        .when: period.words, .list: formatter.list(parts),
                    ]))
        } else {
            let counts = Dictionary(grouping: mine) { actorPhrase($0) }.map { ($0.key, $0.value.count) }.sorted {
                ($1.1, $0.0) < ($0.1, $1.0)
            }
            let parts = counts.map { lexicon.answerText(.doneBy, [.who: $0.0, .count: countPhrase($0.1)]) }
            let last = mine.last ?? first
            reply = Reply(
                answerText(
                    .doneTimes,
                    [
                        .thing: targetName(question.subject, targets), .did: participle(actionKind, mine, targets),
                        .count: countPhrase(mine.count),
                        .when: period.words, .list: formatter.list(parts, atMost: 5),
                    ])
                    + " " + answerText(.lastTime, [.when: time(last, period), .who: actorPhrase(last)]))
        }
        var isYes = false
        if case .did = question.intent {
            isYes = true
            reply.response = answerText(.yes, [.rest: reply.response])
            reply.facts.append(.truth(true))
        }
        reply.facts += mine.map { .action($0) }
        reply.events = mine.flatMap(\.events)
        reply.devices = unique(mine.map(\.deviceID))
        // The action was certainly carried out, whatever else happened.
        return isYes ? reply : reply.limited(by: sureness, formatter)
    }

    /// The confidence of an answer about actions.
    ///
    /// - Parameter done: all actions and commands within the period, by any actor.
    private func answerConfidence(
        _ actionKind: ActionKind, _ targets: [DeviceEntity], _ done: ActionHistory.Actions, _ who: ActorFilter?, from: Date?, to: Date
    ) async throws -> AnswerConfidence {
        let all = done.actions
        var doubts = try await answerConfidence(of: targets, from: from, to: to).reasons
        if let doubt = unresolvedReason(done.unresolvedCommands, who) { doubts.append(doubt) }
        let silent = targets.filter(\.entity.isAssumed)
        if !silent.isEmpty { doubts.append(.askedOnly(targets: silent.map(name))) }
        if all.contains(where: \.isErased) { doubts.append(.erased) }
        switch who {
        case .guests, .actors:
            // Actions of unknown origin may be theirs.
            let unknown = all.count { $0.actor == nil }
            if visibility.seesEverybody, unknown > 0 { doubts.append(.nobodyKnown(count: unknown)) }
        case nil, .anybody:
            if !visibility.seesEverybody, targets.contains(where: { actionKind.countsEachCommand(of: $0.entity) }) {
                doubts.append(.hidden)
            }
        }
        return AnswerConfidence(reasons: doubts)
    }

    /// The doubt because of commands with an unknown outcome. Commands of other people cause no doubt in an answer about one person.
    private func unresolvedReason(_ askings: [HouseEvent], _ who: ActorFilter?) -> UncertaintyReason? {
        let own = askings.filter { $0.actor == nil || matches(who, $0.actor) }
        guard let last = own.last, case .command(let verb, _, _) = last.fact else { return nil }
        let device = last.deviceID.flatMap(resolver.device).map { formatter.deviceName($0.name) } ?? lexicon.answerText(.somethingThere)
        let values: [Placeholder: String] = [
            .who: name(ofActor: last.actor) ?? lexicon.answerText(.somebody), .verb: verbPhrase(verb), .thing: device,
            .when: formatter.moment(last.at),
            .count: countPhrase(own.count),
        ]
        return .unclear(words: lexicon.answerText(own.count == 1 ? .askedUnclear : .askedUnclearOften, values))
    }

    /// The reply if nothing of the period is on record; otherwise nil.
    private func noRecordReply(_ targets: [DeviceEntity], _ period: Period, _ sureness: AnswerConfidence) -> Reply? {
        let devices = Set(targets.map(\.device.id)).count
        guard sureness.hasNoRecord(of: devices, from: period.from, to: min(period.to, now)) else { return nil }
        return Reply(sureness.texts(formatter).joined(separator: " "), confidence: 0)
    }

    /// The time of an action. If its device was out of reach, the two times between which it happened.
    private func time(_ doing: ActionOccurrence, _ period: Period?) -> String {
        guard let earliest = doing.notBefore else { return formatter.moment(doing.at, in: period) }
        return lexicon.answerText(.someTimeBetween, [.from: formatter.moment(earliest), .to: formatter.moment(doing.at)])
    }

    private func actorPhrase(_ doing: ActionOccurrence) -> String {
        doing.isErased ? lexicon.answerText(.byErased) : actorPhrase(doing.actor)
    }

    /// "Ada unlocked the back door at 19:04, and it was locked again at 19:06."
    private func sentence(_ doing: ActionOccurrence, _ targets: [DeviceEntity], _ period: Period?) -> String {
        let again = doing.undoneAt.flatMap { undone -> String? in
            guard let word = participle(undoing: doing.action, of: doing, targets) else { return nil }
            let isSameDay = calendar.day(of: undone) == calendar.day(of: doing.at)
            let moment =
                isSameDay
                ? lexicon.answerText(.atTime, [.time: AnswerFormatter.clockTime(calendar.minutes(of: undone))]) : formatter.moment(undone)
            return lexicon.answerText(.andAgain, [.did: word, .when: moment])
        }
        let word = participle(doing.action, [doing], targets)
        let when = time(doing, period)
        if let name = name(ofActor: doing.actor) {
            return answerText(.didIt, [.who: name, .did: word, .thing: deviceName(doing), .when: when, .rest: again ?? ""])
        }
        return answerText(.wasDone, [.thing: deviceName(doing), .did: word, .when: when, .who: actorPhrase(doing), .rest: again ?? ""])
    }

    private func noActionReply(
        _ actionKind: ActionKind, _ targets: [DeviceEntity], _ question: Question, _ period: Period, _ sureness: AnswerConfidence
    ) -> Reply {
        if let blank = noRecordReply(targets, period, sureness) { return blank }
        let target = targetName(question.subject, targets)
        var sentence: String
        if case .actors(let keys) = question.actors {
            let names = keys.map { name(ofActor: $0) ?? "" }
            let target = question.subject.named.isEmpty && targets.count > 1 && target.isEmpty ? lexicon.word(.functionWord(.any)) : target
            sentence = answerText(.didNot, [.who: formatter.list(names), .verb: baseVerb(actionKind), .thing: target, .when: period.words])
        } else if question.actors == .guests {
            sentence = answerText(
                .noGuestDid, [.did: participle(actionKind, [], targets), .thing: orAnything(target), .when: period.words])
        } else {
            sentence = answerText(
                visibility.seesEverybody ? .nobodyDid : .nobodyKnown,
                [.did: participle(actionKind, [], targets), .thing: orAnything(target), .when: period.words])
        }
        // A gap in the record means that a missing action is no "no".
        if sureness.hasOutages {
            let isHedged = (question.actors ?? .anybody) == .anybody && !visibility.seesEverybody
            var reply = Reply(isHedged ? sentence : answerText(.asFar, [.rest: sentence]))
            reply.facts = [.count(0)]
            return reply.limited(by: sureness, formatter)
        }
        if case .did = question.intent { sentence = answerText(.no, [.rest: sentence]) }
        var reply = Reply(sentence)
        reply.facts = [.truth(false), .count(0)]
        return reply.limited(by: sureness, formatter)
    }

    private func answerLastAction(_ actionKind: ActionKind, _ targets: [DeviceEntity], _ question: Question, isFirst: Bool) async throws
        -> Reply
    {
        let found = try await actionHistory.last(actionKind, to: targets, in: question.period, now: now, isFirst: isFirst) {
            matches(question.actors, $0.actor)
        }
        guard let found else {
            if let period = question.period {
                let done = try await actionHistory.actions(actionKind, to: targets, in: period)
                let sureness = try await answerConfidence(actionKind, targets, done, question.actors, from: period.from, to: period.to)
                return noActionReply(actionKind, targets, question, period, sureness)
            }
            var reply = Reply(
                answerText(
                    .neverDone, [.thing: orAnything(targetName(question.subject, targets)), .did: participle(actionKind, [], targets)]),
                confidence: 0.5)
            reply.facts = [.count(0)]
            var done = ActionHistory.Actions()
            if let asking = try await actionHistory.lastUnresolvedCommand(actionKind, to: targets, before: now) {
                done.unresolvedCommands = [asking]
            }
            return reply.limited(by: try await answerConfidence(actionKind, targets, done, question.actors, from: now, to: now), formatter)
        }
        let again = found.undoneAt == nil && isStillInState(found, targets) ? lexicon.answerText(.andStill) : ""
        var reply = Reply(
            answerText(
                isFirst ? .firstDone : .lastDone,
                [
                    .thing: deviceName(found), .did: participle(actionKind, [found], targets), .when: time(found, nil),
                    .who: actorPhrase(found),
                    .rest: again,
                ]))
        if case .did = question.intent { reply.response = answerText(.yes, [.rest: reply.response]) }
        reply.facts = [.action(found), .moment(found.at)]
        reply.events = found.events
        reply.devices = [found.deviceID]
        // If the record has gaps, there may be one before the first or after the last.
        let (from, to): (Date?, Date) = isFirst ? (question.period?.from, found.at) : (found.at, question.period?.to ?? now)
        var done = try await actionHistory.actions(actionKind, to: targets, in: Period(from: from, to: to, words: ""))
        if isFirst { done.actions.append(found) }
        return reply.limited(by: try await answerConfidence(actionKind, targets, done, question.actors, from: from, to: to), formatter)
    }

    private func answerActionCount(_ actionKind: ActionKind, _ targets: [DeviceEntity], _ question: Question) async throws -> Reply {
        let period =
            question.period
            ?? Period(from: calendar.moment(calendar.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        let done = try await actionHistory.actions(actionKind, to: targets, in: period)
        guard done.isWhole else { return unknownReply(.tooMuch) }
        let mine = done.actions.filter { matches(question.actors, $0.actor) }
        let who: String? =
            if case .actors(let keys) = question.actors { formatter.list(keys.compactMap { name(ofActor: $0) }) } else { nil }
        let target = targetName(question.subject, targets)
        var reply = Reply(
            answerText(
                who == nil ? .wasDoneTimes : .didTimes,
                [
                    .who: who ?? "", .thing: who == nil ? target : orAnything(target), .did: participle(actionKind, mine, targets),
                    .count: mine.isEmpty ? lexicon.answerText(.notOnce) : countPhrase(mine.count), .when: period.words,
                ]))
        reply.facts = [.count(mine.count)] + mine.map { .action($0) }
        reply.events = mine.flatMap(\.events)
        let sureness = try await answerConfidence(actionKind, targets, done, question.actors, from: period.from, to: period.to)
        if mine.isEmpty, let blank = noRecordReply(targets, period, sureness) { return blank }
        return reply.limited(by: sureness, formatter)
    }

    // MARK: Texts

    func countPhrase(_ count: Int) -> String { formatter.times(count) }

    /// "Opened"; for a lock "unlocked", since that is what it reports.
    private func participle(_ actionKind: ActionKind, _ doings: [ActionOccurrence], _ targets: [DeviceEntity]) -> String {
        let entities = doings.map(\.entityID)
        let areLocks = !doings.isEmpty && entities.allSatisfy { id in targets.first { $0.entity.id == id }?.entity.kind == .lock }
        switch actionKind {
        case .open: return lexicon.word(.participle(areLocks ? .unlock : .open))
        case .close: return lexicon.word(.participle(areLocks ? .lock : .close))
        case .lock: return lexicon.word(.participle(.lock))
        case .unlock: return lexicon.word(.participle(.unlock))
        case .on: return lexicon.word(.participle(.turn)) + " " + lexicon.word(.power(.on))
        case .off: return lexicon.word(.participle(.turn)) + " " + lexicon.word(.power(.off))
        case .use: return lexicon.word(.participle(.use))
        case .set: return lexicon.word(.participle(.set))
        }
    }

    private func participle(undoing actionKind: ActionKind, of doing: ActionOccurrence, _ targets: [DeviceEntity]) -> String? {
        let opposite: ActionKind? =
            switch actionKind {
            case .open: .close
            case .close: .open
            case .lock: .unlock
            case .unlock: .lock
            case .on: .off
            case .off: .on
            case .use, .set: nil
            }
        return opposite.map { participle($0, [doing], targets) }
    }

    private func baseVerb(_ actionKind: ActionKind) -> String {
        switch actionKind {
        case .open: lexicon.word(.imperative(.open))
        case .close: lexicon.word(.imperative(.close))
        case .lock: lexicon.word(.imperative(.lock))
        case .unlock: lexicon.word(.imperative(.unlock))
        case .on: lexicon.word(.imperative(.turn)) + " " + lexicon.word(.power(.on))
        case .off: lexicon.word(.imperative(.turn)) + " " + lexicon.word(.power(.off))
        case .use: lexicon.word(.imperative(.use))
        case .set: lexicon.word(.imperative(.set))
        }
    }

    private func isStillInState(_ doing: ActionOccurrence, _ targets: [DeviceEntity]) -> Bool {
        guard let target = targets.first(where: { $0.entity.id == doing.entityID }) else { return false }
        return doing.action.outcome.flatMap { $0.holds(target.entity.state.value, target.entity) } ?? false
    }

    private func targetName(_ subject: DeviceReference, _ targets: [DeviceEntity]) -> String {
        let name = name(subject, targets)
        return name.isEmpty
            ? [lexicon.word(.functionWord(.any)), location(subject)].filter { !$0.isEmpty && !location(subject).isEmpty }.joined(
                separator: " ") : name
    }

    private func orAnything(_ name: String) -> String { name.isEmpty ? lexicon.phrases(.functionWord(.any)).dropFirst().first ?? "" : name }

    private func deviceName(_ doing: ActionOccurrence) -> String {
        resolver.device(doing.deviceID).map { formatter.deviceName($0.name) } ?? ""
    }

    func unique(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension QueryIntent {
    var action: ActionKind? {
        switch self {
        case .whoDid(let actionKind), .did(let actionKind), .when(let actionKind, _), .howOften(let actionKind): actionKind
        default: nil
        }
    }
}
