import ArgumentParser
import CardeaHub
import CardeaSecurity
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run a simulated demo house in memory.",
        discussion: """
            People leave in the morning and come home in the evening, the heating works, and doors and lights change; an hour passes in \
            five seconds. The house exists only in memory: Ctrl-C or SIGTERM deletes it.

            Programs need no token for these paths:

              GET  /api/devices, /api/devices/{id}
              PUT  /api/devices/{id}/control    {"action": "on"}
              POST /api/devices/batch-control
              GET  /api/consciousness/status, /api/consciousness/emotions
              POST /api/consciousness/query     {"query": "is the front door locked?"}
              GET  /api/memory, POST too        {"type": "semantic", "content": "The key hangs in the hall."}
              POST /api/interview/start, /api/interview/{id}/message    {"message": "a lamp in the hall"}
              GET  /api/interview/{id}/status
              GET  /api/twins, POST too         {"device_id": "front-door"}
              POST /api/predictions/what-if
              WS   /ws                          device_update and the like, as it happens

            The demo therefore listens only on this machine and has only virtual devices. `cardea-hub serve` has none of these paths. \
            Everything else is under /api/v1, for signed-in users.
            """)

    @Option(help: ArgumentHelp("Address of this machine and port to listen on. Port 0 picks a free one.", valueName: "address:port"))
    var listen = "127.0.0.1:8300"

    @Flag(help: "Print one line of JSON when ready: url, username, password.")
    var json = false

    @Option(help: ArgumentHelp("The lowest level of log messages: trace, debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = "notice"

    func validate() throws {
        let address = try ListenAddress(listen)
        guard address.isLoopback else {
            throw ValidationError(
                """
                The demo has no access control, so it listens only on this machine: --listen 127.0.0.1:8300. \
                \(address.host) is not a loopback address. For a house in the network, use cardea-hub serve.
                """)
        }
    }

    func run() async throws {
        try await Composition(demo: self, address: try ListenAddress(listen)).run()
    }
}
