import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

/// A client alone: it opens the replica of a large, unreachable house, reads all of it like an app, and prints the number of devices and
/// its resident kilobytes.
///
///     ResidentReplica FOLDER      with a `copy.sqlite` and its `key` in it
@main
struct ResidentReplica {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { throw CocoaError(.fileNoSuchFile) }
        let folder = URL(filePath: CommandLine.arguments[1])
        let client = CardeaClient(
            hub: try HubAddress("http://localhost"), transport: ShutHouse(),
            sessions: MemorySessionStore(Session(accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: .distantFuture)),
            resilience: .none)
        let key = try KeyFile.openOrCreate(at: folder.appending(path: "key"))
        let replica = try Replica(file: folder.appending(path: "copy.sqlite"), sealing: key, client: client)
        let devices = try await replica.devices().value
        let kilobytes = try residentKilobytes()
        // Counted at the end, so that they are all still in memory.
        print(devices.count, kilobytes)
    }

    private static func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Int($0) } ?? 0
    }
}

private struct ShutHouse: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse { throw .noConnection }
    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }
}
