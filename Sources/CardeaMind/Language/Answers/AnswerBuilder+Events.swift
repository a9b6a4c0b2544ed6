import CardeaModel
import Foundation

/// Answers questions about events, sightings, refusals and devices out of reach.
extension AnswerBuilder {
    func answerEvents(_ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.actors) { return refusal }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        let period =
            question.period
            ?? Period(from: calendar.moment(calendar.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        var wanted = HouseEventFilter(from: period.from, to: period.to)
        let isPlace = !question.subject.isEmpty
        if isPlace { wanted.devices = Set(resolver.devices(question.subject).map(\.id)) }
        if case .actors(let keys) = question.actors { wanted.actors = Set(keys) }
        var (all, isWhole) = try await actionHistory.all(wanted)
        if isPlace, visibility.seesEvents, let places = try await sightingFilters(of: question.subject, from: period.from, to: period.to) {
            var known = Set(all.map(\.id))
            for place in places { all += try await actionHistory.all(place).events.filter { known.insert($0.id).inserted } }
            all.sort { $0.at < $1.at }
        }
        let brief = briefOutages(all)
        // Numeric sensors report all day long.
        var asked: [String: (at: Date, verb: Verb)] = [:]
        let reportable = all.filter { event in
            // A command and the state that follows it are one event.
            if let entity = event.entityID {
                if case .command(let verb, .confirmed, _) = event.fact { asked[entity] = (event.at, verb) }
                if case .state(let value) = event.fact, let ask = asked[entity],
                    event.at.timeIntervalSince(ask.at) < ActionHistory.responseWindow, HouseEventRecords.canCause(ask.verb, to: value)
                {
                    // While it moves, the command is not finished.
                    if !value.hasSuffix("ing") { asked[entity] = nil }
                    return false
                }
            }
            return isReportable(event) && !brief.contains(event.id)
                && (question.actors == .guests ? matches(.guests, event.actor) : true)
        }
        let told = groupedByMoment(reportable)
        var reply: Reply
        var rest = location(question.subject)
        if rest.isEmpty, isPlace {
            let cameras = Set(question.subject.cameras)
            let named = resolver.devices(question.subject).map(\.name) + house.cameras.filter { cameras.contains($0.id) }.map(\.name)
            let targets = self.formatter.list(named.map(self.formatter.deviceName), atMost: 3)
            rest = named.isEmpty ? "" : lexicon.answerText(.ofThing, [.thing: targets])
        }
        if reportable.isEmpty, case .actors(let keys) = question.actors {
            let names = keys.compactMap(name(ofActor:))
            reply = Reply(answerText(.didNothing, [.who: self.formatter.list(names), .when: period.words]))
        } else if reportable.isEmpty {
            reply = Reply(answerText(visibility.seesEverybody ? .nothingHappened : .nothingKnown, [.when: period.words, .rest: rest]))
        } else {
            let lines = told.suffix(5).map { sentence($0, period) }
            let more =
                told.count > 5 ? answerText(.happenedMore, [.count: String(told.count), .when: period.words, .rest: rest]) + " " : ""
            reply = Reply(more + lines.map(AnswerFormatter.capitalized).joined(separator: " "))
        }
        if !isWhole { reply.confidence = 0.6 }
        let cited = told.suffix(5).flatMap { $0.prefix(Self.citationLimit) }
        reply.facts = [.count(told.count)] + cited.map { .event($0.id) }
        reply.events = cited.map(\.id)
        reply.moreEvents = max(reportable.count - cited.count, 0)
        reply.devices = unique(cited.compactMap(\.deviceID))
        return reply
    }

    private func isReportable(_ event: HouseEvent) -> Bool {
        guard case .state(let value) = event.fact else { return true }
        if Double(value) != nil { return false }
        let entity = event.deviceID.flatMap(resolver.device)?.entities.first { $0.id == event.entityID }
        return entity.map { ![.sensor].contains($0.kind) } ?? true
    }

    /// One event as a sentence. Text from outside is quoted.
    func sentence(_ event: HouseEvent, _ period: Period?) -> String {
        let when = formatter.moment(event.at, in: period)
        let target = event.deviceID.flatMap(resolver.device).map { formatter.deviceName($0.name) } ?? lexicon.answerText(.somethingThere)
        switch event.fact {
        case .state(let value):
            let found = event.deviceID.flatMap(resolver.device).flatMap { device in
                device.entities.first { $0.id == event.entityID }.map { DeviceEntity(device: device, entity: $0) }
            }
            var word = lexicon.answerText(.quoted, [.name: String(value.prefix(40))])
            if let found {
                if Danger(found.entity) != nil, ["on", "off"].contains(value) {
                    return lexicon.answerText(
                        value == "on" ? .lineAlarm : .lineClear, [.when: when, .thing: target, .words: self.dangerName(of: found)])
                }
                var entity = found.entity
                entity.state.value = value
                if DeviceCondition.on.holds(value, entity) != nil || DeviceCondition.open.holds(value, entity) != nil {
                    word = self.stateName(DeviceEntity(device: found.device, entity: entity))
                }
            }
            return lexicon.answerText(.lineState, [.when: when, .thing: target, .condition: word])
        case .command(let verb, let status, let refusal):
            let verb = verbPhrase(verb)
            if refusal != nil {
                return lexicon.answerText(
                    .lineRefused,
                    [.when: when, .who: name(ofActor: event.actor) ?? lexicon.answerText(.somebody), .verb: verb, .thing: target])
            }
            let phrase: AnswerSentence =
                switch status {
                case .confirmed: .lineAsked
                case .failed, .expired: .lineFailed
                case .accepted, .dispatching, .unknown: .lineUnclear
                }
            return lexicon.answerText(
                phrase,
                [.when: when, .who: name(ofActor: event.actor) ?? lexicon.answerText(.somebody), .verb: verb, .thing: target])
        case .sighting(let type, let words):
            let place = house.cameras.first { $0.id == event.entityID }.map {
                lexicon.answerText(.ofThing, [.thing: formatter.deviceName($0.name)])
            }
            let what = words.isEmpty ? sightingPhrase(type) : lexicon.answerText(.quoted, [.name: String(words.prefix(200))])
            return lexicon.answerText(.lineSeen, [.when: when, .thing: place ?? "", .words: what])
        case .presence(let isHome):
            return lexicon.answerText(
                isHome ? .lineCame : .lineLeft, [.when: when, .who: name(ofActor: event.actor) ?? lexicon.answerText(.somebody)])
        case .deviceStatus(let status):
            return lexicon.answerText(status == .online ? .lineOnline : .lineOffline, [.when: when, .thing: target])
        }
    }

    func answerSightings(_ type: String?, _ isCount: Bool, _ isLast: Bool, _ question: Question) async throws -> Reply {
        guard visibility.seesEvents else { return unknownReply(.eventsHidden) }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        let period =
            question.period
            ?? (isLast
                ? nil
                : Period(
                    from: now - 86_400, to: now, words: lexicon.answerText(.whenRolling, [.number: "24", .unit: formatter.unit(.hour, 24)])))
        guard let places = try await sightingFilters(of: question.subject, from: period?.from, to: period?.to) else {
            var reply = unknownReply(.noCameraThere)
            let names = house.cameras.map { formatter.deviceName($0.name) }
            if !names.isEmpty { reply.response += " " + answerText(.camerasAre, [.list: formatter.list(names, atMost: 8)]) }
            return reply
        }
        func fits(_ event: HouseEvent) -> Bool {
            guard case .sighting(let seen, _) = event.fact else { return false }
            return type == nil || seen == type || (type == "ring" && DetectionType(rawValue: seen)?.isDoorbellRing == true)
        }
        var fitting: [HouseEvent] = []
        for place in places {
            fitting +=
                isLast
                ? try await actionHistory.latest(place, fits).map { [$0] } ?? []
                : try await actionHistory.all(place).events.filter(fits)
        }
        // If nothing ever detected a person, an empty result means nothing.
        let everywhere = HouseEventFilter(kinds: [.seen], limit: 1)
        if fitting.isEmpty, house.cameras.isEmpty, try await houseHistory.events(everywhere, seenBy: visibility).isEmpty {
            return unknownReply(.noCameraThere)
        }
        var ids: Set<String> = []
        fitting = fitting.filter { ids.insert($0.id).inserted }.sorted { $0.at < $1.at }
        let told = isLast ? fitting.suffix(1) : fitting.suffix(4)
        var reply: Reply
        if fitting.isEmpty {
            reply = Reply(answerText(.sawNothing, [.when: period?.words ?? ""]))
        } else {
            let count =
                isCount || (fitting.count > 4 && !isLast)
                ? answerText(.sawTimes, [.count: countPhrase(fitting.count), .when: period?.words ?? ""]) + " " : ""
            reply = Reply(count + told.map { AnswerFormatter.capitalized(sentence($0, period)) }.joined(separator: " "))
        }
        reply.moreEvents = isLast ? 0 : fitting.count - told.count
        reply.facts = [.count(fitting.count)] + told.map { .event($0.id) } + (isLast ? told.map { .moment($0.at) } : [])
        reply.events = told.map(\.id)
        reply.devices = unique(told.compactMap(\.deviceID))
        return reply
    }

    /// The filters for sightings at the places of a subject; one filter without a place if the subject names none. Nil if no camera and no
    /// bell is there.
    private func sightingFilters(of subject: DeviceReference, from: Date?, to: Date?) async throws -> [HouseEventFilter]? {
        let wanted = HouseEventFilter(kinds: [.seen], from: from, to: to)
        guard !subject.named.isEmpty || !subject.rooms.isEmpty else { return [wanted] }
        let places = resolver.devices(subject)
        // A person at a door is seen by a camera or a bell in the same place, or by one with the door's name.
        let rooms = Set(places.compactMap(\.roomID))
        var (byDevice, byCamera, known) = (wanted, wanted, HouseEventFilter(kinds: [.seen], limit: 1))
        byDevice.devices = Set(
            house.devices.filter { device in places.contains(device) || device.roomID.map(rooms.contains) == true }.map(\.id))
        let names = (places.map(\.name) + resolver.rooms(subject).filter { subject.rooms.contains($0.id) }.map(\.name)).map(NameIndex.words)
        let named = Set(subject.cameras)
        byCamera.entities = Set(
            house.cameras.filter { camera in
                let words = NameIndex.words(camera.name)
                return named.contains(camera.id)
                    || names.contains { !$0.isEmpty && !words.isEmpty && (words.starts(with: $0) || $0.starts(with: words)) }
            }.map(\.id))
        known.devices = byDevice.devices
        let isSeen = try await !houseHistory.events(known, seenBy: visibility).isEmpty
        guard isSeen || byCamera.entities?.isEmpty == false else { return nil }
        return [byDevice, byCamera]
    }

    /// The words for a detection that has no description.
    private func sightingPhrase(_ type: String) -> String {
        guard let type = DetectionType(rawValue: type) else { return answerText(.sawMotion) }
        return switch type {
        case _ where type.isDoorbellRing: answerText(.sawRing)
        case .person: answerText(.sawPerson)
        case .vehicle: answerText(.sawVehicle)
        case .package: answerText(.sawPackage)
        case .animal: answerText(.sawAnimal)
        case .motion: answerText(.sawMotion)
        default: answerText(.quoted, [.name: type.rawValue])
        }
    }

    func answerRefusals(_ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.actors) { return refusal }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        var wanted = HouseEventFilter(kinds: [.asked], from: question.period?.from, to: question.period?.to)
        if !question.subject.isEmpty { wanted.devices = Set(resolver.devices(question.subject).map(\.id)) }
        if case .actors(let keys) = question.actors { wanted.actors = Set(keys) }
        let found = try await actionHistory.all(wanted).events.filter { event in
            guard case .command(_, _, refusal: .some) = event.fact else { return false }
            return matches(question.actors, event.actor)
        }
        let when = question.period?.words ?? ""
        var reply: Reply
        if found.isEmpty {
            reply = Reply(answerText(visibility.seesEverybody ? .nobodyRefused : .youNotRefused, [.when: when]))
        } else {
            let lines = found.suffix(4).map { AnswerFormatter.capitalized(sentence($0, question.period)) }.joined(separator: " ")
            reply = Reply(
                (found.count > 4 ? answerText(.refusedTimes, [.count: countPhrase(found.count), .when: when]) + " " : "") + lines)
        }
        if !visibility.seesEverybody { reply.response += " " + answerText(.othersHidden) }
        reply.facts = [.truth(!found.isEmpty), .count(found.count)] + found.suffix(4).map { .event($0.id) }
        reply.events = found.suffix(4).map(\.id)
        reply.moreEvents = max(found.count - 4, 0)
        reply.devices = unique(found.suffix(4).compactMap(\.deviceID))
        return reply
    }

