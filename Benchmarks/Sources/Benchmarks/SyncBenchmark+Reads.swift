import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation
import GRDB

extension SyncBenchmark {
    private static let looks = 2_000

    /// Reads of the replica: one device of ten thousand compared with one row of bare SQLite, answers from memory and from the file, and a
    /// client's memory with a large house.
    static func reads(_ report: inout Report) async throws {
        print("Looking at a client's copy of \(devices) devices")
        let figures = try await DoorCommandBenchmark.inFolder { folder in try await measureReads(folder) }
        report.figure("one device read, 95 of 100 within", figures.oneP95 * 1_000_000, "us")
        report.figure("one row of bare SQLite read, 95 of 100 within", figures.bareP95 * 1_000_000, "us")
        report.figure("an answer of a hundred devices at hand and read, 95 of 100 within", figures.answerP95 * 1_000_000, "us")
        report.figure("resident with all devices in hand", Double(figures.kilobytes) / 1024, "MiB")
        report.ratio("replica_device_read_to_bare_row", figures.bareP95 / figures.oneP95)
        report.ratio("store_operation_within_10_ms", 0.01 / figures.oneP95)
        report.ratio("resident_50_mb_to_a_large_house", 50_000_000 / (Double(figures.kilobytes) * 1024))
    }

    private struct Figures: Sendable {
        var oneP95, bareP95, answerP95: Double
        var kilobytes: Int
    }

    private static func measureReads(_ folder: URL) async throws -> Figures {
        let house = CannedHouse(devices: devices)
        let client = CardeaClient(
            hub: try HubAddress("http://localhost"), transport: house,
            sessions: MemorySessionStore(Session(accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: .distantFuture)),
            resilience: .none)
        let key = try KeyFile.openOrCreate(at: folder.appending(path: "key"))
        let replica = try Replica(file: folder.appending(path: "copy.sqlite"), sealing: key, client: client)
        try await replica.sync()
        let one = try await p95 { look in
            let device = try await replica.device("lamp-\(look * 7 % devices)")
            precondition(device != nil, "the device is not there")
        }
        let question = CacheableQuery("hundred", ttl: 3600) { client, _ in Array(try await client.devices.list().devices.prefix(100)) }
        _ = try await replica.answer(question)
        let answer = try await p95 { _ in _ = try await replica.answer(question) }
        let bare = try BareTable(folder: folder)
        let rows = (0..<devices).map { ("lamp-\($0)", Data(count: 900)) }
        try bare.write(rows)
        let row = try await p95 { look in
            let bytes = try await bare.queue.read { db in
                try Data.fetchOne(db.cachedStatement(sql: "SELECT bytes FROM rows WHERE id = ?"), arguments: ["lamp-\(look * 7 % devices)"])
            }
            precondition(bytes?.count == 900, "the row is not there")
        }
        try await replica.close()
        let held = try askClient(folder)
        precondition(held.devices == devices, "the other program has not seen the house")
        return Figures(oneP95: one, bareP95: row, answerP95: answer, kilobytes: held.kilobytes)
    }

    /// The figures of a client in its own process: devices, and resident kilobytes while it holds all of them.
    private static func askClient(_ folder: URL) throws -> (devices: Int, kilobytes: Int) {
        let pipe = Pipe()
        let program = Process()
        let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        program.executableURL = programs.appending(path: "ResidentReplica")
        program.arguments = [folder.path]
        program.standardOutput = pipe
        try program.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        let numbers = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        precondition(numbers.count == 2, "it said \(said)")
        return (numbers[0], numbers[1])
    }

    private static func p95(_ look: (Int) async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for number in 0..<looks { times.append(try await seconds { try await look(number) }) }
        return times.sorted()[looks * 95 / 100]
    }
}
