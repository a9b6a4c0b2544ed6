import ArgumentParser
import CardeaDescriber
import CardeaSecurity
import Foundation
import Logging

/// Who is shown pictures of events, to put them into words. Nobody, unless it is said here.
struct DescriberOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An OpenAI-compatible endpoint that puts events without words into some: their small pictures are SENT THERE. Default: nobody.",
            valueName: "url"))
    var describerURL: String?

    @Option(help: ArgumentHelp("The model that looks at them, as the endpoint calls it.", valueName: "name"))
    var describerModel: String?

    @Option(help: ArgumentHelp("The endpoint's key, in a file. Default: none.", valueName: "file"))
    var describerKeyFile: String?

    @Option(
        name: .customLong("describer-ca"),
        help: ArgumentHelp("Certificates that are trusted beside the system's, for an endpoint of your own, PEM.", valueName: "file"))
    var describerAuthorities: String?

    var isOn: Bool { describerURL != nil }

    func validate() throws {
        guard let describerURL else {
            guard describerModel == nil, describerKeyFile == nil, describerAuthorities == nil else {
                throw ValidationError("--describer-model, --describer-key-file and --describer-ca belong to --describer-url.")
            }
            return
        }
        guard DescriberAddress(describerURL) != nil else {
            throw ValidationError(
                """
                --describer-url needs a base such as https://api.example.org/v1, without a name, a query or a fragment in it. http:// is \
                for this machine and for addresses of your own network, such as http://192.168.1.5:11434/v1.
                """)
        }
        guard let describerModel, (1...200).contains(describerModel.utf8.count) else {
            throw ValidationError("--describer-url needs --describer-model: what the endpoint calls the model.")
        }
    }

    /// nil where nobody is asked.
    func describer(logger: Logger) throws -> ChatDescriber? {
        guard let address = describerURL.flatMap({ DescriberAddress($0) }), let describerModel else { return nil }
        let describer = try ChatDescriber(
            address: address, model: describerModel, key: try describerKeyFile.map(Self.key),
            authorities: describerAuthorities.map { URL(filePath: $0) }, logger: logger)
        logger.notice("pictures of events without words leave the house", metadata: ["service": "\(address.origin)"])
        return describer
    }

    /// What is in the file, which no header may be split by.
    private static func key(at path: String) throws -> Secret {
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines),
            (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw ValidationError("--describer-key-file names no file with one line that is a key.") }
        return Secret(text)
    }
}
