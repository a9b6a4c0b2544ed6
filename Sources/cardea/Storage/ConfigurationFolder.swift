import CardeaClient
import Foundation

/// The folder for this person's data: `CARDEA_HOME`, or `cardea` among the desktop's settings.
struct ConfigurationFolder: Sendable {
    let folder: URL
    private let environment: [String: String]

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
        if let home = environment["CARDEA_HOME"], !home.isEmpty {
            folder = URL(fileURLWithPath: home, isDirectory: true)
        } else if let settings = environment["XDG_CONFIG_HOME"], settings.hasPrefix("/") {
            folder = URL(fileURLWithPath: settings, isDirectory: true).appendingPathComponent("cardea", isDirectory: true)
        } else {
            folder = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config/cardea", isDirectory: true)
        }
    }

    func credentialStore(warn: @escaping @Sendable (String) -> Void) -> CredentialStore {
        CredentialStore(folder: folder, environment: environment, warn: warn)
    }
}
