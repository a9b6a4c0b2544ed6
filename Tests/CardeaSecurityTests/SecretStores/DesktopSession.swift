import CardeaSecurity
import CardeaTestSupport
import Foundation

/// A test's own desktop: a session bus and, on request, GNOME's keyring, in a folder deleted with it.
final class DesktopSession: Sendable {
    let folder: URL
    /// The environment variables by which programs find this desktop.
    let environment: [String: String]
    private let bus: ChildProcess
    private let keyring: ChildProcess?

    init(hasKeyring: Bool = true) async throws {
        // The paths of its sockets must be short.
        folder = URL(filePath: "/tmp/cardea-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        environment = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus",
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        ]
        let configuration = folder.appending(path: "bus.conf")
        // No service folders: the bus starts none of the machine's services.
        try Data(
            """
            <busconfig><type>session</type><listen>unix:path=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
            """.utf8
        ).write(to: configuration)
        bus = try ChildProcess("dbus-daemon", ["--config-file=\(configuration.path)", "--nofork", "--nopidfile", "--print-address"])
        try await bus.lines.waitUntil("the bus listens") { $0.contains { $0.hasPrefix("unix:") } }
        guard hasKeyring else {
            keyring = nil
            return
        }
        let password = folder.appending(path: "password")
        try Data("house".utf8).write(to: password)
        keyring = try ChildProcess(
            "sh",
            [
                "-c", "exec env -i \"$@\" gnome-keyring-daemon --foreground --unlock --components=secrets < \(password.path)", "keyring",
            ] + Self.assignments(environment))
        let store = SecretServiceStore(environment: environment, timeout: .seconds(120))
        try await waitUntil { (try? await store.check()) != nil }
    }

    /// Runs a program on this desktop to its end.
    @discardableResult
    func run(_ command: String, _ arguments: String...) async throws -> [String] {
        try await ChildProcess.run("env", ["-i"] + Self.assignments(environment) + [command] + arguments)
    }

    /// Locks it like a person who leaves.
    func lockKeyring() async throws {
        try await run(
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
            "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
    }

    func signalKeyring(_ number: Int32) { keyring?.signal(number) }

    func end() async throws {
        try await keyring?.killAndWait()
        try await bus.killAndWait()
        try FileManager.default.removeItem(at: folder)
    }

    private static func assignments(_ environment: [String: String]) -> [String] { environment.map { "\($0.key)=\($0.value)" } }
}
