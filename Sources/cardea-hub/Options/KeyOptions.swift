import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// Options for the location of the key that opens a house while no hub serves it.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Where the house key is stored: credential, file or secret-service. Default: the credential passed by systemd, \
            otherwise the last place used.
            """,
            valueName: "place"))
    var keyFrom: KeyLocation?

    @Option(help: ArgumentHelp("The encrypted credential file for systemd-creds.", valueName: "file"))
    var credentialFile = "/etc/credstore.encrypted/\(KeyLocations.credentialName)"

    func keys(of folder: HouseFolder, _ store: Store, sealedBy seal: SystemdCredentialSeal = .both) -> HouseKeys {
        let file = SystemdCredential(file: URL(filePath: credentialFile), sealedBy: seal)
        let places = KeyLocations(
            folder: folder.url, environment: ProcessInfo.processInfo.environment, keyring: Keyring.own, credentialFile: file)
        return HouseKeys(store: store, places: places)
    }
}

extension ServeCommand {
    /// The key that opens the house; a new house gets one.
    func houseKey(in folder: HouseFolder, of store: Store) async throws -> HouseKeys.UnlockedKey {
        let places = KeyLocations(folder: folder.url, environment: ProcessInfo.processInfo.environment, keyring: Keyring.own)
        return try await HouseKeys(store: store, places: places).open(from: keyFrom)
    }
}

private enum Keyring {
    static var own: (any SecretStore)? {
        #if os(Linux)
            SecretServiceStore()
        #else
            nil
        #endif
    }
}

extension KeyLocation: ExpressibleByArgument {}
extension SystemdCredentialSeal: ExpressibleByArgument {}
