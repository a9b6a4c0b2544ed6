import CardeaModel
import Foundation

/// Answers questions about states in a period: from when to when, and for how long.
extension AnswerBuilder {
    /// Answers "Was the back door open last night?" with the intervals in which it was.
    func answerPastState(_ condition: DeviceCondition, _ targets: [DeviceEntity], _ period: Period, _ question: Question) async throws
        -> Reply
    {
        if let forgotten = try await retentionReply(period) { return forgotten }
        if case .isIt(_, isAll: true) = question.intent { return try await answerAllPastStates(condition, targets, period, question) }
        var lines: [String] = []
        var unsure: [DeviceEntity] = []
        var reply = Reply("")
        var isAny = false
        for target in targets {
            let stood = try await actionHistory.stateHistory(condition, of: target, from: period.from ?? .distantPast, to: period.to)
            guard stood.isKnown else {
                unsure.append(target)
                continue
            }
            guard !stood.intervals.isEmpty || targets.count == 1 else { continue }
            isAny = isAny || !stood.intervals.isEmpty
            lines.append(sentence(target, condition, stood, period))
            reply.events += stood.events
            if !stood.intervals.isEmpty { reply.devices.append(target.device.id) }
            reply.facts.append(.seconds(stood.intervals.reduce(0) { $0 + $1.1.timeIntervalSince($1.0) }))
        }
        let sureness = try await answerConfidence(of: targets, from: period.from, to: period.to)
        guard unsure.count < targets.count else {
            if !sureness.reasons.isEmpty { return Reply(sureness.texts(formatter).joined(separator: " "), confidence: 0) }
            let lost = unsure.filter { $0.entity.lastReport != nil }
            return lost.isEmpty ? unknownReply(.rememberNothing) : Reply(try await unknownStateText(lost), confidence: 0)
        }
        if lines.isEmpty {
            let name = name(question.subject, targets)
            lines = [
                name.isEmpty
                    ? lexicon.answerText(
                        .nothingWas, [.condition: conditionName(condition), .rest: location(question.subject), .when: period.words])
                    : lexicon.answerText(.noneWas, [.thing: name, .condition: conditionName(condition), .when: period.words])
            ]
        }
        let told = joined(lines)
        // A gap in the record means that an unknown state is no "no".
        let isCertain = isAny || !sureness.hasOutages
        reply.response = question.intent.isYesNo ? answerText(isAny ? .yes : isCertain ? .no : .asFar, [.rest: told]) : told
        addUnknown(unsure, in: &reply)
        if isCertain { reply.facts.insert(.truth(isAny), at: 0) }
        if reply.devices.isEmpty, targets.count == 1 { reply.devices = targets.map(\.device.id) }
        return reply.limited(by: sureness, formatter)
    }

    /// The confidence of an answer about past states: lower if the devices were out of reach.
    func answerConfidence(of targets: [DeviceEntity], from: Date?, to: Date) async throws -> AnswerConfidence {
        let devices = unique(targets.map(\.device.id))
        let gaps = try await actionHistory.outages(of: Set(devices), from: from, to: now)
        let doubts = devices.prefix(3).compactMap { device -> UncertaintyReason? in
            let own = (gaps[device] ?? []).filter { $0.from < to }
            guard !own.isEmpty, let name = resolver.device(device)?.name else { return nil }
            return .disconnected(target: formatter.deviceName(name), own)
        }
        return AnswerConfidence(reasons: doubts)
    }

    /// Answers "Were all the doors locked last night?": yes only if each of them was, for the whole period. The others are named, with
    /// times.
    private func answerAllPastStates(_ condition: DeviceCondition, _ targets: [DeviceEntity], _ period: Period, _ question: Question)
        async throws -> Reply
    {
        let from = period.from ?? .distantPast
        var (others, unsure, lines): ([DeviceEntity], [DeviceEntity], [String]) = ([], [], [])
        var (held, broke): ([String], [String]) = ([], [])
        for target in targets {
            let asked = effectiveCondition(condition, of: target)
            let stood = try await actionHistory.stateHistory(asked, of: target, from: from, to: period.to)
            if stood.isInterrupted {
                others.append(target)
                if let opposite = asked.opposite {
                    let otherwise = try await actionHistory.stateHistory(opposite, of: target, from: from, to: period.to)
                    lines.append(sentence(target, opposite, otherwise, period))
                    broke += otherwise.events
                } else {
                    lines.append(sentence(target, asked, stood, period))
                    broke += stood.events
                }
            } else if stood.isWhole {
                held += stood.events
            } else {
                unsure.append(target)
            }
        }
        guard unsure.count < targets.count else {
            let reply = unknownReply(.notSureOf, [.list: formatter.list(unsure.map(name), atMost: 5)])
            let why = try await answerConfidence(of: unsure, from: period.from, to: period.to).texts(formatter)
            return Reply(([reply.response] + why).joined(separator: " "), confidence: 0)
        }
        var reply: Reply
        if !others.isEmpty {
            reply = Reply(answerText(.no, [.rest: joined(lines)]))
            addUnknown(unsure, in: &reply)
            // One exception is enough for a certain no, whatever the others did.
            reply.confidence = 1
        } else if !unsure.isEmpty {
            reply = Reply(answerText(.notSureOf, [.list: formatter.list(unsure.map(name), atMost: 5)]), confidence: 0.4)
            reply = reply.limited(by: try await answerConfidence(of: unsure, from: period.from, to: period.to), formatter)
        } else {
            let name = name(question.subject, targets)
            let isOne = name.isEmpty || targets.count == 1 && !targets.contains(where: hasPluralName)
            let sentence = lexicon.answerText(
                isOne ? .wasAllTime : .wereAllTime,
                [.thing: name.isEmpty ? lexicon.answerText(.everything) : name, .condition: conditionName(condition), .when: period.words])
            reply = Reply(answerText(.yes, [.rest: sentence]))
        }
        reply.facts = [.truth(others.isEmpty && unsure.isEmpty)] + others.map { .device($0.device.id) }
        reply.events = others.isEmpty ? held : broke
        reply.devices = others.isEmpty ? (targets.count <= 8 ? unique(targets.map(\.device.id)) : []) : unique(others.map(\.device.id))
        return reply
    }

