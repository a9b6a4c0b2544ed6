import CardeaModel
import Foundation

extension WhatIfQuestion {
    /// The most days ahead: present weather and habits say little about later.
    static let maximumDaysAhead = 60

    /// - Parameter house: the house as the requester sees it. Everything else is unknown.
    public static func parse(
        _ draft: WhatIfRequest, in house: HouseSnapshot, seenBy visibility: RequesterVisibility, at now: Date
    ) throws(WhatIfFieldError) -> WhatIfQuestion {
        var metrics = Set<WhatIfMetric>()
        for name in draft.metrics ?? [] {
            guard let metric = WhatIfMetric(rawValue: name) else {
                throw WhatIfFieldError("metrics", "must have only \(WhatIfMetric.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            metrics.insert(metric)
        }
        let changes = try WhatIfChange.parse(draft.changes, in: house, seenBy: visibility)
        let seconds: TimeInterval
        do { seconds = try WhatIfDuration.seconds(draft.duration) } catch {
            throw WhatIfFieldError("duration", "is not valid: \(error.text)")
        }
        guard (1...WhatIfMetric.allCases.count).contains(draft.metrics?.count ?? 1) else {
            throw WhatIfFieldError("metrics", "must have 1 to \(WhatIfMetric.allCases.count) entries. Leave it out for all that apply")
        }
        if draft.metrics == nil { metrics = Set(changes.flatMap(\.metrics)) }
        let from = draft.from ?? next(changes.compactMap(\.hours), after: now, in: house.zone)
        guard abs(from.timeIntervalSince(now)) <= Double(maximumDaysAhead) * 86_400 else {
            throw WhatIfFieldError("from", "must be within \(maximumDaysAhead) days of today")
        }
        guard draft.days.map(pastDays.contains) ?? true else {
            throw WhatIfFieldError("days", "must be from \(pastDays.lowerBound) to \(pastDays.upperBound) past days")
        }
        return WhatIfQuestion(
            scenario: draft.scenario, changes: changes, from: from, duration: seconds, metrics: metrics, days: draft.days)
    }

    /// The default beginning: the beginning of the first of the hours. A change that would begin at once begins with the next full hour,
    /// because the past is known by the hour.
    static func next(_ hours: [QuietHours], after now: Date, in zone: TimeZone) -> Date {
        let next = hours.map { $0.next(after: now, in: zone) }.min() ?? now
        return next > now ? next : Date(timeIntervalSinceReferenceDate: (now.timeIntervalSinceReferenceDate / 3600).rounded(.up) * 3600)
    }
}

extension QuietHours {
    /// The moment itself if it lies within the hours, or the next time they begin.
    func next(after moment: Date, in zone: TimeZone) -> Date {
        if contains(moment, in: zone) { return moment }
        let daily = WeeklySchedule(lines: [.init(days: Set(Weekday.allCases), from: from, to: to)])
        return daily.nextOpening(after: moment, in: zone) ?? moment
    }
}

extension WhatIfChange {
    /// The most changes in one question.
    public static let limit = 32

    /// The metrics that may be asked about this change.
    var metrics: Set<WhatIfMetric> {
        switch self {
        case .temperature: [.energy, .cost, .temperature]
        case .power: [.energy, .cost]
        case .access, .watch: [.access]
        }
    }

    var hours: QuietHours? {
        switch self {
        case .temperature(_, _, let hours), .power(_, _, let hours): hours
        case .access, .watch: nil
        }
    }

    /// Parses the changes that a client sends, by their subject:
    ///
    ///     {"room":   {"living-room": {"temperature": 22, "from": "22:00", "to": "06:00"}},
    ///      "device": {"dryer":       {"power": "off"},
    ///                 "front-door":  {"is_security_device": true},
    ///                 "cover.garage": {"watch": {"states": ["open"], "longer_than": "10m", "from": "22:00", "to": "06:00"}}},
    ///      "access": {"guest:g7":    {"schedule": {"lines": [{"days": ["mon"], "from": "08:00", "to": "18:00"}]}, "max_uses": 3},
    ///                 "person:ben":  {"role": "admin"}}}
    public static func parse(_ value: JSONValue, in house: HouseSnapshot, seenBy visibility: RequesterVisibility) throws(WhatIfFieldError)
        -> [WhatIfChange]
    {
        guard case .object(let sections) = value else { throw WhatIfFieldError("changes", "must be an object with room, device or access") }
        var changes: [WhatIfChange] = []
        for (name, subjects) in sections.sorted(by: { $0.key < $1.key }) {
            guard let section = Section(rawValue: name) else {
                throw WhatIfFieldError(
                    "changes.\(name.prefix(60))", "is not a known section. Use room, device or access")
            }
            guard case .object(let subjects) = subjects else {
                throw WhatIfFieldError("changes.\(name)", "must be an object whose keys are ids")
            }
            for (subject, fields) in subjects.sorted(by: { $0.key < $1.key }) {
                let reading = ChangeParser(section: section, subject: subject, house: house, visibility: visibility)
                guard case .object(let fields) = fields, !fields.isEmpty else {
                    throw WhatIfFieldError(reading.path, "must be an object of changes, such as {\"\(section.example)\"}")
                }
                changes += try reading.changes(fields)
                guard changes.count <= limit else { throw WhatIfFieldError("changes", "must have at most \(limit) changes") }
            }
        }
        guard !changes.isEmpty else { throw WhatIfFieldError("changes", "must have at least one change") }
        return changes
    }

    private enum Section: String {
        case room, device, access

        var example: String {
            switch self {
            case .room: "temperature\": 22, \"from\": \"22:00\", \"to\": \"06:00"
            case .device: "power\": \"off"
            case .access: "expires_at\": \"2026-03-29T12:00:00Z"
            }
        }
    }

    private struct ChangeParser {
        let section: Section
        let subject: String
        let house: HouseSnapshot
        let visibility: RequesterVisibility

        var path: String { "changes.\(section.rawValue).\(subject.prefix(100))" }

        private func fieldError(_ field: String, _ words: String) -> WhatIfFieldError {
            WhatIfFieldError("\(path).\(field.prefix(60))", words)
        }

        func changes(_ fields: [String: JSONValue]) throws(WhatIfFieldError) -> [WhatIfChange] {
            if section == .access { try requireKnownSubject() }
            let hours = try hours(fields, in: "")
            var changes: [WhatIfChange] = []
            for (field, value) in fields.sorted(by: { $0.key < $1.key }) where section == .access || (field != "from" && field != "to") {
                switch section {
                case .room: changes.append(try room(field, value, hours))
                case .device: changes.append(try device(field, value, hours))
                case .access: if let rule = try access(field, value) { changes.append(.access(rule)) }
                }
            }
            return changes
        }

        private func room(_ field: String, _ value: JSONValue, _ hours: QuietHours?) throws(WhatIfFieldError) -> WhatIfChange {
            guard house.rooms.contains(where: { $0.id == subject }) else {
                throw WhatIfFieldError(path, "must be the id of a room of this house")
            }
            guard field == "temperature" else {
                throw fieldError(field, "is not a known change of a room. Use temperature")
            }
            return try temperature(field, value, roomID: subject, hours)
        }

        private func temperature(_ field: String, _ value: JSONValue, roomID: String, _ hours: QuietHours?) throws(WhatIfFieldError)
            -> WhatIfChange
        {
            guard let celsius = value.number, WhatIfChange.temperatures.contains(celsius) else {
                throw fieldError(field, "must be a number of °C from 5 to 35")
            }
            return .temperature(roomID: roomID, celsius: celsius, during: hours)
        }

        private func device(_ field: String, _ value: JSONValue, _ hours: QuietHours?) throws(WhatIfFieldError) -> WhatIfChange {
            let device = house.devices.first { $0.id == subject } ?? house.devices.first { $0.entities.contains { $0.id == subject } }
            guard let device else { throw WhatIfFieldError(path, "must be the id of a device of this house") }
            switch field {
            case "power":
                guard let isOn = value.bool ?? ["on": true, "off": false][value.string ?? ""] else {
                    throw fieldError(field, "must be on or off")
                }
                return .power(deviceID: device.id, isOn: isOn, during: hours)
            case "temperature", "set_temperature", "target_temperature":
                guard let room = device.roomID else {
                    throw WhatIfFieldError(path, "is in no room. Choose a device in a room, or change the room itself")
                }
                return try temperature(field, value, roomID: room, hours)
            case "is_security_device": return .access(.securityDevice(device.id, try flag(field, value)))
            case "is_guest_accessible": return .access(.guestAccessible(device.id, try flag(field, value)))
            case "watch": return try watch(value, device)
            default:
                throw fieldError(
                    field, "is not a known change of a device. Use power, temperature, is_security_device, is_guest_accessible or watch")
            }
        }

        // MARK: Access

        /// Throws unless the subject is a person or guest whom the requester may see. A hidden person or guest is treated like an unknown one.
        private func requireKnownSubject() throws(WhatIfFieldError) {
            let isTold = subject == visibility.key || visibility.seesEverybody || (visibility.seesGuests && subject.hasPrefix("guest:"))
            guard isTold, (house.people + house.guests).contains(where: { $0.key == subject }) else {
                throw WhatIfFieldError(path, "must be a person or guest of this house, as person:ID or guest:ID")
            }
        }

        /// - Returns: nil for a value that changes nothing.
        private func access(_ field: String, _ value: JSONValue) throws(WhatIfFieldError) -> AccessReplay.RuleChange? {
            switch field {
            case "role":
                guard let role = value.string.flatMap(Role.init(named:)) else {
                    throw fieldError(field, "must be owner, admin, member or guest")
                }
                return .role(of: subject, role)
            case "schedule":
                if value == .null { return .schedule(of: subject, nil) }
                guard let data = try? JSONEncoder().encode(value),
                    let schedule = try? JSONDecoder().decode(WeeklySchedule.self, from: data), schedule.lines.count <= 100
                else { throw fieldError(field, "must be null, or lines with days, from and to") }
                return .schedule(of: subject, schedule)
            case "max_uses":
                guard let number = value.number, let limit = Int(exactly: number), (0...1_000_000).contains(limit) else {
                    throw fieldError(field, "must be a whole number from 0 to 1000000; 0 is no limit")
                }
                return .useLimit(of: subject, limit)
            case "expires_at": return .expiry(of: subject, value == .null ? nil : try moment(field, value))
            case "revoked": return try flag(field, value) ? .revoked(subject, from: .distantPast) : nil
            case "revoked_at": return .revoked(subject, from: try moment(field, value))
            case "asks_each_time": return .asksEachTime(of: subject, try flag(field, value))
            case "local_only": return .localOnly(of: subject, try flag(field, value))
            default:
                throw fieldError(
                    field,
                    "is not a known change of access. Use role, schedule, max_uses, expires_at, revoked, revoked_at, asks_each_time or local_only"
                )
            }
        }

        private func watch(_ value: JSONValue, _ device: Device) throws(WhatIfFieldError) -> WhatIfChange {
            guard device.entities.contains(where: { $0.id == subject }) else {
                throw fieldError("watch", "needs an entity id such as cover.garage, not the id of a device")
            }
            if value == .null { return .watch(entityID: subject, nil) }
            guard case .object(let parts) = value else { throw fieldError("watch", "must be an object, or null for no rule") }
            guard case .array(let said)? = parts["states"], (1...20).contains(said.count),
                Set(said.compactMap(\.string)).count == said.count
            else { throw fieldError("watch.states", "must be a list of 1 to 20 different states, such as [\"open\"]") }
            guard let seconds = parts["longer_than"]?.string.flatMap({ try? WhatIfDuration.seconds($0) }) else {
                throw fieldError("watch.longer_than", "must be a duration such as 10m")
            }
            let rule = WatchRule(
                entityID: subject, words: Set(said.compactMap(\.string)), longerThan: seconds, between: try hours(parts, in: "watch."))
            return .watch(entityID: subject, rule)
        }

        // MARK: Parts

        private func hours(_ fields: [String: JSONValue], in part: String) throws(WhatIfFieldError) -> QuietHours? {
            if section == .access || (fields["from"] == nil && fields["to"] == nil) { return nil }
            guard let from = fields["from"]?.string.flatMap({ TimeOfDay($0) }) else {
                throw fieldError(part + "from", "must be a time of day, HH:MM, together with to")
            }
            guard let to = fields["to"]?.string.flatMap({ TimeOfDay(end: $0) }) else {
                throw fieldError(part + "to", "must be a time of day, HH:MM, together with from")
            }
            return QuietHours(from: from, to: to)
        }

        private func flag(_ field: String, _ value: JSONValue) throws(WhatIfFieldError) -> Bool {
            guard let flag = value.bool else { throw fieldError(field, "must be true or false") }
            return flag
        }

        private func moment(_ field: String, _ value: JSONValue) throws(WhatIfFieldError) -> Date {
            let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            guard let text = value.string, text.utf8.count <= 40,
                let moment = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: exact))
            else { throw fieldError(field, "must be a time such as 2026-03-29T12:00:00Z") }
            return moment
        }
    }
}
