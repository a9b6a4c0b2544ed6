import CardeaModel

/// Turns commands into suggestions, or asks back.
extension AnswerBuilder {
    func suggest(_ wishes: [CommandIntent]) -> Reply {
        var suggestions: [Suggestion] = []
        var devices: [String] = []
        var others: [Reply] = []
        for wish in wishes {
            switch outcome(of: wish) {
            case .suggestions(let found, let ids):
                suggestions += found.filter { !suggestions.contains($0) }
                devices += ids
            case .reply(let reply): others.append(reply)
            }
        }
        if suggestions.isEmpty, let other = others.first { return other }
        var reply = Reply(answerText(.shallI, [.list: formatter.list(suggestionQuestions(suggestions))]))
        // Parts that are impossible or unclear are added to those that are possible.
        reply.response = ([reply.response] + others.map(\.response)).joined(separator: " ")
        if !others.isEmpty { reply.confidence = 0.8 }
        reply.choices = others.flatMap(\.choices)
        reply.suggestions = suggestions
        reply.devices = unique(devices + others.flatMap(\.devices))
        return reply
    }

    /// "Turn off the desk lamp and the sofa lamp": a verb for several things is said once.
    private func suggestionQuestions(_ suggestions: [Suggestion]) -> [String] {
        var groups: [(act: String, targets: [String], words: String)] = []
        for suggestion in suggestions {
            guard case .device(let id, _, let verb, let value) = suggestion.action, let device = resolver.device(id) else {
                groups.append(("", [], suggestion.words.prefix(1).lowercased() + suggestion.words.dropFirst()))
                continue
            }
            let (act, target) = ("\(verb.rawValue) \(value ?? .nan)", formatter.deviceName(device.name))
            let place = groups.firstIndex { $0.act == act }
            let targets = (place.map { groups[$0].targets } ?? []) + [target]
            let words = self.text(verb, value, targets: targets.prefix(6), more: targets.count - 6)
            if let place { groups[place] = (act, targets, words) } else { groups.append((act, targets, words)) }
        }
        let words = groups.prefix(6).map(\.words)
        return groups.count > 6 ? words + [lexicon.answerText(.andMore, [.count: String(groups.count - 6)])] : words
    }

    private func text(_ verb: Verb, _ value: Double?, targets: ArraySlice<String>, more: Int) -> String {
        let list = formatter.list(more > 0 ? targets + [lexicon.answerText(.andMore, [.count: String(more)])] : Array(targets))
        guard let value else { return lexicon.answerText(.doIt, [.verb: verbPhrase(verb), .thing: list]) }
        let unit = verb == .setTemperature ? "°C" : "%"
        return lexicon.answerText(.setTo, [.verb: verbPhrase(verb), .thing: list, .value: formatter.amount(value, unit)])
    }

    private enum Outcome {
        case suggestions([Suggestion], [String])
        case reply(Reply)
    }

    private func outcome(of wish: CommandIntent) -> Outcome {
        if case .scene(let id) = wish.change {
            guard let scene = house.scenes.first(where: { $0.id == id }) else { return .reply(unknownReply(.noSense)) }
            return .suggestions(
                [
                    Suggestion(
                        action: .scene(id: id),
                        words: AnswerFormatter.capitalized(answerText(.runScene, [.name: lexicon.answerText(.quoted, [.name: scene.name])]))
                    )
                ], [])
        }
        var wish = wish
        if case .warmer(let step, let isThere) = wish.change { return changeTemperature(wish.subject, by: step, isThere: isThere) }
        if wish.subject.named.isEmpty, wish.subject.kind == nil {
            switch wish.change {
            // A room set to 21 is heated, and one set to 30 % is lit: not everything in it takes the number.
            case .withoutUnit(let value): wish.change = .degrees(formatter.temperatureUnit.toCelsius(value))
            case .percent(_, isOpening: false): wish.subject.kind = .light
            default: break
            }
        }
        let found = resolver.resolve(wish.subject, isSet: wish.subject.isAny) { rank(wish.change, $0, $1) }
        if let problem = resolutionProblem(found, Question(intent: .state, subject: wish.subject), .cannotDo) { return .reply(problem) }
        guard case .targets(let targets) = found else { return .reply(unknownReply(.noSense)) }
        var suggestions: [Suggestion] = []
        for target in targets {
            guard let (verb, value) = command(wish.change, target.entity) else {
                return .reply(unknownReply(.cannotDo, [.thing: name(target)]))
            }
            if let value, let range = verb.value.range, !range.contains(value) {
                return .reply(outOfRange(range, of: verb))
            }
            if target.entity.risk(of: verb) == .open, target.device.isSecurityDevice, !visibility.opensSecurityDevices {
                return .reply(unknownReply(.mayNotOpen, [.thing: name(target)]))
            }
            suggestions.append(suggestion(target, verb, value))
        }
        // A verb that opens is never guessed: the person has to write it again.
        if wish.isGuessed,
            targets.contains(where: { target in command(wish.change, target.entity).map { target.entity.risk(of: $0.0) == .open } ?? false }
            )
        {
            var reply = unknownReply(
                .didYouMean, [.list: formatter.list(suggestions.map { lexicon.answerText(.quoted, [.name: $0.words]) }, atMost: 4)])
            reply.choices = suggestions.prefix(8).map(\.words)
            return .reply(reply)
        }
        return .suggestions(suggestions, targets.map(\.device.id))
    }

