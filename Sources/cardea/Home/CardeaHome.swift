import CardeaClient
import Foundation

/// The folder in which this person's tokens and passes lie: `CARDEA_HOME`, or `cardea` among the desktop's settings.
struct CardeaHome: Sendable {
    let folder: URL

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let home = environment["CARDEA_HOME"], !home.isEmpty {
            folder = URL(fileURLWithPath: home, isDirectory: true)
        } else if let settings = environment["XDG_CONFIG_HOME"], settings.hasPrefix("/") {
            folder = URL(fileURLWithPath: settings, isDirectory: true).appendingPathComponent("cardea", isDirectory: true)
        } else {
            folder = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config/cardea", isDirectory: true)
        }
    }

    var tokens: TokenFile { TokenFile(folder: folder) }
}
