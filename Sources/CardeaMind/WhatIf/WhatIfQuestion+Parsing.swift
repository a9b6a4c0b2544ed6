import CardeaModel
import Foundation

extension WhatIfQuestion {
    /// The most days ahead: present weather and habits say little about later.
    static let maximumDaysAhead = 60

    /// - Parameter house: the house as the asker sees it. Everything else is unknown.
    public static func parse(
        _ draft: WhatIfDraft, in house: HouseSnapshot, seenBy sight: AskerVisibility, at now: Date
    ) throws(WhatIfFieldError) -> WhatIfQuestion {
        var metrics = Set<WhatIfMetric>()
        for name in draft.metrics ?? [] {
            guard let metric = WhatIfMetric(rawValue: name) else {
                throw WhatIfFieldError("metrics", "are of \(WhatIfMetric.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            metrics.insert(metric)
        }
        let changes = try WhatIfChange.parse(draft.changes, in: house, seenBy: sight)
        let seconds: TimeInterval
        do { seconds = try WhatIfDuration.seconds(draft.duration) } catch {
            throw WhatIfFieldError("duration", "is no length of time: \(error.text)")
        }
        guard (1...WhatIfMetric.allCases.count).contains(draft.metrics?.count ?? 1) else {
            throw WhatIfFieldError("metrics", "names 1 to \(WhatIfMetric.allCases.count) things that are asked about, or is left out")
        }
        if draft.metrics == nil { metrics = Set(changes.flatMap(\.metrics)) }
        let from = draft.from ?? next(changes.compactMap(\.hours), after: now, in: house.zone)
        guard abs(from.timeIntervalSince(now)) <= Double(maximumDaysAhead) * 86_400 else {
            throw WhatIfFieldError("from", "lies within \(maximumDaysAhead) days of today")
        }
        guard draft.days.map(pastDays.contains) ?? true else {
            throw WhatIfFieldError("days", "are \(pastDays.lowerBound) to \(pastDays.upperBound) of the last, which are decided again")
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
    public static func parse(_ value: JSONValue, in house: HouseSnapshot, seenBy sight: AskerVisibility) throws(WhatIfFieldError)
        -> [WhatIfChange]
    {
        guard case .object(let sections) = value else { throw WhatIfFieldError("changes", "is an object of room, device and access") }
        var changes: [WhatIfChange] = []
        for (name, subjects) in sections.sorted(by: { $0.key < $1.key }) {
            guard let section = Section(rawValue: name) else {
                throw WhatIfFieldError(
                    "changes.\(name.prefix(60))", "is nothing that can be imagined otherwise: room, device and access can")
            }
            guard case .object(let subjects) = subjects else { throw WhatIfFieldError("changes.\(name)", "is an object, by ids") }
            for (subject, fields) in subjects.sorted(by: { $0.key < $1.key }) {
                let reading = ChangeParser(section: section, subject: subject, house: house, visibility: sight)
                guard case .object(let fields) = fields, !fields.isEmpty else {
                    throw WhatIfFieldError(reading.path, "is an object of what is changed, such as {\"\(section.example)\"}")
                }
                changes += try reading.changes(fields)
                guard changes.count <= limit else { throw WhatIfFieldError("changes", "are at most \(limit) at once") }
            }
        }
        guard !changes.isEmpty else { throw WhatIfFieldError("changes", "changes nothing") }
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
        let visibility: AskerVisibility

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
            guard house.rooms.contains(where: { $0.id == subject }) else { throw WhatIfFieldError(path, "is no room of this house") }
            guard field == "temperature" else {
                throw fieldError(field, "is nothing of a room that can be imagined otherwise: temperature is")
            }
            return try temperature(field, value, roomID: subject, hours)
        }

        private func temperature(_ field: String, _ value: JSONValue, roomID: String, _ hours: QuietHours?) throws(WhatIfFieldError)
            -> WhatIfChange
        {
            guard let celsius = value.number, WhatIfChange.temperatures.contains(celsius) else {
                throw fieldError(field, "is a number of °C from 5 to 35")
            }
            return .temperature(roomID: roomID, celsius: celsius, during: hours)
        }

        private func device(_ field: String, _ value: JSONValue, _ hours: QuietHours?) throws(WhatIfFieldError) -> WhatIfChange {
            let device = house.devices.first { $0.id == subject } ?? house.devices.first { $0.entities.contains { $0.id == subject } }
            guard let device else { throw WhatIfFieldError(path, "is no device of this house") }
            switch field {
            case "power":
                guard let isOn = value.bool ?? ["on": true, "off": false][value.string ?? ""] else {
                    throw fieldError(field, "is on or off")
                }
                return .power(deviceID: device.id, isOn: isOn, during: hours)
            case "temperature", "set_temperature", "target_temperature":
                guard let room = device.roomID else { throw WhatIfFieldError(path, "stands in no room, so there is nothing to keep warm") }
                return try temperature(field, value, roomID: room, hours)
            case "is_security_device": return .access(.securityDevice(device.id, try flag(field, value)))
            case "is_guest_accessible": return .access(.guestAccessible(device.id, try flag(field, value)))
            case "watch": return try watch(value, device)
            default: throw fieldError(field, "is nothing of a device that can be imagined otherwise")
            }
        }

        // MARK: Access

        /// Throws unless the subject is a person or guest whom the asker may see. A hidden one is treated like an unknown one.
        private func requireKnownSubject() throws(WhatIfFieldError) {
            let isTold = subject == visibility.key || visibility.seesEverybody || (visibility.seesGuests && subject.hasPrefix("guest:"))
            guard isTold, (house.people + house.guests).contains(where: { $0.key == subject }) else {
                throw WhatIfFieldError(path, "is nobody of this house; one writes person:ID or guest:ID")
            }
        }

        /// - Returns: nil for a value that changes nothing.
        private func access(_ field: String, _ value: JSONValue) throws(WhatIfFieldError) -> AccessReplay.RuleChange? {
            switch field {
            case "role":
                guard let role = value.string.flatMap(Role.init(named:)) else {
                    throw fieldError(field, "is owner, admin, member or guest")
                }
                return .role(of: subject, role)
            case "schedule":
                if value == .null { return .schedule(of: subject, nil) }
                guard let data = try? JSONEncoder().encode(value),
                    let schedule = try? JSONDecoder().decode(WeeklySchedule.self, from: data), schedule.lines.count <= 100
                else { throw fieldError(field, "is null, or lines with days, from and to") }
                return .schedule(of: subject, schedule)
            case "max_uses":
                guard let number = value.number, let limit = Int(exactly: number), (0...1_000_000).contains(limit) else {
                    throw fieldError(field, "is a whole number, 0 for no limit")
                }
                return .useLimit(of: subject, limit)
            case "expires_at": return .expiry(of: subject, value == .null ? nil : try moment(field, value))
            case "revoked": return try flag(field, value) ? .revoked(subject, from: .distantPast) : nil
            case "revoked_at": return .revoked(subject, from: try moment(field, value))
            case "asks_each_time": return .asksEachTime(of: subject, try flag(field, value))
            case "local_only": return .localOnly(of: subject, try flag(field, value))
            default: throw fieldError(field, "is nothing of somebody's access that can be imagined otherwise")
            }
        }

        private func watch(_ value: JSONValue, _ device: Device) throws(WhatIfFieldError) -> WhatIfChange {
            guard device.entities.contains(where: { $0.id == subject }) else {
                throw fieldError("watch", "is of an entity, such as cover.garage, and not of a whole device")
            }
            if value == .null { return .watch(entityID: subject, nil) }
            guard case .object(let parts) = value else { throw fieldError("watch", "is an object, or null for no rule") }
            guard case .array(let said)? = parts["states"], (1...20).contains(said.count),
                Set(said.compactMap(\.string)).count == said.count
            else { throw fieldError("watch.states", "is a list of what it says, each once, such as [\"open\"]") }
            guard let seconds = parts["longer_than"]?.string.flatMap({ try? WhatIfDuration.seconds($0) }) else {
                throw fieldError("watch.longer_than", "is a length of time, such as 10m")
            }
            let rule = WatchRule(
                entityID: subject, words: Set(said.compactMap(\.string)), longerThan: seconds, between: try hours(parts, in: "watch."))
            return .watch(entityID: subject, rule)
        }

        // MARK: Parts

        private func hours(_ fields: [String: JSONValue], in part: String) throws(WhatIfFieldError) -> QuietHours? {
            if section == .access || (fields["from"] == nil && fields["to"] == nil) { return nil }
            guard let from = fields["from"]?.string.flatMap({ TimeOfDay($0) }) else {
                throw fieldError(part + "from", "is a time written HH:MM, and goes with a to")
            }
            guard let to = fields["to"]?.string.flatMap({ TimeOfDay(end: $0) }) else {
                throw fieldError(part + "to", "is a time written HH:MM, and goes with a from")
            }
            return QuietHours(from: from, to: to)
        }

        private func flag(_ field: String, _ value: JSONValue) throws(WhatIfFieldError) -> Bool {
            guard let flag = value.bool else { throw fieldError(field, "is true or false") }
            return flag
        }

        private func moment(_ field: String, _ value: JSONValue) throws(WhatIfFieldError) -> Date {
            let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            guard let text = value.string, text.utf8.count <= 40,
                let moment = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: exact))
            else { throw fieldError(field, "is a moment written 2026-03-29T12:00:00Z") }
            return moment
        }
    }
}
