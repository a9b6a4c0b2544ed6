import CardeaModel
import Foundation

/// What happened, what was seen, what was refused, what was out of reach.
extension Turn {
    func happened(_ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.who) { return refusal }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        let period =
            question.period
            ?? Period(from: clock.moment(clock.day(of: now)), to: now, words: lexicon.word(.time(.today)), isWithinDay: true)
        var wanted = HappeningFilter(from: period.from, to: period.to)
        let isPlace = !question.subject.isEmpty
        if isPlace { wanted.devices = Set(scope.devices(question.subject).map(\.id)) }
        if case .these(let keys) = question.who { wanted.actors = Set(keys) }
        var (all, isWhole) = try await doings.all(wanted)
        if isPlace, sight.seesEvents, let places = try await sightings(of: question.subject, from: period.from, to: period.to) {
            var known = Set(all.map(\.id))
            for place in places { all += try await doings.all(place).happenings.filter { known.insert($0.id).inserted } }
            all.sort { $0.at < $1.at }
        }
        let brief = brieflyLost(all)
        // Sensors that tell a number tell it all day long.
        var asked: [String: (at: Date, verb: Verb)] = [:]
        let telling = all.filter { happening in
            // What was asked for and then was so is one thing, not two.
            if let entity = happening.entityID {
                if case .asked(let verb, .confirmed, _) = happening.fact { asked[entity] = (happening.at, verb) }
                if case .state(let value) = happening.fact, let ask = asked[entity],
                    happening.at.timeIntervalSince(ask.at) < Doings.pairing, HappeningRecords.leads(ask.verb, to: value)
                {
                    // While it moves, it has not come to stand so.
                    if !value.hasSuffix("ing") { asked[entity] = nil }
                    return false
                }
            }
            return isTelling(happening) && !brief.contains(happening.id)
                && (question.who == .guests ? isBy(.guests, happening.actor) : true)
        }
        let told = together(telling)
        var reply: Reply
        var rest = place(question.subject)
        if rest.isEmpty, isPlace {
            let cameras = Set(question.subject.cameras)
            let named = scope.devices(question.subject).map(\.name) + house.cameras.filter { cameras.contains($0.id) }.map(\.name)
            let things = self.telling.list(named.map(self.telling.thing), atMost: 3)
            rest = named.isEmpty ? "" : lexicon.say(.ofThing, [.thing: things])
        }
        if telling.isEmpty, case .these(let keys) = question.who {
            let names = keys.compactMap(name(ofActor:))
            reply = Reply(say(.didNothing, [.who: self.telling.list(names), .when: period.words]))
        } else if telling.isEmpty {
            reply = Reply(say(sight.seesEverybody ? .nothingHappened : .nothingKnown, [.when: period.words, .rest: rest]))
        } else {
            let lines = told.suffix(5).map { line($0, period) }
            let more = told.count > 5 ? say(.happenedMore, [.count: String(told.count), .when: period.words, .rest: rest]) + " " : ""
            reply = Reply(more + lines.map(Telling.capital).joined(separator: " "))
        }
        if !isWhole { reply.confidence = 0.6 }
        let cited = told.suffix(5).flatMap { $0.prefix(Self.cited) }
        reply.findings = [.count(told.count)] + cited.map { .happening($0.id) }
        reply.events = cited.map(\.id)
        reply.moreEvents = max(telling.count - cited.count, 0)
        reply.devices = unique(cited.compactMap(\.deviceID))
        return reply
    }

    private func isTelling(_ happening: Happening) -> Bool {
        guard case .state(let value) = happening.fact else { return true }
        if Double(value) != nil { return false }
        let entity = happening.deviceID.flatMap(scope.device)?.entities.first { $0.id == happening.entityID }
        return entity.map { ![.sensor].contains($0.kind) } ?? true
    }

    /// One happening in a sentence. What others wrote into it is quoted.
    func line(_ happening: Happening, _ period: Period?) -> String {
        let when = telling.moment(happening.at, in: period)
        let thing = happening.deviceID.flatMap(scope.device).map { telling.thing($0.name) } ?? lexicon.say(.somethingThere)
        switch happening.fact {
        case .state(let value):
            let found = happening.deviceID.flatMap(scope.device).flatMap { device in
                device.entities.first { $0.id == happening.entityID }.map { Thing(device: device, entity: $0) }
            }
            var word = lexicon.say(.quoted, [.name: String(value.prefix(40))])
            if let found {
                if Danger(found.entity) != nil, ["on", "off"].contains(value) {
                    return lexicon.say(value == "on" ? .lineAlarm : .lineClear, [.when: when, .thing: thing, .words: self.word(of: found)])
                }
                var entity = found.entity
                entity.state.value = value
                if Condition.on.holds(value, entity) != nil || Condition.open.holds(value, entity) != nil {
                    word = self.word(Thing(device: found.device, entity: entity))
                }
            }
            return lexicon.say(.lineState, [.when: when, .thing: thing, .condition: word])
        case .asked(let verb, let status, let refusal):
            let verb = said(verb)
            if refusal != nil {
                return lexicon.say(
                    .lineRefused, [.when: when, .who: name(ofActor: happening.actor) ?? lexicon.say(.somebody), .verb: verb, .thing: thing])
            }
            let phrase: Phrase =
                switch status {
                case .confirmed: .lineAsked
                case .failed, .expired: .lineFailed
                case .accepted, .dispatching, .unknown: .lineUnclear
                }
            return lexicon.say(
                phrase,
                [.when: when, .who: name(ofActor: happening.actor) ?? lexicon.say(.somebody), .verb: verb, .thing: thing])
        case .seen(let type, let words):
            let place = house.cameras.first { $0.id == happening.entityID }.map { lexicon.say(.ofThing, [.thing: telling.thing($0.name)]) }
            let what = words.isEmpty ? sighting(type) : lexicon.say(.quoted, [.name: String(words.prefix(200))])
            return lexicon.say(.lineSeen, [.when: when, .thing: place ?? "", .words: what])
        case .presence(let isHome):
            return lexicon.say(
                isHome ? .lineCame : .lineLeft, [.when: when, .who: name(ofActor: happening.actor) ?? lexicon.say(.somebody)])
        case .standing(let status): return lexicon.say(status == .online ? .lineOnline : .lineOffline, [.when: when, .thing: thing])
        }
    }

    func seen(_ type: String?, _ isCount: Bool, _ isLast: Bool, _ question: Question) async throws -> Reply {
        guard sight.seesEvents else { return dontKnow(.eventsHidden) }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        let period =
            question.period
            ?? (isLast
                ? nil
                : Period(from: now - 86_400, to: now, words: lexicon.say(.whenRolling, [.number: "24", .unit: telling.unit(.hour, 24)])))
        guard let places = try await sightings(of: question.subject, from: period?.from, to: period?.to) else {
            var reply = dontKnow(.noCameraThere)
            let names = house.cameras.map { telling.thing($0.name) }
            if !names.isEmpty { reply.response += " " + say(.camerasAre, [.list: telling.list(names, atMost: 8)]) }
            return reply
        }
        func fits(_ happening: Happening) -> Bool {
            guard case .seen(let seen, _) = happening.fact else { return false }
            return type == nil || seen == type || (type == "ring" && DetectionType(rawValue: seen)?.isDoorbellRing == true)
        }
        var fitting: [Happening] = []
        for place in places {
            fitting +=
                isLast ? try await doings.latest(place, fits).map { [$0] } ?? [] : try await doings.all(place).happenings.filter(fits)
        }
        // Where nothing ever saw anybody, that nobody was seen says nothing.
        let everywhere = HappeningFilter(kinds: [.seen], limit: 1)
        if fitting.isEmpty, house.cameras.isEmpty, try await recollection.happenings(everywhere, seenBy: sight).isEmpty {
            return dontKnow(.noCameraThere)
        }
        var ids: Set<String> = []
        fitting = fitting.filter { ids.insert($0.id).inserted }.sorted { $0.at < $1.at }
        let told = isLast ? fitting.suffix(1) : fitting.suffix(4)
        var reply: Reply
        if fitting.isEmpty {
            reply = Reply(say(.sawNothing, [.when: period?.words ?? ""]))
        } else {
            let count =
                isCount || (fitting.count > 4 && !isLast)
                ? say(.sawTimes, [.count: times(fitting.count), .when: period?.words ?? ""]) + " " : ""
            reply = Reply(count + told.map { Telling.capital(line($0, period)) }.joined(separator: " "))
        }
        reply.moreEvents = isLast ? 0 : fitting.count - told.count
        reply.findings = [.count(fitting.count)] + told.map { .happening($0.id) } + (isLast ? told.map { .moment($0.at) } : [])
        reply.events = told.map(\.id)
        reply.devices = unique(told.compactMap(\.deviceID))
        return reply
    }

    /// What to look for where a subject says; everywhere, where it says nowhere. Nil where no camera and no bell is there.
    private func sightings(of subject: Subject, from: Date?, to: Date?) async throws -> [HappeningFilter]? {
        let wanted = HappeningFilter(kinds: [.seen], from: from, to: to)
        guard !subject.named.isEmpty || !subject.rooms.isEmpty else { return [wanted] }
        let places = scope.devices(subject)
        // Whoever stands at a door is seen by a camera or a bell in the same place, or by one that bears its name.
        let rooms = Set(places.compactMap(\.roomID))
        var (byDevice, byCamera, known) = (wanted, wanted, HappeningFilter(kinds: [.seen], limit: 1))
        byDevice.devices = Set(
            house.devices.filter { device in places.contains(device) || device.roomID.map(rooms.contains) == true }.map(\.id))
        let names = (places.map(\.name) + scope.rooms(subject).filter { subject.rooms.contains($0.id) }.map(\.name)).map(Names.words)
        let named = Set(subject.cameras)
        byCamera.entities = Set(
            house.cameras.filter { camera in
                let words = Names.words(camera.name)
                return named.contains(camera.id)
                    || names.contains { !$0.isEmpty && !words.isEmpty && (words.starts(with: $0) || $0.starts(with: words)) }
            }.map(\.id))
        known.devices = byDevice.devices
        let isSeen = try await !recollection.happenings(known, seenBy: sight).isEmpty
        guard isSeen || byCamera.entities?.isEmpty == false else { return nil }
        return [byDevice, byCamera]
    }

    /// What was seen, where nobody has put it into words.
    private func sighting(_ type: String) -> String {
        guard let type = DetectionType(rawValue: type) else { return say(.sawMotion) }
        return switch type {
        case _ where type.isDoorbellRing: say(.sawRing)
        case .person: say(.sawPerson)
        case .vehicle: say(.sawVehicle)
        case .package: say(.sawPackage)
        case .animal: say(.sawAnimal)
        case .motion: say(.sawMotion)
        default: say(.quoted, [.name: type.rawValue])
        }
    }

    func refusals(_ question: Question) async throws -> Reply {
        if let refusal = refusal(of: question.who) { return refusal }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        var wanted = HappeningFilter(kinds: [.asked], from: question.period?.from, to: question.period?.to)
        if !question.subject.isEmpty { wanted.devices = Set(scope.devices(question.subject).map(\.id)) }
        if case .these(let keys) = question.who { wanted.actors = Set(keys) }
        let found = try await doings.all(wanted).happenings.filter { happening in
            guard case .asked(_, _, refusal: .some) = happening.fact else { return false }
            return isBy(question.who, happening.actor)
        }
        let when = question.period?.words ?? ""
        var reply: Reply
        if found.isEmpty {
            reply = Reply(say(sight.seesEverybody ? .nobodyRefused : .youNotRefused, [.when: when]))
        } else {
            let lines = found.suffix(4).map { Telling.capital(line($0, question.period)) }.joined(separator: " ")
            reply = Reply((found.count > 4 ? say(.refusedTimes, [.count: times(found.count), .when: when]) + " " : "") + lines)
        }
        if !sight.seesEverybody { reply.response += " " + say(.othersHidden) }
        reply.findings = [.truth(!found.isEmpty), .count(found.count)] + found.suffix(4).map { .happening($0.id) }
        reply.events = found.suffix(4).map(\.id)
        reply.moreEvents = max(found.count - 4, 0)
        reply.devices = unique(found.suffix(4).compactMap(\.deviceID))
        return reply
    }

    // MARK: Lists

    func list(_ question: Question) -> Reply {
        let devices = scope.devices(question.subject)
        let kind = question.subject.kind ?? .device
        guard !devices.isEmpty else { return dontKnow(.noSuchKind, [.name: lexicon.word(.one(kind)), .rest: place(question.subject)]) }
        let names = telling.list(devices.map(\.name), atMost: 20)
        let noun = lexicon.word(devices.count == 1 ? .one(kind) : .many(kind))
        var reply = Reply(
            say(.listOf, [.count: String(devices.count), .name: noun, .rest: place(question.subject), .list: names]))
        reply.findings = [.count(devices.count)] + devices.map { .device($0.id) }
        reply.devices = devices.map(\.id)
        return reply
    }

    func rooms(_ question: Question) -> Reply {
        let rooms = scope.rooms(question.subject)
        guard !rooms.isEmpty else { return dontKnow(.noRooms) }
        var reply = Reply(say(.roomsAre, [.list: telling.list(rooms.map(\.name), atMost: 40), .rest: place(question.subject)]))
        reply.findings = [.count(rooms.count)] + rooms.map { .room($0.id) }
        return reply
    }

    func state(_ question: Question) async throws -> Reply {
        if question.subject.named.count == 1, let only = question.subject.named.first, only.count == 1,
            case .entity(let id, let entityID)? = only.first, let device = scope.device(id)
        {
            return try await state(entityID, of: device)
        }
        let devices = scope.devices(question.subject)
        guard let device = devices.first, devices.count == 1 || !question.subject.named.isEmpty else {
            return devices.isEmpty
                ? dontKnow(.noSuchThing, [.rest: place(question.subject)]) : devices.count <= 12 ? ask(back: devices) : dontKnow(.noSense)
        }
        guard devices.count == 1 else { return ask(back: devices) }
        let enabled = device.entities.filter(\.isEnabled)
        let parts = enabled.filter { $0.state.value != "unknown" }.map { entity -> String in
            if let number = Double(entity.state.value), number.isFinite {
                return lexicon.say(.measureOf, [.thing: entity.name, .value: telling.amount(number, entity.unit)])
            }
            return condition(Thing(device: device, entity: entity), saying: entity.state)
        }
        let gone = enabled.filter { $0.lastReport != nil || $0.isAssumed && $0.state.value == "unknown" }
            .map { Thing(device: device, entity: $0) }
        guard !parts.isEmpty else {
            if !gone.isEmpty {
                var reply = Reply(try await unknown(gone), confidence: 0)
                reply.devices = [device.id]
                return reply
            }
            return dontKnow(.saidNothing, [.thing: telling.thing(device.name)])
        }
        var reply = Reply(say(.thingIs, [.thing: telling.thing(device.name), .condition: telling.list(parts)]))
        if device.status == .offline {
            reply = Reply(
                say(.outOfReach, [.thing: telling.thing(device.name), .rest: lexicon.say(.itLastSaid, [.condition: telling.list(parts)])]),
                confidence: 0.4)
        } else if !gone.isEmpty {
            reply.response += " " + (try await unknown(gone))
            reply.confidence = 0.6
        }
        reply.findings = [.device(device.id)]
        reply.devices = [device.id]
        reply.events = try await recollection.happenings(HappeningFilter(devices: [device.id], kinds: [.state], limit: 1), seenBy: sight)
            .map(\.id)
        return reply
    }

    /// One function of a device that has a name of its own: "the bedroom temperature".
    private func state(_ entityID: String, of device: Device) async throws -> Reply {
        guard let entity = device.entities.first(where: { $0.id == entityID }), let number = Double(entity.state.value), number.isFinite
        else {
            let gone = device.entities.filter { $0.id == entityID && $0.lastReport != nil }.map { Thing(device: device, entity: $0) }
            if !gone.isEmpty { return Reply(try await unknown(gone), confidence: 0) }
            return dontKnow(.saidNothing, [.thing: telling.thing(device.name)])
        }
        var reply = Reply(say(.thingIs, [.thing: telling.thing(entity.name), .condition: telling.amount(number, entity.unit)]))
        if device.status == .offline {
            reply = Reply(
                say(
                    .outOfReach,
                    [
                        .thing: telling.thing(device.name),
                        .rest: lexicon.say(.itLastSaid, [.condition: telling.amount(number, entity.unit)]),
                    ]), confidence: 0.4)
        }
        reply.findings = [.number(number, unit: entity.unit, of: device.id)]
        reply.devices = [device.id]
        try await cite(numbersOf: [Thing(device: device, entity: entity)], in: &reply)
        return reply
    }

    /// A verb as it is spoken: "turn off".
    func said(_ verb: Verb) -> String {
        switch verb {
        case .open: lexicon.word(.base(.open))
        case .close: lexicon.word(.base(.close))
        case .lock: lexicon.word(.base(.lock))
        case .unlock: lexicon.word(.base(.unlock))
        case .on: lexicon.word(.base(.turn)) + " " + lexicon.word(.power(.on))
        case .off: lexicon.word(.base(.turn)) + " " + lexicon.word(.power(.off))
        case .setBrightness, .setTemperature, .setPosition, .setPercentage, .setVolume, .setColor, .setTilt, .setMode, .setPreset,
            .setEffect,
            .setDirection:
            lexicon.word(.base(.set))
        case .stop, .press, .play, .pause, .read, .oscillate, .arm, .disarm, .trigger: lexicon.word(.base(.use))
        }
    }
}
