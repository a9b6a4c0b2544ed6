import CardeaModel
import Foundation

/// Answers questions about states: on, open, locked, out of reach.
extension AnswerBuilder {
    func answerStates(_ question: Question) async throws -> Reply {
        let condition: DeviceCondition
        switch question.intent {
        case .isIt(let asked, _), .which(let asked): condition = asked
        case .howMany(let asked):
            guard let asked else { return answerCount(question) }
            condition = asked
        default: return unknownReply(.noSense)
        }
        let found = resolver.resolve(question.subject, isSet: true) { condition.rank($0, isNamed: $1) }
        if let problem = resolutionProblem(found, question, .cannotStand) { return problem }
        guard case .targets(var targets) = found else { return unknownReply(.noSense) }
        if condition == .locked, case .isIt(_, isAll: true) = question.intent { targets += garages(question.subject, beside: targets) }
        if let period = question.period { return try await answerPastState(condition, targets, period, question) }
        let holding = targets.filter { holds(condition, $0) == true && $0.device.status != .offline }
        let unsure = targets.filter { holds(condition, $0) == nil || $0.device.status == .offline }
        var reply: Reply
        if targets.count == 1, let target = targets.first {
            reply = try await answerOne(target, condition, isAsked: question.intent.isYesNo)
        } else if case .isIt(_, isAll: true) = question.intent {
            reply = try await answerAll(targets, holding, unsure, condition, question)
        } else {
            reply = try await answerSome(targets, holding, unsure, condition, question)
        }
        if case .howMany = question.intent, reply.confidence > 0 { reply.facts.insert(.count(holding.count), at: 0) }
        let others = targets.filter { !holding.contains($0) && !unsure.contains($0) }
        let isAllOf = if case .isIt(_, isAll: true) = question.intent { true } else { false }
        try await cite(wordsOf: isAllOf && !others.isEmpty ? others : holding.isEmpty ? targets : holding, in: &reply)
        reply.suggestions = suggestions(holding, condition)
        // A single thing with an assumed state says so itself.
        let known = (holding + others).filter { targets.count > 1 || !$0.entity.isAssumed }
        return reply.limited(by: try await answerConfidence(of: known), formatter)
    }

    /// A house is locked up when its garage is closed as well, although no bolt is reported there.
    private func garages(_ subject: DeviceReference, beside targets: [DeviceEntity]) -> [DeviceEntity] {
        guard subject.named.isEmpty, subject.kind == nil || subject.kind == .device || subject.kind == .door else { return [] }
        let found = resolver.resolve(subject, isSet: true) { entity, _ in entity.kind == .cover && entity.isWayIn ? 0 : nil }
        guard case .targets(let ways) = found else { return [] }
        let known = Set(targets.map(\.device.id))
        return ways.filter { !known.contains($0.device.id) && !$0.device.isPlanned }
    }

    private func holds(_ condition: DeviceCondition, _ target: DeviceEntity) -> Bool? {
        effectiveCondition(condition, of: target).holds(target.entity.state.value, target.entity)
    }

    /// The condition to check on this device: "locked" means closed for a garage, which has no bolt.
    func effectiveCondition(_ condition: DeviceCondition, of target: DeviceEntity) -> DeviceCondition {
        condition == .locked && target.entity.kind == .cover ? .closed : condition
    }

    private func answerOne(_ target: DeviceEntity, _ condition: DeviceCondition, isAsked: Bool) async throws -> Reply {
        var reply: Reply
        let stands = condition.holds(target.entity.state.value, target.entity)
        let name = name(target)
        if stands == nil, target.entity.lastReport != nil || target.entity.isAssumed {
            reply = Reply(try await unknownStateText([target]), confidence: 0)
        } else if target.device.status == .offline {
            let words = stands == nil ? "" : lexicon.answerText(.itLastSaid, [.condition: stateName(target)])
            reply = Reply(answerText(.outOfReach, [.thing: name, .rest: words]), confidence: stands == nil ? 0 : 0.4)
        } else if let stands {
            let sentence = lexicon.answerText(hasPluralName(target) ? .thingsAre : .thingIs, [.thing: name, .condition: stateName(target)])
            if target.entity.isAssumed {
                reply = Reply(answerText(.assumedIs, [.rest: sentence]), confidence: 0.7)
            } else {
                reply = Reply(isAsked ? answerText(stands ? .yes : .no, [.rest: sentence]) : sentence)
                reply.facts = [.truth(stands)] + (stands ? [.device(target.device.id)] : [])
            }
        } else {
            reply = unknownReply(.saidNothing, [.thing: name])
        }
        reply.devices = [target.device.id]
        return reply
    }

