import CardeaAutomations
import CardeaBackup
import CardeaAPI
import CardeaBonjour
import CardeaCameras
import CardeaLanguageModel
import CardeaHTTP
import CardeaHub
import CardeaMQTT
import CardeaMind
import CardeaSecurity
import CardeaMindAdapter
import CardeaStore
import CardeaNetwork
import CardeaVirtualHouse
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

/// Builds the parts from the configuration, and one group of services from the parts. It knows all targets and contains no policy.
struct Composition {
    /// Held while the house is served; nil for a house in memory.
    private let folder: HouseFolder?
    private let services: [any Service]
    private let logger: Logger

    init(options: ServeCommand, address: ListenAddress) async throws {
        logger = Self.logger(options.logLevel)
        FileLimit.raise()
        let folder = try HouseFolder(at: options.data)
        self.folder = folder
        // Before the database opens; its documentation gives the reason.
        for line in try FolderPermissions.restrict(folder.url) { logger.warning("\(line)", metadata: ["folder": "\(folder.url.path)"]) }
        let hasLittleRoom = folder.freeSpace()
        let store = try Store(folder: folder.url)
        store.onDurabilityLoss { [logger] in Self.terminate(logger) }
        if hasLittleRoom {
            logger.warning("disk is nearly full: the hub uses its reserved space; free some disk space")
            // The previous run's write-ahead log takes space too. It does no harm if it stays.
            do { try await store.checkpoint() } catch {
                logger.info("write-ahead log could not be truncated", metadata: ["error": "\(type(of: error))"])
            }
        }
        let key = try await options.houseKey(in: folder, of: store)
        logger.info("house key opened", metadata: ["place": "\(key.location.rawValue)", "protection": "\(key.protection.level)"])
        let describer = try options.describing.describer(logger: logger)
        let hub = try await Hub(
            store: store, sealing: key.sealing, events: Self.events(options, folder, describer),
            exports: ExportSettings(folder: folder.url.appending(path: "exports"), packer: ZipPacker()),
            pushServices: PushServicePolicy(others: Set(options.push.pushService), own: Set(Self.configuredNames(options))), logger: logger)
        hub.backups.update(key.protection)
        hub.integrations.register(
            MQTTIntegrationFactory(
                devices: hub.devices, house: hub.homeAssistantExport, events: hub.sourceEventRecorder, publishing: hub.publisher,
                logger: logger))
        hub.integrations.register(ButtonBrokerIntegrationFactory(publisher: hub.publisher, logger: logger))
        hub.integrations.register(
            HomeAssistantIntegrationFactory(
                devices: hub.devices, events: hub.sourceEventRecorder, presence: hub.presenceSources, logger: logger))
        let watch = CameraMonitor(sink: hub.cameras, allowsLoopback: options.localCameras, logger: logger)
        hub.cameras.setSource(with: watch)
        let pushes = try await options.push.install(for: hub, publicURL: options.publicURL, logger: logger)
        // The connections to push services and to models end after their users.
        var services: [any Service] = [pushes]
        if let describer { services.append(describer) }
        let reworder = try options.language.reworder(logger: logger)
        if let reworder { services.append(reworder) }
        let automations = try Automations(of: hub, logger: logger)
        let mind = try Mind(of: hub, automations: automations, reworder: reworder, logger: logger)
        services += hub.services + [watch, mind]
        services += try options.backups.services(for: hub, folder: folder.url, key: key.encryption, logger: logger)
        let reserve = folder.reserve
        services.append(StartupDiskReserveService(reserve, of: folder.url, environment: hub.environment))

        var virtual: VirtualHouse?
        if options.virtualHouse {
            let house = VirtualHouse(sink: hub.devices, known: hub.devices.all.devices, moreLights: options.virtualLights, logger: logger)
            try await Self.announceVirtualHouse(hub, with: house)
            services.append(house)
            virtual = house
        }

        let identity = try Self.identity(options, address: address, folder: folder.url, hub: hub, logger: logger)
        if let identity { services.append(identity) }
        let publicAddress = CurrentPublicURL(options.publicURL ?? "\(identity == nil ? "http" : "https")://\(options.listen)")
        var settings = HTTPSettings(
            hosts: Set(address.names.map { $0.lowercased() }), allowed: options.allowHost, trustedProxies: options.trustedProxy)
        settings.allowsTLS12 = options.tls12
        settings.relays = options.relayFrom
        settings.strictTransportDays = options.hsts
        settings.appLinks = options.appLinks.links
        settings.securityText = options.security.text
        let webhooks = try options.webhookListen.map { try ListenAddress($0, of: "--webhook-listen") }
        let webhookAddress = webhooks.map { CurrentPublicURL($0.urlForDevices(port: $0.port)) }
        let door = try HubApplication(
            hub: hub, mind: mind, automations: automations, settings: settings, address: publicAddress, virtual: virtual,
            identity: identity, webhooks: webhookAddress
        )
        if let webhooks {
            let listener = door.webhookApplication(listen: .hostname(webhooks.host, port: webhooks.port), logger: logger) {
                [logger] channel in
                let port = channel.localAddress?.port ?? webhooks.port
                webhookAddress?.update(webhooks.urlForDevices(port: port))
                logger.notice("webhooks served over plain HTTP", metadata: ["url": "\(webhooks.url(port: port))"])
            }
            services.append(WebhookService(listener: listener, logger: logger))
        }
        let announcement = StartupMessage(options: options, identity: identity)
        let supervisor = SystemdNotifier(store: store, logger: logger)
        let bonjour = Self.bonjour(options, address: address, identity: identity, hub: hub, logger: logger)
        services.append(
            door.application(listen: .hostname(address.host, port: address.port), logger: logger) { channel in
                let port = channel.localAddress?.port ?? address.port
                let url = address.url(port: port, isSecure: identity != nil)
                publicAddress.didListen(at: port)
                if options.publicURL == nil { publicAddress.update(address.isEverywhere ? address.urlNearby(port: port) : url) }
                bonjour?.didStartListening(at: port)
                supervisor?.notifyReady(at: url)
                await announcement.print(url: url, publicURL: publicAddress.text, house: hub.house)
                reserve.allocate()
            })
        // The last service stops first, so that a stopped hub is not announced.
        if let bonjour {
            let browser = BonjourBrowser(interface: address.interface, now: hub.environment.now)
            hub.integrations.setNetworkBrowser(with: browser)
            services += [browser, bonjour]
        }
        if let supervisor { services.append(supervisor) }
        self.services = services
    }

