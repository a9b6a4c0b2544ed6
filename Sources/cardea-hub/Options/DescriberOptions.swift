import ArgumentParser
import CardeaLanguageModel
import Logging

/// Options for the endpoint that describes pictures of events. Without them no picture is sent.
struct DescriberOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An OpenAI-compatible endpoint that describes events from their pictures. Small pictures are SENT THERE. Default: off.",
            valueName: "url"))
    var describerURL: String?

    @Option(help: ArgumentHelp("The model that describes the pictures, by the endpoint's name for it.", valueName: "name"))
    var describerModel: String?

    @Option(help: ArgumentHelp("A file with the endpoint's API key. Default: none.", valueName: "file"))
    var describerKeyFile: String?

    @Option(
        name: .customLong("describer-ca"),
        help: ArgumentHelp("Additional CA certificates for your own endpoint, PEM.", valueName: "file"))
    var describerAuthorities: String?

    var isOn: Bool { describerURL != nil }

    private var endpointOptions: LanguageModelOptions {
        LanguageModelOptions(
            option: "--describer", url: describerURL, model: describerModel, keyFile: describerKeyFile, authorities: describerAuthorities)
    }

    func validate() throws { try endpointOptions.validate() }

    /// nil if no endpoint is set.
    func describer(logger: Logger) throws -> LanguageModelDescriber? {
        guard let settings = try endpointOptions.settings() else { return nil }
        let describer = try endpointOptions.build { try LanguageModelDescriber(settings, logger: logger) }
        logger.notice("event pictures are sent to the description service", metadata: ["service": "\(settings.address.origin)"])
        return describer
    }
}
