import ArgumentParser
import CardeaChat
import Logging

/// Options for the endpoint that rewords questions the house did not understand. Without them nothing is sent.
struct LanguageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            An OpenAI-compatible endpoint that rewords questions which the house did not understand: they are SENT THERE, with the names of \
            rooms, devices, cameras, scenes, people and guests that whoever asks may see. Default: nobody.
            """, valueName: "url"))
    var languageURL: String?

    @Option(help: ArgumentHelp("The model that rewords them, as the endpoint calls it.", valueName: "name"))
    var languageModel: String?

    @Option(help: ArgumentHelp("The endpoint's key, in a file. Default: none.", valueName: "file"))
    var languageKeyFile: String?

    @Option(
        name: .customLong("language-ca"),
        help: ArgumentHelp("Certificates that are trusted beside the system's, for an endpoint of your own, PEM.", valueName: "file"))
    var languageAuthorities: String?

    private var endpointOptions: ChatEndpointOptions {
        ChatEndpointOptions(
            option: "--language", url: languageURL, model: languageModel, keyFile: languageKeyFile, authorities: languageAuthorities)
    }

    func validate() throws { try endpointOptions.validate() }

    /// nil if no endpoint is set.
    func reworder(logger: Logger) throws -> ChatReworder? {
        guard let settings = try endpointOptions.settings() else { return nil }
        let reworder = try endpointOptions.build { try ChatReworder(settings, logger: logger) }
        logger.notice("questions that are not understood leave the house", metadata: ["service": "\(settings.address.origin)"])
        return reworder
    }
}
