import CardeaAPI
import CardeaClient
import CardeaClientNIO
import CardeaSecurity
import CardeaSync
import Foundation

/// The devices of a house as they change, and in their last state while the house cannot be reached. `docs/tutorial.md` builds it line by
/// line.
@main
struct LiveDevices {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let hub = try HubAddress(environment["CARDEA_HUB"] ?? "http://127.0.0.1:8300")
        let folder = URL(fileURLWithPath: environment["LIVE_DEVICES_HOME"] ?? "live-devices", isDirectory: true)
        guard let password = readLine() else { return print("Give the password on standard input.") }

        try await withNIOTransport { transport in
            let client = CardeaClient(hub: hub, transport: transport)
            try await client.sessions.login(username: environment["CARDEA_USER"] ?? "owner", password: Secret(password))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let key = try KeyFile.openOrCreate(at: folder.appending(path: "key"))
            let replica = try Replica(file: folder.appending(path: "house.sqlite"), sealing: key, client: client)

            for try await _ in replica.continuousSync() { printDevices(try await replica.devices()) }
        }
    }

    private static func printDevices(_ devices: Dated<[DeviceAnswer]>) {
        let age = devices.asOf.map { Int(Date().timeIntervalSince($0)) } ?? 0
        print(age < 2 ? "now:" : "\(age) s ago:")
        for device in devices.value { print("  \(device.name): \(device.entities.map(\.state).joined(separator: ", "))") }
        fflush(nil)
    }
}
