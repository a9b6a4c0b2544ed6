import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct IntegrationsCheckAnnouncementCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-announcement", abstract: "Check which device an MQTT announcement gives. Needs no broker.",
        discussion: """
            The file holds the announcement as a device publishes it, or {"topic": …, "payload": …}. For an announcement of a single entity,
            add its topic or its component.

              cardea integrations check-announcement device.json
              cardea integrations check-announcement lock.json --component lock
              mosquitto_sub -C 1 -t homeassistant/lock/x/config | cardea integrations check-announcement - --component lock
            """)

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String
    @Option(help: "The topic of the announcement.")
    var topic: String?
    @Option(help: "The component of the entity, such as lock.")
    var component: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let announcement = try AnnouncementFile(try read(), topic: topic, component: component)
        let answer = try await context.client().integrations.check(announcement: announcement.payload, at: announcement.topic)
        try await context.output.show(answer) { Self.text(answer) }
    }

    private func read() throws -> Data {
        if file == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandLineError.usage("The file \(file) cannot be read.")
        }
        return data
    }

    static func text(_ answer: AnnouncementCheckAnswer) -> String {
        var lines: [String] = []
        for entity in answer.entities {
            let what = [entity.kind, entity.deviceClass, entity.unit].compactMap(\.self).joined(separator: ", ")
            lines.append("\(entity.device): \(entity.name) (\(what))")
            lines.append("  id        \(entity.entityID)")
            if !entity.actions.isEmpty { lines.append("  actions   \(entity.actions.joined(separator: " "))") }
            lines += entity.reads.map { "  listens   \($0)" } + entity.writes.map { "  commands  \($0)" }
        }
        if answer.entities.isEmpty { lines.append("This announcement creates no device.") }
        if !answer.notUnderstood.isEmpty { lines += ["", "Not understood:"] + UnsupportedPartsText.lines(answer.notUnderstood) }
        return lines.joined(separator: "\n")
    }
}

/// An announcement in a file: bare, or with its topic.
struct AnnouncementFile: Hashable {
    let payload: String
    /// Nil if the announcement is of a whole device.
    let topic: String?

    /// - Parameters:
    ///   - topic: as it was given beside the file; it counts before the file's own.
    ///   - component: the same, if no topic is given.
    init(_ data: Data, topic given: String?, component: String?) throws(CommandLineError) {
        guard let text = String(validating: data, as: UTF8.self), !text.allSatisfy(\.isWhitespace) else {
            throw CommandLineError.usage("The announcement is empty or not text.")
        }
        if let component, component.isEmpty || component.contains(where: { "/+#".contains($0) || $0.isWhitespace }) {
            throw CommandLineError.usage("--component needs one word, such as lock.")
        }
        let json = try? JSONDecoder().decode(JSONValue.self, from: data)
        var (payload, topic) = (text, given ?? component.map { "homeassistant/\($0)/announcement/config" })
        if case .object(let members)? = json, members.count == 2, let place = members["topic"]?.string, let inner = members["payload"] {
            topic = topic ?? place
            payload = inner.string ?? (try? CanonicalJSON.encode(inner)) ?? text
        }
        let announced = try? JSONDecoder().decode(JSONValue.self, from: Data(payload.utf8))
        guard topic != nil || announced?["components"] != nil || announced?["cmps"] != nil else {
            throw CommandLineError.usage(
                "Add the component or the topic: --component lock, or --topic homeassistant/lock/front_door/config.")
        }
        self.payload = payload
        self.topic = topic
    }
}
