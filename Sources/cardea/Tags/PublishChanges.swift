import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity

/// Changes to the message that a button publishes to a broker.
struct PublishChanges: ParsableArguments {
    @Option(help: "The MQTT topic to publish to.")
    var topic: String?
    @Option(help: "The message to publish. The first %T becomes the encrypted time.")
    var message: String?
    @Flag(inversion: .prefixedNo, help: "Publish to the buttons' own broker (integration `endpoint`) instead of the house's broker.")
    var endpoint: Bool?
    @Flag(inversion: .prefixedNo, help: "The button opens no door, so fewer checks apply before a press.")
    var control: Bool?
    @Option(help: "The MQTT topic on which the device confirms. Empty: no confirmation, and no state message.")
    var stateTopic: String?
    @Option(help: "The confirmation to expect. Empty: any message.")
    var stateMessage: String?
    @Flag(inversion: .prefixedNo, help: "Sign the message so that the device can verify it. See `cardea buttons key`.")
    var signed: Bool?
    @Flag(inversion: .prefixedNo, help: "Encrypt %T with a key that you are asked for: 32 hexadecimal digits.")
    var timestamped: Bool?

    var hasChanges: Bool {
        topic != nil || message != nil || endpoint != nil || control != nil || stateTopic != nil || stateMessage != nil || signed != nil
            || timestamped != nil
    }

    /// The earlier settings, with the options given now.
    func body(from before: PublishAnswer?, _ prompt: Prompt) throws -> PublishBody {
        guard let topic = topic ?? before?.topic, let message = message ?? before?.message else {
            throw CommandLineError.usage("Add --topic and --message for the message to publish.")
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
