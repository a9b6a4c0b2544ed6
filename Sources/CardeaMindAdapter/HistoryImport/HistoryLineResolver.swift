import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// Resolves imported lines against the devices and people of the house.
struct HistoryLineResolver {
    private let devices: [String: Device]
    private let owners: [String: String]
    private let people: [String: String]
    /// Names that several people have.
    private let ambiguous: Set<String>
    private let now: Date

    init(_ picture: HouseSnapshot, at now: Date) {
        self.now = now
        let names = picture.people.map { $0.name.lowercased() }
        ambiguous = Set(names.filter { name in names.count { $0 == name } > 1 })
        devices = Dictionary(picture.devices.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        owners = Dictionary(
            picture.devices.flatMap { device in device.entities.map { ($0.id, device.id) } }, uniquingKeysWith: { first, _ in first })
        // By id, and by the name that another system would know.
        people = Dictionary(
            picture.people.flatMap { person in
                [(String(person.key.dropFirst("person:".count)), person.key), (person.name.lowercased(), person.key)]
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns true if there is an entity with this id, or a person with this name.
    func knows(entity: String) -> Bool { owners[entity] != nil }
    func knows(person: String) -> Bool { people[person.lowercased()] != nil && !ambiguous.contains(person.lowercased()) }

    func record(_ line: HistoryLine) throws(HistoryImportError) -> HistoryRecord {
        // Clocks differ by a little.
        guard line.timestamp <= now.addingTimeInterval(300) else { throw HistoryImportError("timestamp lies in the future") }
        let person = try line.personID.map { id throws(HistoryImportError) in
            if ambiguous.contains(id.lowercased()) { throw HistoryImportError("several people are called \(id): name one by their id") }
            guard let key = people[id] ?? people[id.lowercased()] else {
                throw HistoryImportError("there is nobody called \(id) in this house")
            }
            return key
        }
        if line.kind == "presence" {
            guard let person else { throw HistoryImportError("presence needs a person_id") }
            let isHome = try Self.isHome(line.value)
            return reportedEvent(line, nil, nil, person, .presence(isHome: isHome))
        }
        if line.kind == "event", line.deviceID == nil, line.entityID == nil {
            return reportedEvent(line, nil, nil, person, try Self.sighting(line))
        }
        let (device, entity) = try target(line)
        switch line.kind {
        case "state":
            guard let entity = entity ?? device.entities.first(where: { $0.kind != .sensor }) else {
                throw HistoryImportError("\(device.id) has nothing but sensors; a sensor's kind is what it measures")
            }
            if entity.kind == .sensor { return Self.number(line) == nil ? .ignored : try reading(line, entity) }
            return reportedEvent(line, device, entity, person, .state(try Self.text(line)))
        case "command":
            guard let verb = Verb(requested: try Self.text(line)) else {
                throw HistoryImportError("there is no action \(try Self.text(line))")
            }
            let asked = entity ?? device.entities.first { $0.resolve(verb) != nil }
            return reportedEvent(line, device, asked, person, .command(asked?.resolve(verb) ?? verb, .confirmed, refusal: nil))
        case "status":
            guard let status = DeviceStatus(rawValue: try Self.text(line)) else {
                throw HistoryImportError("a status is online, offline or error")
            }
            return reportedEvent(line, device, nil, nil, .deviceStatus(status))
        case "event": return reportedEvent(line, device, entity, person, try Self.sighting(line))
        default:
            let sensors = device.entities.filter { $0.kind == .sensor && ($0.deviceClass == line.kind || line.kind == "reading") }
            guard let sensor = entity ?? (sensors.count == 1 ? sensors.first : nil) else {
                throw HistoryImportError(
                    sensors.isEmpty
                        ? "\(device.id) measures no \(line.kind)"
                        : "\(device.id) has several sensors of \(line.kind): name one by entity_id")
            }
            return try reading(line, sensor)
        }
    }

    private func target(_ line: HistoryLine) throws(HistoryImportError) -> (Device, Entity?) {
        guard let id = line.deviceID ?? line.entityID.flatMap({ owners[$0] }) else {
            throw HistoryImportError(
                line.entityID.map { "there is no entity \($0) in this house" } ?? "it names no device_id, entity_id or person_id")
        }
        // An entity id in place of a device id is accepted.
        guard let device = devices[id] ?? owners[id].flatMap({ devices[$0] }) else {
            throw HistoryImportError("there is no device \(id) in this house")
        }
        let wanted = line.entityID ?? (devices[id] == nil ? id : nil)
        guard let wanted else { return (device, nil) }
        guard let entity = device.entities.first(where: { $0.id == wanted }) else {
            throw HistoryImportError("\(device.id) has no \(wanted)")
        }
        return (device, entity)
    }

    private func reading(_ line: HistoryLine, _ entity: Entity) throws(HistoryImportError) -> HistoryRecord {
        guard let number = Self.number(line) else {
            throw HistoryImportError("\(entity.id) measures numbers")
        }
        return .reading(.init(entityID: entity.id, at: line.timestamp, value: try Self.convert(number, line.unit, entity)))
    }

    /// Converts a number to the unit in which the house stores it. A number whose unit cannot be converted would be wrong, and is
    /// rejected.
    private static func convert(_ number: Double, _ said: String?, _ entity: Entity) throws(HistoryImportError) -> Double {
        guard let unit = said.map({ Name.cleaned($0, else: "") }), !unit.isEmpty, unit != entity.unit else { return number }
        if let conversion = UnitConversion.conversion(from: unit, deviceClass: entity.deviceClass),
            conversion.unit == entity.unit ?? conversion.unit
        {
            // As many decimal places as present readings have.
            return (conversion.apply(number) * 10_000).rounded() / 10_000
        }
        guard let ours = entity.unit else { return number }
        throw HistoryImportError("\(entity.id) is kept in \(ours), which \(unit) cannot be turned into")
    }

    private static func number(_ line: HistoryLine) -> Double? {
        (line.value.number ?? line.value.string.flatMap { Double($0) }).flatMap { $0.isFinite ? $0 : nil }
    }

    private func reportedEvent(
        _ line: HistoryLine, _ device: Device?, _ entity: Entity?, _ actor: String?, _ fact: HouseEvent.Fact
    ) -> HistoryRecord {
        let event = HouseEvent(
            id: "", at: line.timestamp, deviceID: device?.id, entityID: entity?.id, actor: actor, fact: fact)
        // The same line gives the same event again.
        let source = [
            ReportedHouseEvent.importedPrefix, "\(line.timestamp.milliseconds)", device?.id ?? "", entity?.id ?? "", actor ?? "", line.kind,
            "\(fact)",
        ]
        return .event(ReportedHouseEvent(event, source: source.joined(separator: ":")))
    }

    private static func text(_ line: HistoryLine) throws(HistoryImportError) -> String {
        guard let text = line.value.string, (1...200).contains(text.count) else {
            throw HistoryImportError("the value of \(line.kind) is a text of 1 to 200 characters")
        }
        return text
    }

    /// A sighting by a camera or doorbell: a type such as `doorbell` or `person`, or a sentence, whose words tell its type.
    private static func sighting(_ line: HistoryLine) throws(HistoryImportError) -> HouseEvent.Fact {
        let text = try text(line)
        if let type = DetectionType(rawValue: text.lowercased()), NoticeKind(of: type) != .other {
            return .sighting(type: type.rawValue, words: "")
        }
        let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
        let kinds: [(DetectionType, Set<String>)] = [
            (.ring, ["rang", "rings", "ring", "rung", "doorbell", "bell"]),
            (.package, ["package", "packages", "parcel", "parcels", "delivery"]),
            (.person, ["person", "people", "somebody", "someone", "courier", "visitor", "postman"]),
        ]
        return .sighting(type: kinds.first { !words.isDisjoint(with: $0.1) }?.0.rawValue ?? "other", words: text)
    }

    private static func isHome(_ value: JSONValue) throws(HistoryImportError) -> Bool {
        switch value {
        case true, "home": return true
        case false, "away", "not_home": return false
        default: throw HistoryImportError("presence is home or away")
        }
    }
}
