import ArgumentParser
import CardeaChat
import Logging

/// Options for the endpoint that describes pictures of events. Without them no picture is sent.
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

    private var endpointOptions: ChatEndpointOptions {
        ChatEndpointOptions(
            option: "--describer", url: describerURL, model: describerModel, keyFile: describerKeyFile, authorities: describerAuthorities)
    }

    func validate() throws { try endpointOptions.validate() }

    /// nil if no endpoint is set.
    func describer(logger: Logger) throws -> ChatPictureDescriber? {
        guard let settings = try endpointOptions.settings() else { return nil }
        let describer = try endpointOptions.build { try ChatPictureDescriber(settings, logger: logger) }
        logger.notice("pictures of events without words leave the house", metadata: ["service": "\(settings.address.origin)"])
        return describer
    }
}
