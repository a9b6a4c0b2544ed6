import ArgumentParser
import Foundation

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the house until stopped.",
        discussion: "Stops cleanly on Ctrl-C or SIGTERM. Logs go to standard error.")

    @Option(help: ArgumentHelp("The folder that holds the house: its database and its key.", valueName: "folder"))
    var data = "./house"

    @Option(help: ArgumentHelp("Address and port to listen on. Port 0 picks a free one.", valueName: "address:port"))
    var listen = "127.0.0.1:8300"

    @Option(help: ArgumentHelp("The address that links and QR codes carry. Default: the one it listens on.", valueName: "url"))
    var publicURL: String?

    @Option(help: ArgumentHelp("A further host name under which the hub answers. May be given several times.", valueName: "name"))
    var allowHost: [String] = []

    @Option(help: ArgumentHelp("A proxy whose X-Forwarded-For is believed. May be given several times.", valueName: "address"))
    var trustedProxy: [String] = []

    @Flag(help: "Furnish the house with virtual devices: a lock, a garage, lights, sensors, a thermostat.")
    var virtualHouse = false

    @Flag(help: "Serve plain HTTP. Only on a loopback address.")
    var insecureHTTP = false

    @Flag(help: "Print one line of JSON when ready: url, claim_url, pin.")
    var json = false

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = "notice"

    func validate() throws {
        _ = try ListenAddress(listen)
        if let publicURL, URL(string: publicURL)?.host() == nil {
            throw ValidationError("--public-url needs a whole address, such as https://door.example.org")
        }
    }

    func run() async throws {
        let address = try ListenAddress(listen)
        guard insecureHTTP else {
            throw ValidationError("This version serves plain HTTP only. Say so with --insecure-http; it then listens on loopback alone.")
        }
        guard address.isLoopback else {
            throw ValidationError("Plain HTTP is served on a loopback address only, such as 127.0.0.1:8300; \(address.host) is not one.")
        }
        let composition = try await Composition(options: self, address: address)
        try await composition.run()
    }
}

/// `127.0.0.1:8300` or `[::1]:8300`.
struct ListenAddress {
    let host: String
    let port: Int

    init(_ text: String) throws {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), (0...65535).contains(port) else {
            throw ValidationError("--listen needs address:port, such as 127.0.0.1:8300")
        }
        host = text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
        guard !host.isEmpty else { throw ValidationError("--listen needs an address before the port, such as 127.0.0.1:8300") }
    }

    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
