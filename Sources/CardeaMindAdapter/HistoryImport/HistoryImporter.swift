import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// Imports a house's history from other systems' records.
public struct HistoryImporter: Sendable {
    private let readings: Readings
    private let eventStore: HouseEventStore
    private let people: People
    private let resolver: HistoryLineResolver

    /// The result of an import: lines imported and lines rejected.
    public struct Report: Sendable {
        public var lines = 0
        public var readings = 0
        public var events = 0
        /// Lines that could not be imported: number and reason. The first hundred.
        public var problems: [(line: Int, words: String)] = []
        public var refused = 0
    }

    private static let batchSize = 2_000

    /// - Parameter now: later lines are not imported.
    public init(readings: Readings, memory: HouseEventStore, people: People, house: HouseSnapshot, at now: Date) {
        self.readings = readings
        self.eventStore = memory
        self.people = people
        self.resolver = HistoryLineResolver(house, at: now)
    }

    /// Imports JSON lines. A line that cannot be imported is reported, and the others are imported all the same. Repeating an import adds
    /// nothing twice, nor does it repeat the house's own records.
    ///
    /// - Parameter progress: called now and then with the number of lines read.
    public func importLines(_ lines: some Sequence<String>, progress: (Int) -> Void = { _ in }) async throws -> Report {
        let decoder = JSONDecoder()
        var report = Report()
        try await prepare()
        var (batch, events): ([NumberedLine], [ReportedHouseEvent]) = ([], [])
        for (index, text) in lines.enumerated() where !text.allSatisfy(\.isWhitespace) {
            batch.append((index + 1, Result { try decoder.decode(HistoryLine.self, from: Data(text.utf8)) }.mapError(Self.error)))
            guard batch.count >= Self.batchSize else { continue }
            events += try await importBatch(batch, into: &report)
            progress(report.lines)
            batch = []
        }
        events += try await importBatch(batch, into: &report)
        try await finish(with: events, in: &report)
        return report
    }

    /// Imports a Home Assistant recording: entities that this house knows by the same ids, and people by name.
    public func importRecorder(at file: URL, progress: (Int) -> Void = { _ in }) async throws -> Report {
        let recorder = try HomeAssistantRecorderFile(at: file)
        var report = Report()
        var events: [ReportedHouseEvent] = []
        try await prepare()
        while let batch = try await recorder.next(Self.batchSize, of: resolver) {
            events += try await importBatch(batch, into: &report)
            progress(report.lines)
        }
        try await finish(with: events, in: &report)
        return report
    }

    /// Reads the house's own events first, since they take precedence over imported ones, and requests relearning.
    private func prepare() async throws {
        try await eventStore.catchUp()
        try await eventStore.requestRelearning()
    }

    typealias NumberedLine = (number: Int, line: Result<HistoryLine, HistoryImportError>)

    /// - Returns: the events, which are stored once all of them are read.
    private func importBatch(_ lines: [NumberedLine], into report: inout Report) async throws -> [ReportedHouseEvent] {
        var (read, events): ([Readings.ImportedReading], [ReportedHouseEvent]) = ([], [])
        for (number, line) in lines {
            report.lines += 1
            do throws(HistoryImportError) {
                switch try resolver.record(try line.get()) {
                case .reading(let reading): read.append(reading)
                case .event(let event): events.append(event)
                case .ignored: break
                }
            } catch {
                report.refused += 1
                if report.problems.count < 100 { report.problems.append((number, error.message)) }
            }
        }
        report.readings += try await readings.importReadings(read)
        return events
    }

    /// Imports events in the order in which they happened, whatever their order in the file: the following events show if one is already
    /// on record.
    private func finish(with events: [ReportedHouseEvent], in report: inout Report) async throws {
        report.events = try await eventStore.importEvents(events.sorted { $0.event.at < $1.event.at })
        try await people.importPresences(Self.lastPresences(events))
        try await readings.condenseImported()
    }

    /// The last known presence of every person, by id.
    private static func lastPresences(_ events: [ReportedHouseEvent]) -> [String: Person.Presence] {
        var last: [String: Person.Presence] = [:]
        for event in events.map(\.event) {
            guard case .presence(let isHome) = event.fact, let actor = event.actor, actor.hasPrefix("person:") else { continue }
            let id = String(actor.dropFirst("person:".count))
            if last[id].map({ $0.since <= event.at }) ?? true { last[id] = Person.Presence(isHome: isHome, since: event.at) }
        }
        return last
    }

    private static func error(_ error: any Error) -> HistoryImportError {
        switch error {
        case DecodingError.keyNotFound(let key, _): HistoryImportError("\(key.stringValue) is missing")
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            HistoryImportError("\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of the wrong type")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            HistoryImportError("\(context.codingPath.map(\.stringValue).joined(separator: ".")) \(context.debugDescription)")
        default: HistoryImportError("it is no line of JSON")
        }
    }
}
