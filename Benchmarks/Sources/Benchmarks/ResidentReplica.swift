import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

/// A client of its own, as this program started once more: it has a large house at hand, looks at it as an app does, and says how much memory it
/// then holds.
struct ResidentReplica {
    let folder: URL

    /// Nil where something else was asked for.
    init?(_ arguments: [String]) {
        guard arguments.count == 3, arguments[1] == Self.word else { return nil }
        folder = URL(filePath: arguments[2])
    }

    init(folder: URL) { self.folder = folder }

    private static let word = "resident-replica"

    private var file: URL { folder.appending(path: "copy.sqlite") }

    func replica(_ house: CannedHouse) throws -> Replica {
        let client = CardeaClient(
            hub: try HubAddress("http://localhost"), transport: house,
            sessions: MemorySessionStore(Session(accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: .distantFuture)),
            resilience: .none)
        return try Replica(file: file, sealing: try KeyFile.openOrCreate(at: folder.appending(path: "key")), client: client)
    }

    func run() async throws {
        let house = CannedHouse(devices: 0)
        house.shut()
        let replica = try replica(house)
        let devices = try await replica.devices().value
        print(devices.count, try Self.kilobytes())
    }

    /// What `run` of a program of its own says: devices, and resident kilobytes while it has them all in its hands.
    func ask() throws -> (devices: Int, kilobytes: Int) {
        let pipe = Pipe()
        let program = Process()
        program.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        program.arguments = [Self.word, folder.path]
        program.standardOutput = pipe
        try program.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        let numbers = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        precondition(numbers.count == 2, "it said \(said)")
        return (numbers[0], numbers[1])
    }

    private static func kilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Int($0) } ?? 0
    }
}