    /// Raises or lowers the target temperature of a heating by a step.
    ///
    /// - Parameter isThere: true if the subject is the place that was mentioned before.
    private func changeTemperature(_ subject: DeviceReference, by step: Double, isThere: Bool) -> Outcome {
        var subject = subject
        let devices = resolver.devices(subject)
        let heats = { (device: Device) in device.entities.contains { $0.isEnabled && $0.kind == .climate } }
        if isThere, !subject.named.isEmpty, !devices.allSatisfy(heats) {
            let rooms = Set(devices.compactMap(\.roomID)).filter { room in house.devices.contains { $0.roomID == room && heats($0) } }
            subject = DeviceReference()
            subject.rooms = rooms.sorted()
        }
        let found = resolver.resolve(subject, isSet: true) { entity, _ in entity.resolve(.setTemperature) == nil ? nil : 0 }
        if let problem = resolutionProblem(found, Question(intent: .state, subject: subject), .cannotDo) { return .reply(problem) }
        guard case .targets(let targets) = found else { return .reply(unknownReply(.noSense)) }
        var suggestions: [Suggestion] = []
        for target in targets {
            guard let verb = target.entity.resolve(.setTemperature), let now = target.entity.state.attributes["target_temperature"]?.number,
                now.isFinite
            else { continue }
            if let range = verb.value.range, !range.contains(now + step) {
                return .reply(outOfRange(range, of: verb))
            }
            suggestions.append(suggestion(target, verb, now + step))
        }
        guard !suggestions.isEmpty else {
            return .reply(unknownReply(.saidNothing, [.thing: formatter.list(targets.map(name), atMost: 5)]))
        }
        return .suggestions(suggestions, targets.map(\.device.id))
    }

    private func outOfRange(_ range: ClosedRange<Double>, of verb: Verb) -> Reply {
        let unit = verb == .setTemperature ? TemperatureUnit.celsius.symbol : nil
        return unknownReply(
            .outOfRange, [.from: formatter.number(range.lowerBound, in: unit), .to: formatter.number(range.upperBound, in: unit)])
    }

    private func rank(_ act: CommandIntent.Change, _ entity: Entity, _ isNamed: Bool) -> Int? {
        guard let (verb, _) = command(act, entity) else { return nil }
        switch verb {
        // "Everything off" covers what people switch. Heating and buttons must be named.
        case .on, .off: return DeviceCondition.on.rank(entity, isNamed: isNamed)
        case .open, .unlock: return entity.kind == .lock && act == .verb(.open) ? 1 : 0
        default: return 0
        }
    }

    /// The verb and value of a change for one entity; nil if the entity has no such command.
    private func command(_ act: CommandIntent.Change, _ entity: Entity) -> (Verb, Double?)? {
        switch act {
        case .verb(.close) where entity.kind == .lock: return entity.resolve(.lock).map { ($0, nil) }
        case .verb(let verb):
            guard entity.kind != .button else { return nil }
            return entity.resolve(verb).map { ($0, nil) }
        case .degrees(let value): return entity.resolve(.setTemperature).map { ($0, value) }
        case .withoutUnit(let value):
            if let verb = entity.resolve(.setTemperature) { return (verb, formatter.temperatureUnit.toCelsius(value)) }
            return command(.percent(value, isOpening: false), entity)
        case .percent(let value, let isOpening):
            switch entity.kind {
            case .light: return entity.resolve(.setBrightness).map { ($0, value) }
            case .fan: return entity.resolve(.setPercentage).map { ($0, value) }
            case .media: return entity.resolve(.setVolume).map { ($0, value) }
            // A way in moves only if the person said "open".
            case .cover: return entity.isWayIn && !isOpening ? nil : entity.resolve(.setPosition).map { ($0, value) }
            default: return nil
            }
        case .scene, .warmer: return nil
        }
    }

    func suggestion(_ target: DeviceEntity, _ verb: Verb, _ value: Double?) -> Suggestion {
        Suggestion(
            action: .device(id: target.device.id, entityID: target.entity.id, verb: verb, value: value),
            words: AnswerFormatter.capitalized(text(verb, value, targets: [name(target)], more: 0)))
    }
}