    /// The state of one thing, as a sentence.
    private func sentence(_ target: DeviceEntity, _ condition: DeviceCondition, _ stood: ActionHistory.StateHistory, _ period: Period)
        -> String
    {
        let (from, stretches) = (period.from ?? .distantPast, stood.intervals)
        let values: [Placeholder: String] = [.thing: name(target), .condition: conditionName(condition), .when: period.words]
        guard let first = stretches.first else { return lexicon.answerText(.wasNever, values) }
        if stretches.count == 1, first.0 <= from, first.1 >= period.to { return lexicon.answerText(.wasAllTime, values) }
        let parts = stretches.prefix(4).map { lexicon.answerText(.fromTo, [.from: time($0.0, period), .to: time($0.1, period)]) }
        let told: [Placeholder: String] = [.list: formatter.list(Array(parts)), .count: countPhrase(stretches.count)]
        return lexicon.answerText(stretches.count > 4 ? .wasOften : .wasFrom, values.merging(told) { $1 })
    }

    /// The first lines, and the number of those left out.
    func joined(_ lines: [String]) -> String {
        let told = lines.prefix(1) + lines.dropFirst().prefix(5).map(AnswerFormatter.capitalized)
        let more = lines.count > 6 ? [lexicon.answerText(.moreNotTold, [.count: String(lines.count - 6)])] : []
        return (told + more).joined(separator: " ")
    }

    private func addUnknown(_ unsure: [DeviceEntity], in reply: inout Reply) {
        guard !unsure.isEmpty else { return }
        reply.response += " " + answerText(.notSureOf, [.list: formatter.list(unsure.map(name), atMost: 5)])
        reply.confidence = 0.8
    }

    func answerDuration(_ condition: DeviceCondition, _ question: Question) async throws -> Reply {
        let found = resolver.resolve(question.subject, isSet: question.subject.isAny) { condition.rank($0, isNamed: $1) }
        if let problem = resolutionProblem(found, question, .cannotStand) { return problem }
        guard case .targets(let targets) = found, targets.count <= 12 else { return unknownReply(.noSense) }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        var reply = Reply("")
        var lines: [String] = []
        for target in targets {
            let isNow = question.period == nil && condition.holds(target.entity.state.value, target.entity) == true
            let period =
                question.period
                ?? Period(
                    from: isNow ? now - 30 * 86_400 : calendar.moment(calendar.day(of: now)), to: now, words: lexicon.word(.time(.today)),
                    isWithinDay: true)
            let stood = try await actionHistory.stateHistory(condition, of: target, from: period.from ?? .distantPast, to: period.to)
            guard stood.isKnown else { continue }
            let (stretches, events) = (stood.intervals, stood.events)
            if isNow, let last = stretches.last {
                let seconds = now.timeIntervalSince(last.0)
                lines.append(
                    lexicon.answerText(
                        .hasBeenSince,
                        [
                            .thing: name(target), .condition: conditionName(condition), .when: formatter.moment(last.0),
                            .value: formatter.duration(seconds),
                        ]))
                reply.facts.append(.seconds(seconds))
                reply.events += events.suffix(1)
            } else {
                let seconds = stretches.reduce(0) { $0 + $1.1.timeIntervalSince($1.0) }
                lines.append(
                    stretches.isEmpty
                        ? lexicon.answerText(.wasNever, [.thing: name(target), .condition: conditionName(condition), .when: period.words])
                        : lexicon.answerText(
                            .wasFor,
                            [
                                .thing: name(target), .condition: conditionName(condition), .value: formatter.duration(seconds),
                                .when: period.words,
                            ]))
                reply.facts.append(.seconds(seconds))
                reply.events += events
            }
            reply.devices.append(target.device.id)
        }
        guard !lines.isEmpty else { return unknownReply(.rememberNothing) }
        reply.response = lines.map(AnswerFormatter.capitalized).joined(separator: " ")
        let period = question.period ?? Period(from: calendar.moment(calendar.day(of: now)), to: now, words: "")
        return reply.limited(by: try await answerConfidence(of: targets, from: period.from, to: period.to), formatter)
    }

    private func time(_ date: Date, _ period: Period) -> String {
        formatter.moment(date, in: period).replacingPrefix(lexicon.answerText(.atTime, [.time: ""]))
    }
}

extension String {
    /// "From 19:04", not "from at 19:04".
    fileprivate func replacingPrefix(_ prefix: String) -> String {
        let prefix = prefix.trimmingCharacters(in: .whitespaces)
        return hasPrefix(prefix + " ") ? String(dropFirst(prefix.count + 1)) : self
    }
}
