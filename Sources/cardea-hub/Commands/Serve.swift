import ArgumentParser
import CardeaHTTP
import CardeaHub
import CardeaModel
import Foundation
import NIOCore

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the house until stopped.",
        discussion: "Stops cleanly on Ctrl-C or SIGTERM. Logs go to standard error.")

    @Option(help: ArgumentHelp("The folder that holds the house: its database and its key.", valueName: "folder"))
    var data = "./house"

    @Option(
        help: ArgumentHelp(
            """
            Where the key lies that opens the house: credential, which systemd hands over, file, which is hub.key in the folder, or \
            secret-service, a desktop's keyring. Default: the credential where there is one, else where it was last.
            """, valueName: "place"))
    var keyFrom: KeyLocation?

    @Option(help: ArgumentHelp("Address and port to listen on. Port 0 picks a free one.", valueName: "address:port"))
    var listen = "127.0.0.1:8300"

    @Option(
        help: ArgumentHelp("The address that links and QR codes carry. Default: the one it listens on.", valueName: "url"),
        transform: Serve.publicAddress)
    var publicURL: String?

    @Option(
        help: ArgumentHelp(
            "A further host name under which the hub answers, with the port where browsers see one. May be given several times.",
            valueName: "name[:port]"), transform: Serve.allowedHost)
    var allowHost: [AllowedHost] = []

    @Option(
        help: ArgumentHelp(
            "A proxy whose X-Forwarded-For is believed, or a range of them, such as 172.16.0.0/12. May be given several times.",
            valueName: "address"), transform: { try Serve.range($0, "--trusted-proxy") })
    var trustedProxy: [AddressRange] = []

    @Option(
        help: ArgumentHelp(
            "An address from which a relay connects, or a range: whoever comes that way is not at home. May be given several times.",
            valueName: "address"), transform: { try Serve.range($0, "--relay-from") })
    var relayFrom: [AddressRange] = []

    @Flag(help: "Furnish the house with virtual devices: a lock, a garage, lights, sensors, a thermostat.")
    var virtualHouse = false

    @Option(help: ArgumentHelp("With --virtual-house: further virtual lights, to see how a large house does.", valueName: "count"))
    var virtualLights = 0

    @Flag(help: "Let a camera's address be on this very machine, as behind a Frigate or a Home Assistant that runs on it.")
    var localCameras = false

    @Option(
        help: ArgumentHelp(
            """
            Where doorbells and cameras that speak no TLS report events, over plain HTTP: the paths of webhooks and nothing else, to local \
            addresses only. Default: nowhere.
            """, valueName: "address:port"))
    var webhookListen: String?

    @Flag(help: "Serve plain HTTP instead of TLS. Only on a loopback address.")
    var insecureHTTP = false

    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp("A certificate of your own with its chain, PEM. Read again when it changes.", valueName: "file"))
    var tlsCertificate: String?

    @Option(name: .customLong("tls-key"), help: ArgumentHelp("The key of --tls-certificate, PEM.", valueName: "file"))
    var tlsKey: String?

    @Flag(name: .customLong("tls-1.2"), help: "Also speak TLS 1.2, with AEAD suites only.")
    var tls12 = false

    @Option(
        help: ArgumentHelp(
            "For how long browsers speak HTTPS alone to the hub's name (HSTS); begin with 1. Default: they are told nothing.",
            valueName: "days"))
    var hsts: Int?

    @Flag(help: "Neither announce the house on the network nearby nor look around on it. On a loopback address that is never done.")
    var noBonjour = false

    @Flag(
        name: .customLong("announce-argusai"),
        help: "Announce the house as _argusai._tcp too, which phones written for ArgusAI look for.")
    var announceArgusAI = false

    @Option(
        help: ArgumentHelp(
            "How much room the pictures of events may take. Beyond it the oldest are given up; 0 keeps none.", valueName: "MiB"))
    var pictureSpace = Int(EventSettings.defaultPictureSpace >> 20)

    @Option(help: ArgumentHelp("For how long events are kept: 1 to \(RetentionKind.events.defaultDays).", valueName: "days"))
    var eventDays = RetentionKind.events.defaultDays

    @OptionGroup(title: "Backups")
    var backups: BackupOptions

    @OptionGroup(title: "Events in words")
    var describing: DescriberOptions

    @OptionGroup(title: "Questions that are not understood")
    var language: LanguageOptions

    @OptionGroup(title: "Tags")
    var appLinks: AppLinkOptions

    @OptionGroup(title: "Weaknesses")
    var security: SecurityOptions

    @OptionGroup(title: "Notices")
    var push: PushOptions

    @Flag(help: "Print one line of JSON when ready: url, claim_url, pin, backup_pin.")
    var json = false

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning or error.", valueName: "level"))
    var logLevel = "notice"

    private static func range(_ text: String, _ option: String) throws -> AddressRange {
        guard let range = AddressRange(text) else {
            throw ValidationError(
                "\(option) \(text) is neither an address nor a range. Write 127.0.0.1, ::1 or 172.16.0.0/12. A name may be anywhere: localhost is 127.0.0.1 and ::1."
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
                    "--public-url takes no user, query or fragment. Write the name alone, such as https://door.example.org")
            case .hasPath(let name):
                // An IP address has no subdomains.
                let isName = name.contains(where: \.isLetter) && !name.contains(":")
                let other = isName ? "a name of its own, such as https://door.\(name), or " : ""
                throw ValidationError(
                    "--public-url \(text) has a path, and the hub answers under none. Give it \(other)a port of its own, such as https://\(name):8443, and have the proxy pass on all of it."
                )
            }
        }
    }

    private static func allowedHost(_ text: String) throws -> AllowedHost {
        guard let host = AllowedHost(text) else {
            throw ValidationError("--allow-host \(text) is no host name. Write door.example.org, or door.example.org:8443.")
        }
        return host
    }

    func validate() throws {
        _ = try ListenAddress(listen)
        _ = try webhookListen.map { try ListenAddress($0, of: "--webhook-listen") }
        guard (0...2000).contains(virtualLights), virtualHouse || virtualLights == 0 else {
            throw ValidationError("--virtual-lights is 0 to 2000, and belongs to --virtual-house.")
        }
        guard (0...1_000_000).contains(pictureSpace) else { throw ValidationError("--picture-space is 0 to 1000000 MiB.") }
        guard pictureSpace > 0 || !describing.isOn else {
            throw ValidationError("--describer-url has nothing to look at where --picture-space is 0.")
        }
        let most = RetentionKind.events.defaultDays
        guard (1...most).contains(eventDays) else {
            throw ValidationError("--event-days is 1 to \(most): the house tells everybody that no event is kept for longer.")
        }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
        if let hsts {
            guard (1...730).contains(hsts) else { throw ValidationError("--hsts is 1 to 730 days.") }
            // With HSTS, browsers offer no way past an untrusted certificate.
            guard tlsCertificate != nil || insecureHTTP && publicURL?.lowercased().hasPrefix("https://") == true else {
                throw ValidationError(
                    "--hsts needs a certificate that browsers trust: --tls-certificate, or that of a proxy, with --insecure-http and --public-url https://…. With the hub's own they would let nobody in any more."
                )
            }
        }
        guard !announceArgusAI || !noBonjour else {
            throw ValidationError("--no-bonjour announces nothing, so there is nothing for --announce-argusai to add.")
        }
        guard !insecureHTTP || (tlsCertificate == nil && !tls12) else {
            throw ValidationError("--insecure-http serves no TLS, so there is nothing for a certificate to do.")
        }
    }

    func run() async throws {
        let address = try ListenAddress(listen)
        guard address.isLoopback || !insecureHTTP else {
            throw ValidationError("Plain HTTP is served on a loopback address only, such as 127.0.0.1:8300; \(address.host) is not one.")
        }
        let composition = try await Composition(options: self, address: address)
        try await composition.run()
    }
}
