import Foundation

/// A folder that is deleted after the test.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "cardea-mqtt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: url.appending(path: name)) }

    func read(_ name: String) throws -> String { try String(contentsOf: url.appending(path: name), encoding: .utf8) }
}