    // MARK: Lists

    func answerList(_ question: Question) -> Reply {
        let devices = resolver.devices(question.subject)
        let kind = question.subject.kind ?? .device
        guard !devices.isEmpty else {
            return unknownReply(.noSuchKind, [.name: lexicon.word(.singular(kind)), .rest: location(question.subject)])
        }
        let names = formatter.list(devices.map(\.name), atMost: 20)
        let noun = lexicon.word(devices.count == 1 ? .singular(kind) : .plural(kind))
        var reply = Reply(
            answerText(.listOf, [.count: String(devices.count), .name: noun, .rest: location(question.subject), .list: names]))
        reply.facts = [.count(devices.count)] + devices.map { .device($0.id) }
        reply.devices = devices.map(\.id)
        return reply
    }

    func answerRooms(_ question: Question) -> Reply {
        let rooms = resolver.rooms(question.subject)
        guard !rooms.isEmpty else { return unknownReply(.noRooms) }
        var reply = Reply(answerText(.roomsAre, [.list: formatter.list(rooms.map(\.name), atMost: 40), .rest: location(question.subject)]))
        reply.facts = [.count(rooms.count)] + rooms.map { .room($0.id) }
        return reply
    }

    func answerState(_ question: Question) async throws -> Reply {
        if question.subject.named.count == 1, let only = question.subject.named.first, only.count == 1,
            case .entity(let id, let entityID)? = only.first, let device = resolver.device(id)
        {
            return try await answerState(entityID, of: device)
        }
        let devices = resolver.devices(question.subject)
        guard let device = devices.first, devices.count == 1 || !question.subject.named.isEmpty else {
            return devices.isEmpty
                ? unknownReply(.noSuchThing, [.rest: location(question.subject)])
                : devices.count <= 12 ? clarification(back: devices) : unknownReply(.noSense)
        }
        guard devices.count == 1 else { return clarification(back: devices) }
        let enabled = device.entities.filter(\.isEnabled)
        let parts = enabled.filter { $0.state.value != "unknown" }.map { entity -> String in
            if let number = Double(entity.state.value), number.isFinite {
                return lexicon.answerText(.measureOf, [.thing: entity.name, .value: formatter.amount(number, entity.unit)])
            }
            return stateText(DeviceEntity(device: device, entity: entity), saying: entity.state)
        }
        let gone = enabled.filter { $0.lastReport != nil || $0.isAssumed && $0.state.value == "unknown" }
            .map { DeviceEntity(device: device, entity: $0) }
        guard !parts.isEmpty else {
            if !gone.isEmpty {
                var reply = Reply(try await unknownStateText(gone), confidence: 0)
                reply.devices = [device.id]
                return reply
            }
            return unknownReply(.saidNothing, [.thing: formatter.deviceName(device.name)])
        }
        var reply = Reply(answerText(.thingIs, [.thing: formatter.deviceName(device.name), .condition: formatter.list(parts)]))
        if device.status == .offline {
            reply = Reply(
                answerText(
                    .outOfReach,
                    [
                        .thing: formatter.deviceName(device.name),
                        .rest: lexicon.answerText(.itLastSaid, [.condition: formatter.list(parts)]),
                    ]),
                confidence: 0.4)
        } else if !gone.isEmpty {
            reply.response += " " + (try await unknownStateText(gone))
            reply.confidence = 0.6
        }
        reply.facts = [.device(device.id)]
        reply.devices = [device.id]
        reply.events = try await houseHistory.events(HouseEventFilter(devices: [device.id], kinds: [.state], limit: 1), seenBy: visibility)
            .map(\.id)
        return reply
    }