    /// The demo: a simulated house in memory, with a demo resident.
    init(demo options: DemoCommand, address: ListenAddress) async throws {
        logger = Self.logger(options.logLevel)
        folder = nil
        FileLimit.raise()
        let hub = try await Hub(store: try .inMemory(), sealing: .random(), logger: logger)
        let house = VirtualHouse(sink: hub.devices, pace: .accelerated, isLivedIn: true, logger: logger)
        try await Self.announceVirtualHouse(hub, with: house)
        let resident = try await DemoResident(movingInto: hub)
        let publicAddress = CurrentPublicURL("http://\(options.listen)")
        let automations = try Automations(of: hub, logger: logger)
        let mind = try Mind(of: hub, automations: automations, logger: logger)
        let door = try HubApplication(
            hub: hub, mind: mind, automations: automations, settings: HTTPSettings(hosts: Set(address.names)), address: publicAddress,
            virtual: house,
            demoResident: resident.principal)
        let announcement = DemoStartupMessage(asJSON: options.json, resident: resident)
        let application = door.application(listen: .hostname(address.host, port: address.port), logger: logger) { channel in
            let port = channel.localAddress?.port ?? address.port
            let url = address.url(port: port)
            publicAddress.didListen(at: port)
            publicAddress.update(url)
            announcement.print(url: url)
        }
        services = hub.services + [mind, house, application]
    }

    private static func logger(_ level: String) -> Logger {
        var logger = Logger(label: "cardea-hub") { StandardErrorLogHandler(label: $0) }
        logger.logLevel = Logger.Level(rawValue: level) ?? .notice
        return logger
    }

    /// Ends the hub at once: the disk may not have stored what was written, and a restart reads what is there.
    private static func terminate(_ logger: Logger) {
        logger.critical("disk lost written data: the hub stops and must be restarted")
        _exit(EX_IOERR)
    }

    private static func announceVirtualHouse(_ hub: Hub, with house: VirtualHouse) async throws {
        try await hub.house.addRooms(VirtualDeviceCatalog.rooms)
        try await house.announceDevices()
        hub.integrations.add(house)
    }

    /// Pictures are stored beside the database. Without ffmpeg, events have none.
    private static func events(_ options: ServeCommand, _ folder: HouseFolder, _ describer: LanguageModelDescriber?) -> EventSettings {
        EventSettings(
            pictures: options.pictureSpace > 0 ? folder.url.appending(path: "pictures") : nil, maker: FFmpegPictureTranscoder(),
            describer: describer, pictureSpace: Int64(options.pictureSpace) << 20, days: options.eventDays)
    }

    /// The names of the hub that its operator gave.
    private static func configuredNames(_ options: ServeCommand) -> [String] {
        options.allowHost.map(\.name) + [options.publicURL.flatMap { URL(string: $0)?.host() }].compactMap { $0 }
    }

    /// The hub's TLS identity; nil if it serves plain HTTP.
    private static func identity(
        _ options: ServeCommand, address: ListenAddress, folder: URL, hub: Hub, logger: Logger
    ) throws -> HubIdentity? {
        if options.insecureHTTP { return nil }
        let given = configuredNames(options)
        let source: HubIdentity.Source =
            if let certificate = options.tlsCertificate, let key = options.tlsKey {
                .files(certificate: URL(filePath: certificate), key: URL(filePath: key))
            } else {
                .own(folder: folder, names: { Set(address.names + given + ["localhost", "127.0.0.1", "::1"]).sorted() })
            }
        return try HubIdentity(source, now: hub.environment.now, sleep: hub.environment.sleep, logger: logger)
    }

    /// The Bonjour announcer; nil if only this machine reaches the hub.
    private static func bonjour(
        _ options: ServeCommand, address: ListenAddress, identity: HubIdentity?, hub: Hub, logger: Logger
    ) -> BonjourAnnouncer? {
        guard let identity, !options.noBonjour, !address.isLoopback else { return nil }
        let house = hub.homeAssistantExport
        return BonjourAnnouncer(
            house: house, interface: address.interface, isForArgusAI: options.announceArgusAI, logger: logger
        ) { port in
            HouseAdvertisement(
                name: house.name, houseID: house.id, baseURL: options.publicURL ?? address.urlNearby(port: port),
                externalURL: options.publicURL, pin: identity.info.pin)
        }
    }

    func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup, failureTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // A door has ten seconds to answer; a connection that is open after twenty will not end by itself.
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        try await ServiceGroup(configuration: configuration).run()
        withExtendedLifetime(folder) {}
    }
}

extension VirtualHouse: VirtualDeviceFaults {
    public func set(fault: String, on deviceID: String) async throws -> Bool? {
        guard let fault = Fault(rawValue: fault) else { return nil }
        return try await set(fault, on: deviceID)
    }
}
