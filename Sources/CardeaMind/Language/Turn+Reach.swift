import CardeaModel
import Foundation

/// Devices in reach and out of it, now and in a time.
extension Turn {
    func standing(_ isOnline: Bool, _ question: Question) async throws -> Reply {
        let devices = scope.devices(question.subject)
        guard !devices.isEmpty else { return dontKnow(.noSuchThing, [.rest: place(question.subject)]) }
        let these = devices.filter { isOnline ? $0.status == .online : isOutOfReach($0) }
        var reply: Reply
        if devices.count == 1, let device = devices.first {
            let isThat = !these.isEmpty
            reply = Reply(
                say(
                    isThat ? .yes : .no,
                    [.rest: lexicon.say(device.status == .online ? .deviceOnline : .deviceOffline, [.thing: telling.thing(device.name)])]))
            if device.status == .unknown, !isOutOfReach(device) { reply = dontKnow(.saidNothing, [.thing: telling.thing(device.name)]) }
        } else if these.isEmpty {
            reply = Reply(say(isOnline ? .noneOnline : .noneOffline, [.rest: place(question.subject)]))
        } else if isOnline, these.count == devices.count {
            reply = Reply(say(.allOnline, [.count: String(these.count)]))
        } else {
            reply = Reply(
                say(
                    these.count == 1 ? (isOnline ? .deviceOnline : .deviceOffline) : isOnline ? .devicesOnline : .devicesOffline,
                    [.thing: telling.list(these.map { telling.thing($0.name) }, atMost: 20)]))
        }
        reply.findings = [.truth(!these.isEmpty), .count(these.count)] + these.map { .device($0.id) }
        reply.devices = these.isEmpty && devices.count == 1 ? devices.map(\.id) : these.map(\.id)
        reply.moreEvents = max(these.count - Self.cited, 0)
        for device in these.isEmpty && devices.count == 1 ? devices[...] : these.prefix(Self.cited) {
            let wanted = HappeningFilter(devices: [device.id], kinds: [.standing], limit: 1)
            reply.events += try await recollection.happenings(wanted, seenBy: sight).map(\.id)
        }
        return reply
    }

    func whenStanding(_ isOnline: Bool, _ question: Question) async throws -> Reply {
        let devices = scope.devices(question.subject)
        guard !devices.isEmpty else { return dontKnow(.noSuchThing, [.rest: place(question.subject)]) }
        if let forgotten = try await forgotten(question.period) { return forgotten }
        let wanted = HappeningFilter(
            devices: Set(devices.map(\.id)), kinds: [.standing], from: question.period?.from, to: question.period?.to)
        let found = try await doings.all(wanted).happenings.filter { happening in
            if case .standing(let status) = happening.fact { isOnline == (status == .online) } else { false }
        }
        let told = question.period == nil ? found.suffix(1) : found.suffix(6)
        var reply =
            told.isEmpty
            ? Reply(
                say(
                    isOnline ? .neverOnline : .neverOffline,
                    [
                        .when: question.period?.words ?? "",
                        .thing: devices.count == 1 ? telling.list(devices.map { telling.thing($0.name) }) : lexicon.say(.noDevice),
                    ]))
            : Reply(told.map { Telling.capital(line($0, question.period)) }.joined(separator: " "))
        if question.period != nil, found.count > told.count {
            reply.moreEvents = found.count - told.count
            reply.response += " " + say(.moreNotTold, [.count: String(reply.moreEvents)])
        }
        reply.findings = [.truth(!told.isEmpty), .count(found.count)] + told.map { .moment($0.at) }
        reply.events = told.map(\.id)
        reply.devices = unique(told.compactMap(\.deviceID))
        return reply
    }

    // MARK: Losses and returns among what happened

    /// Losses that were over within `Gap.shortest`, and the returns that ended them: a start of the hub loses and finds every device.
    func brieflyLost(_ all: [Happening]) -> Set<String> {
        var (lost, brief): ([String: [Happening]], Set<String>) = ([:], [])
        for happening in all {
            guard let device = happening.deviceID else { continue }
            switch happening.fact {
            case .standing(.offline), .standing(.unknown): lost[device, default: []].append(happening)
            case .standing(.online), .standing(.error), .state:
                guard let losses = lost[device], let first = losses.first else { continue }
                if happening.fact.kind == .standing { lost[device] = nil }
                guard happening.at.timeIntervalSince(first.at) < Gap.shortest else { continue }
                brief.formUnion(losses.map(\.id))
                if happening.fact == .standing(.online) { brief.insert(happening.id) }
            case .asked, .seen, .presence: continue
            }
        }
        // A device whose reach nobody hears of is back by its reports, which need not be on record.
        for (device, losses) in lost {
            guard let device = scope.device(device), device.status == .unknown, !isOutOfReach(device) else { continue }
            brief.formUnion(losses.map(\.id))
        }
        return brief
    }

    /// The same by the lines in which it is told: more than three devices that come or go at one moment are one.
    func together(_ happenings: [Happening]) -> [[Happening]] {
        var (groups, latest): ([[Happening]], [Bool: Int]) = ([], [:])
        for happening in happenings {
            guard case .standing(let status) = happening.fact else {
                groups.append([happening])
                continue
            }
            let isOnline = status == .online
            if let place = latest[isOnline], let first = groups[place].first, happening.at.timeIntervalSince(first.at) < Self.atOnce {
                groups[place].append(happening)
            } else {
                latest[isOnline] = groups.count
                groups.append([happening])
            }
        }
        return groups.flatMap { group in group.count > 3 ? [group] : group.map { [$0] } }
    }

    /// Seconds within which devices come or go at one moment.
    private static let atOnce: TimeInterval = 10

    func line(_ group: [Happening], _ period: Period?) -> String {
        guard let first = group.first else { return "" }
        guard group.count > 1, case .standing(let status) = first.fact else { return line(first, period) }
        return lexicon.say(
            status == .online ? .linesOnline : .linesOffline,
            [.when: telling.moment(first.at, in: period), .count: String(group.count)])
    }
}
