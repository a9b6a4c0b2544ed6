import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// Fills a house's past with what others have written down of it.
public struct HistoryImporter: Sendable {
    private let readings: Readings
    private let eventStore: HouseEventStore
    private let people: People
    private let resolver: HistoryLineResolver

    /// What was done, and what could not be.
    public struct Report: Sendable {
        public var lines = 0
        public var readings = 0
        public var events = 0
        /// Lines that could not be taken in: their number, and why. The first hundred.
        public var problems: [(line: Int, words: String)] = []
        public var refused = 0
    }

    private static let batchSize = 2_000

    /// - Parameter now: what lies after it is not taken for the past.
    public init(readings: Readings, memory: HouseEventStore, people: People, house: HouseSnapshot, at now: Date) {
        self.readings = readings
        self.eventStore = memory
        self.people = people
        self.resolver = HistoryLineResolver(house, at: now)
    }

    /// Takes in JSON lines. A line that cannot be taken is told of, and the others are taken all the same; taken again, nothing is there twice, nor is
    /// what the house has on record itself.
    ///
    /// - Parameter progress: told now and then how many lines were read.
    public func importLines(_ lines: some Sequence<String>, progress: (Int) -> Void = { _ in }) async throws -> Report {
        let decoder = JSONDecoder()
        var report = Report()
        try await prepare()
        var (batch, told): ([NumberedLine], [ReportedHouseEvent]) = ([], [])
        for (index, text) in lines.enumerated() where !text.allSatisfy(\.isWhitespace) {
            batch.append((index + 1, Result { try decoder.decode(HistoryLine.self, from: Data(text.utf8)) }.mapError(Self.error)))
            guard batch.count >= Self.batchSize else { continue }
            told += try await importBatch(batch, into: &report)
            progress(report.lines)
            batch = []
        }
        told += try await importBatch(batch, into: &report)
        try await finish(with: told, in: &report)
        return report
    }

    /// Takes in what a Home Assistant has recorded of the things that this house knows by the same entity ids, and of its people by name.
    public func importRecorder(at file: URL, progress: (Int) -> Void = { _ in }) async throws -> Report {
        let recorder = try HomeAssistantRecorderFile(at: file)
        var report = Report()
        var told: [ReportedHouseEvent] = []
        try await prepare()
        while let batch = try await recorder.next(Self.batchSize, of: resolver) {
            told += try await importBatch(batch, into: &report)
            progress(report.lines)
        }
        try await finish(with: told, in: &report)
        return report
    }

    /// What the house has on record itself is remembered first: of what both tell, its own words are kept.
    private func prepare() async throws {
        try await eventStore.catchUp()
        try await eventStore.requestRelearning()
    }

    typealias NumberedLine = (number: Int, line: Result<HistoryLine, HistoryImportError>)

    /// - Returns: what happened, which is remembered once all of it is there.
    private func importBatch(_ lines: [NumberedLine], into report: inout Report) async throws -> [ReportedHouseEvent] {
        var (read, told): ([Readings.ImportedReading], [ReportedHouseEvent]) = ([], [])
        for (number, line) in lines {
            report.lines += 1
            do throws(HistoryImportError) {
                switch try resolver.record(try line.get()) {
                case .reading(let reading): read.append(reading)
                case .event(let happening): told.append(happening)
                case .ignored: break
                }
            } catch {
                report.refused += 1
                if report.problems.count < 100 { report.problems.append((number, error.message)) }
            }
        }
        report.readings += try await readings.importReadings(read)
        return told
    }

    /// What happened is remembered in the order in which it did, whatever the one is in which it is told: by what comes after it one sees whether it
    /// is on record already.
    private func finish(with told: [ReportedHouseEvent], in report: inout Report) async throws {
        report.events = try await eventStore.importEvents(told.sorted { $0.event.at < $1.event.at })
        try await people.importPresences(Self.lastPresences(told))
        try await readings.condenseImported()
    }

    /// How everybody stood last, by their id.
    private static func lastPresences(_ told: [ReportedHouseEvent]) -> [String: Person.Presence] {
        var last: [String: Person.Presence] = [:]
        for happening in told.map(\.event) {
            guard case .presence(let isHome) = happening.fact, let actor = happening.actor, actor.hasPrefix("person:") else { continue }
            let id = String(actor.dropFirst("person:".count))
            if last[id].map({ $0.since <= happening.at }) ?? true { last[id] = Person.Presence(isHome: isHome, since: happening.at) }
        }
        return last
    }

    private static func error(_ error: any Error) -> HistoryImportError {
        switch error {
        case DecodingError.keyNotFound(let key, _): HistoryImportError("\(key.stringValue) is missing")
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            HistoryImportError("\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another kind than it should be")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            HistoryImportError("\(context.codingPath.map(\.stringValue).joined(separator: ".")) \(context.debugDescription)")
        default: HistoryImportError("it is no line of JSON")
        }
    }
}
