import CardeaModel
import Foundation

/// The hourly readings that an answer is based on. They are stored once, with the readings: the id alone says which they are, and every
/// requester who may see the sensor can open them by it.
struct ReadingEvidence: Hashable, Sendable {
    static let prefix = "readings_"
    /// More hours than are kept for any sensor.
    private static let maximumHours = 1_000_000

    let entityID: String
    /// Hours since 1970.
    private let first: Int
    private let count: Int

    var from: Date { Date(timeIntervalSince1970: Double(first) * 3600) }
    /// Exclusive.
    var to: Date { from + Double(count) * 3600 }
    /// The id by which an answer cites it.
    var id: String { "\(Self.prefix)\(entityID)_\(first)_\(count)" }

    /// From the first to the last of these hours, which are in order; nil if there are none.
    init?(of entityID: String, _ hours: [HourlyReading]) {
        guard let first = hours.first?.hour, let last = hours.last?.hour else { return nil }
        self.entityID = entityID
        self.first = Int(first.timeIntervalSince1970) / 3600
        count = Int(last.timeIntervalSince(first)) / 3600 + 1
    }

    /// Nil if `id` is not the id of hourly readings.
    init?(memoryID id: String) {
        guard id.hasPrefix(Self.prefix) else { return nil }
        let parts = id.dropFirst(Self.prefix.count).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count > 2, let first = Int(parts[parts.count - 2]), let count = parts.last.flatMap({ Int($0) }),
            (0...Self.maximumHours * 10).contains(first), (1...Self.maximumHours).contains(count)
        else { return nil }
        entityID = parts.dropLast(2).joined(separator: "_")
        (self.first, self.count) = (first, count)
    }
}

extension Memory {
    /// - Parameter text: the sentence, made for an requester who may see the sensor.
    init(of evidence: ReadingEvidence, _ hours: [HourlyReading], text: String, device: Device) {
        self.init(
            id: evidence.id, createdAt: evidence.from, type: .episodic, category: "readings", importance: 0.2, title: device.name,
            content: text, details: ["entity_id": .string(evidence.entityID), "hours": .number(Double(hours.count))], source: .sensor,
            relatedDevices: [device.id])
    }
}

extension AnswerBuilder {
    /// Describes a sensor's readings in these hours.
    func describeReadings(_ evidence: ReadingEvidence, _ hours: [HourlyReading]) -> (text: String, device: Device)? {
        let device = house.devices.first { $0.entities.contains { $0.id == evidence.entityID } }
        guard let device, let entity = device.entities.first(where: { $0.id == evidence.entityID }), let first = hours.first,
            let last = hours.last, let low = hours.map(\.low).min(), let high = hours.map(\.high).max(), let mean = hours.meanOverTime()
        else { return nil }
        let list: String
        if EnergyMetering(entity, of: device)?.quantity == .total {
            list = lexicon.answerText(
                .fromTo, [.from: formatter.amount(first.first, entity.unit), .to: formatter.amount(last.last, entity.unit)])
        } else {
            list = lexicon.answerText(
                .betweenValues,
                [
                    .from: formatter.number(low, in: entity.unit), .to: formatter.amount(high, entity.unit),
                    .value: formatter.amount(mean, entity.unit),
                ])
        }
        let more = Int(last.hour.timeIntervalSince(first.hour)) / 3600
        let values: [Placeholder: String] = [
            .when: formatter.moment(first.hour), .thing: formatter.deviceName(device.entities.count > 1 ? entity.name : device.name),
            .list: list,
            .count: String(more),
        ]
        return (AnswerFormatter.capitalized(lexicon.answerText(more == 0 ? .lineReading : .lineReadings, values)), device)
    }
}
