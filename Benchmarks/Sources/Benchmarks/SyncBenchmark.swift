import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation
import GRDB
import Synchronization

/// Measures a client's replica of a large house: applying 10 000 changes, reading 10 000 devices, and queueing a command, compared with
/// bare SQLite on the same disk with the same bytes.
enum SyncBenchmark {
    static let devices = 10_000
    private static let wishes = 300

    static func run(_ report: inout Report) async throws {
        print("A client's copy of a house: \(devices) devices")
        let figures = try await DoorCommandBenchmark.inFolder { folder in try await measure(folder) }
        report.figure("everything read for the first time", figures.first * 1000, "ms")
        report.figure("10 000 changes taken in", figures.changes * 1000, "ms")
        report.figure("the same bytes written by bare SQLite", figures.bareChanges * 1000, "ms")
        report.figure("10 000 devices read", figures.read * 1000, "ms")
        report.figure("wishes queued, durable", figures.queued, "/s")
        report.figure("a wish queued, 95 of 100 within", figures.queuedP95 * 1_000_000, "us")
        report.figure("bare commits of one row", figures.bareCommits, "/s")
        report.ratio("sync_changes_to_bare_sqlite", figures.bareChanges / figures.changes)
        report.ratio("outbox_append_to_bare_commits", figures.queued / figures.bareCommits)
    }

    private struct Figures: Sendable {
        var first, changes, bareChanges, read, queued, queuedP95, bareCommits: Double
    }

    private static func measure(_ folder: URL) async throws -> Figures {
        let house = CannedHouse(devices: devices)
        let session = Session(accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: .distantFuture)
        let client = CardeaClient(
            hub: try HubAddress("http://localhost"), transport: house, sessions: MemorySessionStore(session), resilience: .none)
        let replica = try Replica(file: folder.appending(path: "copy.sqlite"), sealing: .random(), client: client)
        let first = try await seconds { try await replica.sync() }
        house.change()
        let changes = try await seconds {
            let report = try await replica.sync()
            precondition(report.changes == devices, "the changes were not taken in")
        }
        let read = try await seconds {
            let kept = try await replica.devices()
            precondition(kept.value.count == devices, "the devices are not there")
        }
        house.shut()
        var times: [Double] = []
        for wish in 0..<wishes {
            times.append(
                try await seconds {
                    guard case .queued = try await replica.control(DeviceCommand("lamp-\(wish)", "on")) else {
                        preconditionFailure("it was not queued")
                    }
                })
        }
        try await replica.close()
        let bare = try BareTable(folder: folder)
        let pages = house.pages
        let bareChanges = try await seconds { for page in pages { try bare.write(page) } }
        let row = [("wish", Data(count: 200))]
        let commits = try await seconds { for _ in 0..<wishes { try bare.write(row) } }
        return Figures(
            first: first, changes: changes, bareChanges: bareChanges, read: read, queued: Double(wishes) / times.reduce(0, +),
            queuedP95: times.sorted()[wishes * 95 / 100], bareCommits: Double(wishes) / commits)
    }

    static func seconds(_ work: () async throws -> Void) async throws -> Double {
        let taken = try await ContinuousClock().measure(work)
        return 1 / rate(of: 1, in: taken)
    }

    /// Durable transactions of SQLite alone, with the same settings.
    struct BareTable {
        let queue: DatabaseQueue

        init(folder: URL) throws {
            queue = try DatabaseQueue(path: folder.appending(path: "bare.sqlite").path)
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL") }
            try queue.write { try $0.execute(sql: "CREATE TABLE rows (id TEXT PRIMARY KEY, bytes BLOB) STRICT, WITHOUT ROWID") }
        }

        func write(_ rows: [(String, Data)]) throws {
            try queue.write { db in
                let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO rows VALUES (?, ?)")
                for (id, bytes) in rows { try statement.execute(arguments: [id, bytes]) }
            }
        }
    }
}

/// A house that answers from memory, so that only the client is measured.
final class CannedHouse: Transport {
    private struct State {
        var last: Int64 = 0
        var isShut = false
    }

    private let ids: [String]
    private let list: Data
    /// Each change as it is in its page.
    private let changes: [String]
    private let state = Mutex(State())

    init(devices count: Int) {
        ids = (0..<count).map { "lamp-\($0)" }
        let devices = ids.enumerated().map { index, id in Self.device(id, index, revision: 1) }
        list = Data(#"{"devices":[\#(devices.joined(separator: ","))],"total":\#(count),"filters_applied":{}}"#.utf8)
        changes = ids.enumerated().map { index, id in
            """
            {"seq":\(index + 1),"type":"device_update","data":\(Self.device(id, index, revision: 2)),"timestamp":"2026-11-21T14:31:07.250Z"}
            """
        }
    }

    /// Every device changed once.
    func change() { state.withLock { $0.last = Int64(changes.count) } }
    func shut() { state.withLock { $0.isShut = true } }

    /// The changes to write, page by page.
    var pages: [[(String, Data)]] {
        stride(from: 0, to: ids.count, by: Changes.pageLimit).map { start in
            (start..<min(start + Changes.pageLimit, ids.count)).map { (ids[$0], Data(changes[$0].utf8)) }
        }
    }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let state = state.withLock(\.self)
        guard !state.isShut else { throw .noConnection }
        switch request.url.path {
        case "/api/v1/devices": return TransportResponse(status: 200, body: list)
        case "/api/v1/changes": return TransportResponse(status: 200, body: page(request.url.query() ?? "", last: state.last))
        default: return TransportResponse(status: 403, body: Data(#"{"error":{"code":"forbidden","message":"No."}}"#.utf8))
        }
    }

    private func page(_ query: String, last: Int64) -> Data {
        guard let after = query.split(separator: "&").first(where: { $0.hasPrefix("after=") }).flatMap({ Int64($0.dropFirst(6)) }) else {
            return Data(#"{"changes":[],"next":\#(last),"more":false}"#.utf8)
        }
        let end = min(after + Int64(Changes.pageLimit), last)
        let events = after < end ? changes[Int(after)..<Int(end)].joined(separator: ",") : ""
        return Data(#"{"changes":[\#(events)],"next":\#(end),"more":\#(end < last)}"#.utf8)
    }

    private static func device(_ id: String, _ index: Int, revision: Int) -> String {
        var device = Device(
            id: id, name: "Lamp \(index)", deviceClass: .light, integration: "none", status: .online, stateChangedAt: Date(),
            entities: [
                Entity(
                    id: "light.\(id)", kind: .light, name: "Lamp \(index)", verbs: [.on, .off, .setBrightness],
                    state: EntityState("on", attributes: ["brightness": .number(Double(index % 100))]))
            ])
        device.revision = revision
        // A device always has its JSON; a missing one would show as a wrong count.
        return (try? WireFormat.encode(DeviceAnswer(device, room: nil))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
