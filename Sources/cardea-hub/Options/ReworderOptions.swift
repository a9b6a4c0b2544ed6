import ArgumentParser
import CardeaLanguageModel
import Logging

/// Options for the endpoint that rewords questions the house did not understand. Without them nothing is sent.
struct ReworderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            An OpenAI-compatible endpoint that rewords questions which the house did not understand. Questions are SENT THERE, with the \
            names of rooms, devices, cameras, scenes, people and guests that the person asking may see. Default: off.
            """, valueName: "url"))
    var languageURL: String?

    @Option(help: ArgumentHelp("The model that rewords questions, by the endpoint's name for it.", valueName: "name"))
    var languageModel: String?

    @Option(help: ArgumentHelp("A file with the endpoint's API key. Default: none.", valueName: "file"))
    var languageKeyFile: String?

    @Option(
        name: .customLong("language-ca"),
        help: ArgumentHelp("Additional CA certificates for your own endpoint, PEM.", valueName: "file"))
    var languageAuthorities: String?

    private var endpointOptions: LanguageModelOptions {
        LanguageModelOptions(
            option: "--language", url: languageURL, model: languageModel, keyFile: languageKeyFile, authorities: languageAuthorities)
    }

    func validate() throws { try endpointOptions.validate() }

    /// nil if no endpoint is set.
    func reworder(logger: Logger) throws -> LanguageModelReworder? {
        guard let settings = try endpointOptions.settings() else { return nil }
        let reworder = try endpointOptions.build { try LanguageModelReworder(settings, logger: logger) }
        logger.notice("questions are sent to the rewording service", metadata: ["service": "\(settings.address.origin)"])
        return reworder
    }
}
