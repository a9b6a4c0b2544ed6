import CardeaModel
import Foundation

/// Answers which devices are or were out of reach.
extension AnswerBuilder {
    func answerConnectivity(_ isOnline: Bool, _ question: Question) async throws -> Reply {
        let devices = resolver.devices(question.subject)
        guard !devices.isEmpty else { return unknownReply(.noSuchThing, [.rest: location(question.subject)]) }
        let these = devices.filter { isOnline ? $0.status == .online : isOutOfReach($0) }
        var reply: Reply
        if devices.count == 1, let device = devices.first {
            let isThat = !these.isEmpty
            reply = Reply(
                answerText(
                    isThat ? .yes : .no,
                    [
                        .rest: lexicon.answerText(
                            device.status == .online ? .deviceOnline : .deviceOffline, [.thing: formatter.deviceName(device.name)])
                    ]))
            if device.status == .unknown, !isOutOfReach(device) {
                reply = unknownReply(.saidNothing, [.thing: formatter.deviceName(device.name)])
            }
        } else if these.isEmpty {
            reply = Reply(answerText(isOnline ? .noneOnline : .noneOffline, [.rest: location(question.subject)]))
        } else if isOnline, these.count == devices.count {
            reply = Reply(answerText(.allOnline, [.count: String(these.count)]))
        } else {
            reply = Reply(
                answerText(
                    these.count == 1 ? (isOnline ? .deviceOnline : .deviceOffline) : isOnline ? .devicesOnline : .devicesOffline,
                    [.thing: formatter.list(these.map { formatter.deviceName($0.name) }, atMost: 20)]))
        }
        reply.facts = [.truth(!these.isEmpty), .count(these.count)] + these.map { .device($0.id) }
        reply.devices = these.isEmpty && devices.count == 1 ? devices.map(\.id) : these.map(\.id)
        reply.moreEvents = max(these.count - Self.citationLimit, 0)
        for device in these.isEmpty && devices.count == 1 ? devices[...] : these.prefix(Self.citationLimit) {
            let wanted = HouseEventFilter(devices: [device.id], kinds: [.standing], limit: 1)
            reply.events += try await houseHistory.events(wanted, seenBy: visibility).map(\.id)
        }
        return reply
    }

    func answerConnectivityTimes(_ isOnline: Bool, _ question: Question) async throws -> Reply {
        let devices = resolver.devices(question.subject)
        guard !devices.isEmpty else { return unknownReply(.noSuchThing, [.rest: location(question.subject)]) }
        if let forgotten = try await retentionReply(question.period) { return forgotten }
        let wanted = HouseEventFilter(
            devices: Set(devices.map(\.id)), kinds: [.standing], from: question.period?.from, to: question.period?.to)
        let found = try await actionHistory.all(wanted).events.filter { event in
            if case .deviceStatus(let status) = event.fact { isOnline == (status == .online) } else { false }
        }
        let told = question.period == nil ? found.suffix(1) : found.suffix(6)
        var reply =
            told.isEmpty
            ? Reply(
                answerText(
                    isOnline ? .neverOnline : .neverOffline,
                    [
                        .when: question.period?.words ?? "",
                        .thing: devices.count == 1
                            ? formatter.list(devices.map { formatter.deviceName($0.name) }) : lexicon.answerText(.noDevice),
                    ]))
            : Reply(told.map { AnswerFormatter.capitalized(sentence($0, question.period)) }.joined(separator: " "))
        if question.period != nil, found.count > told.count {
            reply.moreEvents = found.count - told.count
            reply.response += " " + answerText(.moreNotTold, [.count: String(reply.moreEvents)])
        }
        reply.facts = [.truth(!told.isEmpty), .count(found.count)] + told.map { .moment($0.at) }
        reply.events = told.map(\.id)
        reply.devices = unique(told.compactMap(\.deviceID))
        return reply
    }

    // MARK: Losses and returns among events

    /// The ids of losses shorter than `DeviceOutage.minimumDuration`, and of the returns that ended them: a restart of the hub loses and
    /// finds every device.
    func briefOutages(_ all: [HouseEvent]) -> Set<String> {
        var (lost, brief): ([String: [HouseEvent]], Set<String>) = ([:], [])
        for event in all {
            guard let device = event.deviceID else { continue }
            switch event.fact {
            case .deviceStatus(.offline), .deviceStatus(.unknown): lost[device, default: []].append(event)
            case .deviceStatus(.online), .deviceStatus(.error), .state:
                guard let losses = lost[device], let first = losses.first else { continue }
                if event.fact.kind == .standing { lost[device] = nil }
                guard event.at.timeIntervalSince(first.at) < DeviceOutage.minimumDuration else { continue }
                brief.formUnion(losses.map(\.id))
                if event.fact == .deviceStatus(.online) { brief.insert(event.id) }
            case .command, .sighting, .presence: continue
            }
        }
        // A device without availability reports is back as soon as it reports its state, which need not be recorded.
        for (device, losses) in lost {
            guard let device = resolver.device(device), device.status == .unknown, !isOutOfReach(device) else { continue }
            brief.formUnion(losses.map(\.id))
        }
        return brief
    }

    /// Groups events for the answer: more than three devices that come or go at one moment share a line.
    func groupedByMoment(_ events: [HouseEvent]) -> [[HouseEvent]] {
        var (groups, latest): ([[HouseEvent]], [Bool: Int]) = ([], [:])
        for event in events {
            guard case .deviceStatus(let status) = event.fact else {
                groups.append([event])
                continue
            }
            let isOnline = status == .online
            if let place = latest[isOnline], let first = groups[place].first,
                event.at.timeIntervalSince(first.at) < Self.groupingInterval
            {
                groups[place].append(event)
            } else {
                latest[isOnline] = groups.count
                groups.append([event])
            }
        }
        return groups.flatMap { group in group.count > 3 ? [group] : group.map { [$0] } }
    }

    /// Seconds within which devices count as coming or going at one moment.
    private static let groupingInterval: TimeInterval = 10

    func sentence(_ group: [HouseEvent], _ period: Period?) -> String {
        guard let first = group.first else { return "" }
        guard group.count > 1, case .deviceStatus(let status) = first.fact else { return sentence(first, period) }
        return lexicon.answerText(
            status == .online ? .linesOnline : .linesOffline,
            [.when: formatter.moment(first.at, in: period), .count: String(group.count)])
    }
}