    private func answerSome(
        _ targets: [DeviceEntity], _ holding: [DeviceEntity], _ unsure: [DeviceEntity], _ condition: DeviceCondition, _ question: Question
    ) async throws -> Reply {
        let isYesNo = question.intent.isYesNo
        var reply: Reply
        if holding.isEmpty {
            if unsure.count == targets.count {
                reply = Reply(try await unknownStateText(unsure), confidence: 0)
                reply.devices = targets.count <= 8 ? unique(unsure.map(\.device.id)) : []
                return reply
            }
            let name = name(question.subject, targets)
            let sentence =
                name.isEmpty || !question.subject.named.isEmpty && name.isEmpty
                ? lexicon.answerText(.nothingIs, [.condition: conditionName(condition), .rest: location(question.subject)])
                : lexicon.answerText(.noneIs, [.thing: name, .condition: conditionName(condition)])
            // Without a known entity in the state, the answer is still no "no".
            reply = Reply(!unsure.isEmpty ? answerText(.asFar, [.rest: sentence]) : isYesNo ? answerText(.no, [.rest: sentence]) : sentence)
        } else {
            let names = formatter.list(holding.map(name), atMost: 12)
            let sentence = lexicon.answerText(
                holding.count == 1 && !holding.contains(where: hasPluralName) ? .thingIs : .thingsAre,
                [.thing: names, .condition: conditionName(condition), .count: String(holding.count)])
            reply = Reply(isYesNo ? answerText(.yes, [.rest: sentence]) : sentence)
            if case .howMany = question.intent { reply.response = answerText(.countIs, [.count: String(holding.count), .rest: sentence]) }
        }
        if !unsure.isEmpty {
            reply.response += " " + (try await unknownStateText(unsure))
            reply.confidence = holding.isEmpty ? 0.6 : 0.8
        }
        reply.facts = (holding.isEmpty && !unsure.isEmpty ? [] : [.truth(!holding.isEmpty)]) + holding.map { .device($0.device.id) }
        reply.devices = holding.map(\.device.id)
        return reply
    }

    private func answerAll(
        _ targets: [DeviceEntity], _ holding: [DeviceEntity], _ unsure: [DeviceEntity], _ condition: DeviceCondition, _ question: Question
    ) async throws -> Reply {
        let others = targets.filter { !holding.contains($0) && !unsure.contains($0) }
        let name = name(question.subject, targets)
        var reply: Reply
        if others.isEmpty, unsure.isEmpty {
            let sentence = lexicon.answerText(
                name.isEmpty ? .thingIs : .allAre,
                [.thing: name.isEmpty ? lexicon.answerText(.everything) : name, .condition: conditionName(condition)])
            reply = Reply(answerText(.yes, [.rest: sentence]))
        } else if others.isEmpty {
            reply = Reply(try await unknownStateText(unsure), confidence: holding.isEmpty ? 0 : 0.4)
            if !holding.isEmpty {
                reply.response += " " + AnswerFormatter.capitalized(answerText(.othersAre, [.condition: conditionName(condition)]))
            }
            reply.devices = unique(unsure.map(\.device.id))
            return reply
        } else {
            let open = condition == .locked ? others.filter { $0.entity.kind == .cover } : []
            let loose = others.filter { !open.contains($0) }
            let sentences = [
                loose.isEmpty
                    ? nil
                    : lexicon.answerText(
                        loose.count == 1 ? .thingIsNot : .thingsAreNot,
                        [.thing: formatter.list(loose.map(self.name), atMost: 12), .condition: conditionName(condition)]),
                open.isEmpty
                    ? nil
                    : lexicon.answerText(
                        open.count == 1 ? .thingIs : .thingsAre,
                        [.thing: formatter.list(open.map(self.name), atMost: 12), .condition: conditionName(.open)]),
            ].compactMap(\.self)
            reply = Reply(
                answerText(
                    .no, [.rest: ([sentences.first ?? ""] + sentences.dropFirst().map(AnswerFormatter.capitalized)).joined(separator: " ")])
            )
            if !unsure.isEmpty { reply.response += " " + (try await unknownStateText(unsure)) }
        }
        reply.facts = [.truth(others.isEmpty)] + others.map { .device($0.device.id) }
        reply.devices = others.map(\.device.id)
        return reply
    }

