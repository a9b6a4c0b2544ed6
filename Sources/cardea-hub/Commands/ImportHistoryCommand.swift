import ArgumentParser
import CardeaHub
import CardeaMind
import CardeaSecurity
import CardeaMindAdapter
import CardeaStore
import Foundation
import Logging

struct ImportHistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-history",
        abstract: "Import history from a file or from Home Assistant.",
        discussion: """
            FILE has one JSON object on each line, or is the recorder database of Home Assistant (home-assistant_v2.db).

            {"timestamp": "2026-11-20T19:04:00Z", "device_id": "back-door", "kind": "state", "value": "unlocked"}
            {"timestamp": "2026-11-20T19:03:58Z", "device_id": "back-door", "person_id": "ada", "kind": "command", "value": "unlock"}
            {"timestamp": "2026-11-20T19:00:00Z", "device_id": "hall-sensor", "kind": "temperature", "value": 20.5}
            {"timestamp": "2026-11-20T18:50:00Z", "person_id": "ada", "kind": "presence", "value": "home"}

            Other kinds are status (online, offline) and event (an event of a camera or doorbell: doorbell, person, package, or your own
            word). A number can have a "unit" (°F, Wh, kW, …) and is converted; a number without one is in the house's own unit. Devices,
            entities and people must exist in the house. Existing entries are skipped, so you can run an interrupted import again. Stop the
            hub first. Exits 1 if some lines were refused; all others are imported.
            """)

    @Argument(
        help: ArgumentHelp(
            "A file with JSON lines, or the recorder database of Home Assistant; - reads JSON lines from standard input.", valueName: "file"
        ))
    var file: String

    @Option(help: ArgumentHelp("The folder of the house.", valueName: "folder"))
    var data = "./house"

    @OptionGroup(title: "House key")
    var key: KeyOptions

    @Flag(help: "Print one line of JSON: lines, readings, happenings, refused, problems.")
    var json = false

    func run() async throws {
        guard FileManager.default.fileExists(atPath: URL(filePath: data).appending(path: "house.sqlite").path) else {
            throw ValidationError("There is no house in \(data).")
        }
        let source = try source()
        let folder = try HouseFolder(at: data)
        try Store.requireCurrent(in: folder.url)
        let store = try Store(folder: folder.url)
        let sealing = try await key.keys(of: folder, store).open(from: key.keyFrom).sealing
        var logger = Logger(label: "cardea-hub") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let hub = try await Hub(store: store, sealing: sealing, logger: logger)
        let houseReader = HubHouseReader(hub.mindFeed)
        let memory = HouseEventStore(store: store, houseReader: houseReader, now: hub.environment.now)
        let past = HistoryImporter(
            readings: hub.readings, memory: memory, people: hub.people, house: try await houseReader.house(), at: hub.environment.now())
        let isShown = !json && isatty(STDERR_FILENO) == 1
        func progress(_ lines: Int) {
            if isShown { FileHandle.standardError.write(Data("\r\(lines) lines read".utf8)) }
        }
        let report =
            switch source {
            case .lines(let lines): try await past.importLines(lines, progress: progress)
            case .file(let lines): try await past.importLines(lines, progress: progress)
            case .recorder(let url): try await past.importRecorder(at: url, progress: progress)
            }
        if isShown { FileHandle.standardError.write(Data("\r".utf8)) }
        try store.close()
        try printReport(report)
        if case .file(let lines) = source, let failure = lines.failure {
            throw ValidationError("The file could not be read to its end: \(failure). Run the import again.")
        }
        withExtendedLifetime(folder) {}
        if report.refused > 0 { throw ExitCode.failure }
    }

    private enum Source {
        case lines(AnySequence<String>)
        case file(LineReader)
        case recorder(URL)
    }

    private func source() throws -> Source {
        if file == "-" { return .lines(AnySequence { AnyIterator { readLine() } }) }
        let url = URL(filePath: file)
        guard let handle = try? FileHandle(forReadingFrom: url) else { throw ValidationError("The file \(file) cannot be read.") }
        if try SQLiteSignature.matches(handle) { return .recorder(url) }
        try handle.seek(toOffset: 0)
        // Some editors add a byte order mark.
        if try handle.read(upToCount: 3) != Data([0xEF, 0xBB, 0xBF]) { try handle.seek(toOffset: 0) }
        return .file(LineReader(handle))
    }

    private func printReport(_ report: HistoryImporter.Report) throws {
        let problems = report.problems.map { "line \($0.line): \($0.words)" }
        if json {
            let answer = ImportReport(
                lines: report.lines, readings: report.readings, happenings: report.events, refused: report.refused, problems: problems)
            print(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
            return
        }
        print("\(report.lines) lines: \(report.readings) new readings and \(report.events) new events.")
        guard report.refused > 0 else { return }
        print("\(report.refused) lines were refused:")
        for problem in problems.prefix(20) { print("  \(problem)") }
        if report.refused > 20 { print("  and \(report.refused - 20) more; --json lists up to 100") }
    }

    private struct ImportReport: Encodable {
        let lines: Int
        let readings: Int
        let happenings: Int
        let refused: Int
        let problems: [String]
    }
}