    /// The state of an entity that has a name of its own: "the bedroom temperature".
    private func answerState(_ entityID: String, of device: Device) async throws -> Reply {
        guard let entity = device.entities.first(where: { $0.id == entityID }), let number = Double(entity.state.value), number.isFinite
        else {
            let gone = device.entities.filter { $0.id == entityID && $0.lastReport != nil }.map { DeviceEntity(device: device, entity: $0) }
            if !gone.isEmpty { return Reply(try await unknownStateText(gone), confidence: 0) }
            return unknownReply(.saidNothing, [.thing: formatter.deviceName(device.name)])
        }
        var reply = Reply(
            answerText(.thingIs, [.thing: formatter.deviceName(entity.name), .condition: formatter.amount(number, entity.unit)]))
        if device.status == .offline {
            reply = Reply(
                answerText(
                    .outOfReach,
                    [
                        .thing: formatter.deviceName(device.name),
                        .rest: lexicon.answerText(.itLastSaid, [.condition: formatter.amount(number, entity.unit)]),
                    ]), confidence: 0.4)
        }
        reply.facts = [.number(number, unit: entity.unit, of: device.id)]
        reply.devices = [device.id]
        try await cite(numbersOf: [DeviceEntity(device: device, entity: entity)], in: &reply)
        return reply
    }

    /// A verb in plain words: "turn off".
    func verbPhrase(_ verb: Verb) -> String {
        switch verb {
        case .open: lexicon.word(.imperative(.open))
        case .close: lexicon.word(.imperative(.close))
        case .lock: lexicon.word(.imperative(.lock))
        case .unlock: lexicon.word(.imperative(.unlock))
        case .on: lexicon.word(.imperative(.turn)) + " " + lexicon.word(.power(.on))
        case .off: lexicon.word(.imperative(.turn)) + " " + lexicon.word(.power(.off))
        case .setBrightness, .setTemperature, .setPosition, .setPercentage, .setVolume, .setColor, .setTilt, .setMode, .setPreset,
            .setEffect,
            .setDirection:
            lexicon.word(.imperative(.set))
        case .stop, .press, .play, .pause, .read, .oscillate, .arm, .disarm, .trigger: lexicon.word(.imperative(.use))
        }
    }
}
