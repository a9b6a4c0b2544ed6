import CardeaClient
import CardeaSecurity
import CardeaSync
import Foundation

/// A client and nothing else: it has a large house at hand that cannot be reached, looks at all of it as an app does, and says how many devices
/// it sees and how many kilobytes it then holds resident.
///
///     ResidentReplica FOLDER      where a `copy.sqlite` lies with its `key`
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
        // Counted afterwards, so that they are all still held.
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