    // MARK: Texts

    /// Returns whether a device has a plural name: "the blinds".
    func hasPluralName(_ target: DeviceEntity) -> Bool {
        if case .plural? = Word.tokenize(target.device.name).last.flatMap({ lexicon.categories[[$0.folded]] }) { true } else { false }
    }

    func conditionName(_ condition: DeviceCondition) -> String {
        switch condition {
        case .on: lexicon.word(.power(.on))
        case .off: lexicon.word(.power(.off))
        case .open: lexicon.word(.imperative(.open))
        case .closed: lexicon.word(.participle(.close))
        case .locked: lexicon.word(.participle(.lock))
        case .unlocked: lexicon.word(.participle(.unlock))
        case .jammed: lexicon.word(.topic(.jammed))
        }
    }

    /// The state of a thing in a word.
    func stateName(_ target: DeviceEntity) -> String {
        let value = target.entity.state.value
        switch target.entity.kind {
        case .lock: return conditionName(value == "jammed" ? .jammed : value == "locked" ? .locked : .unlocked)
        case .cover: return conditionName(value == "closed" ? .closed : .open)
        case .binarySensor where DeviceCondition.openingClasses.contains(target.entity.deviceClass ?? ""):
            return conditionName(value == "on" ? .open : .closed)
        default: return conditionName(DeviceCondition.on.holds(value, target.entity) == true ? .on : .off)
        }
    }

    /// The most things whose events an answer cites.
    static let citationLimit = 12

    /// Cites the last events that reported the states.
    func cite(wordsOf targets: [DeviceEntity], in reply: inout Reply) async throws {
        reply.events = try await lastReportIDs(of: targets)
        reply.moreEvents = max(targets.count - Self.citationLimit, 0)
    }

    private func lastReportIDs(of targets: [DeviceEntity]) async throws -> [String] {
        var events: [String] = []
        for target in targets.prefix(Self.citationLimit) {
            let wanted = HouseEventFilter(devices: [target.device.id], entities: [target.entity.id], kinds: [.state], limit: 1)
            events += try await houseHistory.events(wanted, seenBy: visibility).map(\.id)
        }
        return events
    }

    /// Suggests to turn off what is on, close what is open and lock what is unlocked. Never suggests the opposite.
    private func suggestions(_ targets: [DeviceEntity], _ condition: DeviceCondition) -> [Suggestion] {
        let verb: Verb? =
            switch condition {
            case .on: .off
            case .open: .close
            case .unlocked: .lock
            case .off, .closed, .locked, .jammed: nil
            }
        guard let verb else { return [] }
        return targets.prefix(12).compactMap { target in
            let fitting = target.entity.kind == .lock ? Verb.lock : verb
            return target.entity.resolve(fitting) == fitting ? suggestion(target, fitting, nil) : nil
        }
    }

    private func answerCount(_ question: Question) -> Reply {
        let devices = resolver.devices(question.subject)
        var reply = Reply(
            answerText(
                .countThere,
                [
                    .count: String(devices.count), .name: lexicon.word(.plural(question.subject.kind ?? .device)),
                    .rest: location(question.subject),
                ]))
        if devices.count == 1 {
            reply.response = answerText(
                .countOne, [.name: lexicon.word(.singular(question.subject.kind ?? .device)), .rest: location(question.subject)])
        }
        reply.facts = [.count(devices.count)]
        reply.devices = devices.count <= 20 ? devices.map(\.id) : []
        return reply
    }
}

extension QueryIntent {
    var isYesNo: Bool {
        if case .isIt = self { true } else { false }
    }
}
