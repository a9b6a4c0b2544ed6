import ArgumentParser
import CardeaHTTP
import CardeaHub
import CardeaModel
import Foundation
import NIOCore

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a house until stopped.",
        discussion: "Stops cleanly on Ctrl-C or SIGTERM. Logs go to standard error.")

    @Option(help: ArgumentHelp("The folder of the house, with its database and its key.", valueName: "folder"))
    var data = "./house"

    @Option(
        help: ArgumentHelp(
            """
            Where the house key is stored: credential (passed by systemd), file (hub.key in the folder) or secret-service (the desktop's \
            keyring). Default: the credential if there is one, otherwise the last place used.
            """, valueName: "place"))
    var keyFrom: KeyLocation?

    @Option(help: ArgumentHelp("Address and port to listen on. Port 0 picks a free one.", valueName: "address:port"))
    var listen = "127.0.0.1:8300"

    @Option(
        help: ArgumentHelp("The address in links and QR codes. Default: the address of --listen.", valueName: "url"),
        transform: ServeCommand.publicAddress)
    var publicURL: String?

    @Option(
        help: ArgumentHelp(
            "An additional host name of the hub, with a port if browsers show one. Can be repeated.",
            valueName: "name[:port]"), transform: ServeCommand.allowedHost)
    var allowHost: [AllowedHost] = []

    @Option(
        help: ArgumentHelp(
            "A proxy, or a range such as 172.16.0.0/12, whose X-Forwarded-For header is trusted. Can be repeated.",
            valueName: "address"), transform: { try ServeCommand.range($0, "--trusted-proxy") })
    var trustedProxy: [AddressRange] = []

    @Option(
        help: ArgumentHelp(
            "The address of a relay, or a range. Connections from it count as remote, not as from the house's network. Can be repeated.",
            valueName: "address"), transform: { try ServeCommand.range($0, "--relay-from") })
    var relayFrom: [AddressRange] = []

    @Flag(help: "Add virtual devices: a lock, a garage door, lights, sensors and a thermostat.")
    var virtualHouse = false

    @Option(
        help: ArgumentHelp(
            "With --virtual-house: the number of additional virtual lights, 0 to 2000, to test a large house.", valueName: "count"))
    var virtualLights = 0

    @Flag(help: "Allow camera addresses on this machine, for Frigate or Home Assistant running on it.")
    var localCameras = false

    @Option(
        help: ArgumentHelp(
            """
            Address and port for webhooks of doorbells and cameras without TLS. Serves webhook paths only, over plain HTTP, to local \
            addresses. Default: off.
            """, valueName: "address:port"))
    var webhookListen: String?

    @Flag(help: "Serve plain HTTP instead of TLS. Only on a loopback address.")
    var insecureHTTP = false

    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp("Your own certificate with its chain, PEM. Reloaded when the file changes.", valueName: "file"))
    var tlsCertificate: String?

    @Option(name: .customLong("tls-key"), help: ArgumentHelp("The key of --tls-certificate, PEM.", valueName: "file"))
    var tlsKey: String?

    @Flag(name: .customLong("tls-1.2"), help: "Accept TLS 1.2 too, with AEAD cipher suites only.")
    var tls12 = false

    @Option(
        help: ArgumentHelp(
            "Send an HSTS header: browsers use only HTTPS for the hub's name for this many days. Start with 1. Default: off.",
            valueName: "days"))
    var hsts: Int?

    @Flag(help: "Do not announce the house on the local network, and do not search for devices on it. Always off on a loopback address.")
    var noBonjour = false

    @Flag(
        name: .customLong("announce-argusai"),
        help: "Announce the house also as _argusai._tcp, for phone apps written for ArgusAI.")
    var announceArgusAI = false

    @Option(
        help: ArgumentHelp(
            "The disk space for event pictures. When it is full, the oldest are deleted. 0 stores no pictures.", valueName: "MiB"))
    var pictureSpace = Int(EventSettings.defaultPictureSpace >> 20)

    @Option(help: ArgumentHelp("The number of days that events are kept, 1 to \(RetentionKind.events.defaultDays).", valueName: "days"))
    var eventDays = RetentionKind.events.defaultDays

    @OptionGroup(title: "Backups")
    var backups: BackupOptions

    @OptionGroup(title: "Event descriptions")
    var describing: DescriberOptions

    @OptionGroup(title: "Question rewording")
    var language: ReworderOptions

    @OptionGroup(title: "Tags")
    var appLinks: AppLinkOptions

    @OptionGroup(title: "Vulnerability reports")
    var security: SecurityOptions

    @OptionGroup(title: "Notifications")
    var push: PushOptions

    @Flag(help: "Print one line of JSON when ready: url, claim_url, pin, backup_pin.")
    var json = false

    @Option(help: ArgumentHelp("The lowest level of log messages: trace, debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = "notice"

    private static func range(_ text: String, _ option: String) throws -> AddressRange {
        guard let range = AddressRange(text) else {
            throw ValidationError(
                """
                \(option) \(text) is not an address or a range. Write 127.0.0.1, ::1 or 172.16.0.0/12. Names are not \
                accepted: for localhost, write 127.0.0.1 and ::1.
                """
            )
        }
        return range
    }

    /// With its name as browsers send it, in ASCII (RFC 5891).
    private static func publicAddress(_ text: String) throws -> String {
        do throws(PublicURLError) { return try PublicURL(text).text } catch {
            switch error {
            case .notHTTPURL: throw ValidationError("--public-url needs a whole address, such as https://door.example.org")
            case .extraComponents:
                throw ValidationError(
                    "--public-url must not have a user, query or fragment. Write only scheme and name, such as https://door.example.org")
            case .hasPath(let name):
                // An IP address has no subdomains.
                let isName = name.contains(where: \.isLetter) && !name.contains(":")
                let other = isName ? "a name of its own, such as https://door.\(name), or " : ""
                throw ValidationError(
                    """
                    --public-url \(text) has a path, but the hub needs the root path. Give it \(other)a port of its own, such as \
                    https://\(name):8443, and let the proxy forward all paths.
                    """
                )
            }
        }
    }

    private static func allowedHost(_ text: String) throws -> AllowedHost {
        guard let host = AllowedHost(text) else {
            throw ValidationError("--allow-host \(text) is not a host name. Write door.example.org, or door.example.org:8443.")
        }
        return host
    }

    func validate() throws {
        _ = try ListenAddress(listen)
        _ = try webhookListen.map { try ListenAddress($0, of: "--webhook-listen") }
        guard (0...2000).contains(virtualLights), virtualHouse || virtualLights == 0 else {
            throw ValidationError("--virtual-lights needs 0 to 2000, and --virtual-house.")
        }
        guard (0...1_000_000).contains(pictureSpace) else { throw ValidationError("--picture-space needs 0 to 1000000 MiB.") }
        guard pictureSpace > 0 || !describing.isOn else {
            throw ValidationError("--describer-url needs stored pictures: set --picture-space above 0.")
        }
        let most = RetentionKind.events.defaultDays
        guard (1...most).contains(eventDays) else {
            throw ValidationError("--event-days needs 1 to \(most): the privacy policy promises at most \(most) days.")
        }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key need each other.")
        }
        if let hsts {
            guard (1...730).contains(hsts) else { throw ValidationError("--hsts needs 1 to 730 days.") }
            // With HSTS, browsers offer no way past an untrusted certificate.
            guard tlsCertificate != nil || insecureHTTP && publicURL?.lowercased().hasPrefix("https://") == true else {
                throw ValidationError(
                    """
                    --hsts needs a certificate that browsers trust: --tls-certificate, or that of a proxy, with --insecure-http \
                    and --public-url https://…. With the hub's own certificate, browsers would refuse the hub.
                    """
                )
            }
        }
        guard !announceArgusAI || !noBonjour else {
            throw ValidationError("--announce-argusai does not work with --no-bonjour.")
        }
        guard !insecureHTTP || (tlsCertificate == nil && !tls12) else {
            throw ValidationError("--insecure-http does not use a certificate: leave out --tls-certificate and --tls-key.")
        }
    }

    func run() async throws {
        let address = try ListenAddress(listen)
        guard address.isLoopback || !insecureHTTP else {
            throw ValidationError("--insecure-http works only on a loopback address, such as 127.0.0.1:8300; \(address.host) is not one.")
        }
        let composition = try await Composition(options: self, address: address)
        try await composition.run()
    }
}
