import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity

/// Changes to the message that a button publishes to a broker.
struct PublishChanges: ParsableArguments {
    @Option(help: "Where it says it.")
    var topic: String?
    @Option(help: "What it says. The first %T becomes the encrypted moment.")
    var message: String?
    @Flag(inversion: .prefixedNo, help: "At the buttons' own broker (the integration `endpoint`), not at the house's.")
    var endpoint: Bool?
    @Flag(inversion: .prefixedNo, help: "It lets nobody in, so that less is asked before it is pressed.")
    var control: Bool?
    @Option(help: "Where the device says that it has done it; empty: nowhere, and the state message goes with it.")
    var stateTopic: String?
    @Option(help: "What it says there; empty: anything will do.")
    var stateMessage: String?
    @Flag(inversion: .prefixedNo, help: "In an envelope that the device can check: cardea buttons key.")
    var signed: Bool?
    @Flag(inversion: .prefixedNo, help: "With a key for %T, which is asked for: 32 hexadecimal digits.")
    var timestamped: Bool?

    var hasChanges: Bool {
        topic != nil || message != nil || endpoint != nil || control != nil || stateTopic != nil || stateMessage != nil || signed != nil
            || timestamped != nil
    }

    /// The earlier settings, with the options given now.
    func body(from before: PublishAnswer?, _ prompt: Prompt) throws -> PublishBody {
        guard let topic = topic ?? before?.topic, let message = message ?? before?.message else {
            throw CommandLineError.usage("Say with --topic and --message what it publishes.")
        }
        var body = PublishBody(
            via: endpoint.map { $0 ? .endpoint : .mqtt } ?? before?.via, topic: topic, message: message,
            risk: control.map { $0 ? .control : .open } ?? before?.risk)
        body.stateTopic = nonEmpty(stateTopic ?? before?.stateTopic)
        // Without a state topic there is no state message.
        body.stateMessage = nonEmpty(stateMessage ?? (body.stateTopic == nil ? nil : before?.stateMessage))
        body.signed = signed ?? before?.signed
        switch timestamped {
        case true?: body.timestampKey = try prompt.secret("Key for %T").reveal()
        case false?: body.timestampKey = ""
        case nil: break
        }
        return body
    }

    private func nonEmpty(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
