import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// Fills a house's past with what others have written down of it.
public struct PastImport: Sendable {
    private let readings: Readings
    private let memory: Remembering
    private let people: People
    private let house: PastHouse

    /// What was done, and what could not be.
    public struct Report: Sendable {
        public var lines = 0
        public var readings = 0
        public var happenings = 0
        /// Lines that could not be taken in: their number, and why. The first hundred.
        public var problems: [(line: Int, words: String)] = []
        public var refused = 0
    }

    private static let batch = 2_000

    /// - Parameter now: what lies after it is not taken for the past.
    public init(readings: Readings, memory: Remembering, people: People, house: HousePicture, at now: Date) {
        self.readings = readings
        self.memory = memory
        self.people = people
        self.house = PastHouse(house, at: now)
    }

    /// Takes in JSON lines. A line that cannot be taken is told of, and the others are taken all the same; taken again, nothing is there twice, nor is
    /// what the house has on record itself.
    ///
    /// - Parameter progress: told now and then how many lines were read.
    public func lines(_ lines: some Sequence<String>, progress: (Int) -> Void = { _ in }) async throws -> Report {
        let decoder = JSONDecoder()
        var report = Report()
        try await begin()
        var (batch, told): ([NumberedLine], [ToldHappening]) = ([], [])
        for (index, text) in lines.enumerated() where !text.allSatisfy(\.isWhitespace) {
            batch.append((index + 1, Result { try decoder.decode(PastLine.self, from: Data(text.utf8)) }.mapError(Self.words)))
            guard batch.count >= Self.batch else { continue }
            told += try await take(batch, into: &report)
            progress(report.lines)
            batch = []
        }
        told += try await take(batch, into: &report)
        try await end(with: told, in: &report)
        return report
    }

    /// Takes in what a Home Assistant has recorded of the things that this house knows by the same entity ids, and of its people by name.
    public func recorder(at file: URL, progress: (Int) -> Void = { _ in }) async throws -> Report {
        let recorder = try RecorderFile(at: file)
        var report = Report()
        var told: [ToldHappening] = []
        try await begin()
        while let batch = try await recorder.next(Self.batch, of: house) {
            told += try await take(batch, into: &report)
            progress(report.lines)
        }
        try await end(with: told, in: &report)
        return report
    }

    /// What the house has on record itself is remembered first: of what both tell, its own words are kept.
    private func begin() async throws {
        try await memory.catchUp()
        try await memory.unlearn()
    }

    typealias NumberedLine = (number: Int, line: Result<PastLine, PastProblem>)

    /// - Returns: what happened, which is remembered once all of it is there.
    private func take(_ lines: [NumberedLine], into report: inout Report) async throws -> [ToldHappening] {
        var (read, told): ([Readings.Past], [ToldHappening]) = ([], [])
        for (number, line) in lines {
            report.lines += 1
            do throws(PastProblem) {
                switch try house.fact(try line.get()) {
                case .reading(let reading): read.append(reading)
                case .happening(let happening): told.append(happening)
                case .nothing: break
                }
            } catch {
                report.refused += 1
                if report.problems.count < 100 { report.problems.append((number, error.words)) }
            }
        }
        report.readings += try await readings.take(read)
        return told
    }

    /// What happened is remembered in the order in which it did, whatever the one is in which it is told: by what comes after it one sees whether it
    /// is on record already.
    private func end(with told: [ToldHappening], in report: inout Report) async throws {
        report.happenings = try await memory.take(told.sorted { $0.happening.at < $1.happening.at })
        try await people.bring(Self.presences(told))
        try await readings.settle()
    }

    /// How everybody stood last, by their id.
    private static func presences(_ told: [ToldHappening]) -> [String: Person.Presence] {
        var last: [String: Person.Presence] = [:]
        for happening in told.map(\.happening) {
            guard case .presence(let isHome) = happening.fact, let actor = happening.actor, actor.hasPrefix("person:") else { continue }
            let id = String(actor.dropFirst("person:".count))
            if last[id].map({ $0.since <= happening.at }) ?? true { last[id] = Person.Presence(isHome: isHome, since: happening.at) }
        }
        return last
    }

    private static func words(_ error: any Error) -> PastProblem {
        switch error {
        case DecodingError.keyNotFound(let key, _): PastProblem("\(key.stringValue) is missing")
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            PastProblem("\(context.codingPath.map(\.stringValue).joined(separator: ".")) is of another kind than it should be")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            PastProblem("\(context.codingPath.map(\.stringValue).joined(separator: ".")) \(context.debugDescription)")
        default: PastProblem("it is no line of JSON")
        }
    }
}
