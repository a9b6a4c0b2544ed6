import ArgumentParser
import CardeaHub
import CardeaSecurity
import Foundation

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a virtual house that lives by itself, and forget it afterwards.",
        discussion: """
            People leave in the morning and come home in the evening, the heating works, doors and lights move; an hour passes in \
            five seconds. The house is in memory alone: when you stop it, with Ctrl-C or SIGTERM, it is gone.

            Programs need no token here:

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

            So it listens on this machine alone, and has virtual devices alone. `cardea-hub serve` has none of these paths. \
            Everything else is under /api/v1, for whoever is signed in.
            """)

    @Option(help: ArgumentHelp("Address of this machine and port to listen on. Port 0 picks a free one.", valueName: "address:port"))
    var listen = "127.0.0.1:8300"

    @Flag(help: "Print one line of JSON when ready: url, username, password.")
    var json = false

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = "notice"

    func validate() throws {
        let address = try ListenAddress(listen)
        guard address.isLoopback else {
            throw ValidationError(
                """
                In a demo anybody may switch everything, so it is served on this machine alone: --listen 127.0.0.1:8300. \
                \(address.host) is not this machine alone. For a house that others reach, use cardea-hub serve.
                """)
        }
    }

    func run() async throws {
        try await Composition(demo: self, address: try ListenAddress(listen)).run()
    }
}
