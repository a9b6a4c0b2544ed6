import CardeaHTTP
import CardeaHub
import CardeaMQTT
import CardeaSecurity
import CardeaStore
import CardeaVirtualHouse
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

/// Configuration becomes parts, and the parts one group of services. Everything is known here, and nothing is decided.
struct Composition {
    private let folder: HouseFolder
    private let services: [any Service]
    private let logger: Logger

    init(options: Serve, address: ListenAddress) async throws {
        var logger = Logger(label: "cardea-hub") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Logger.Level(rawValue: options.logLevel) ?? .notice
        self.logger = logger
        FileLimit.raise()
        folder = try HouseFolder(at: options.data)
        let store = try Store(folder: folder.url)
        let hub = try await Hub(store: store, sealing: try KeyFile.openOrCreate(at: folder.key), logger: logger)
        hub.integrations.know(MQTTMaker(devices: hub.devices, logger: logger))
        hub.integrations.know(HomeAssistantMaker(devices: hub.devices, logger: logger))
        var services = hub.services

        var virtual: VirtualHouse?
        if options.virtualHouse {
            let house = VirtualHouse(desk: hub.devices, known: hub.devices.all.devices)
            try await hub.house.addRooms(Furnishings.rooms)
            try await house.furnish()
            hub.integrations.add(house)
            services.append(house)
            virtual = house
        }

        let hosts = [address.host] + options.allowHost
        let publicAddress = PublicAddress(options.publicURL ?? "http://\(options.listen)")
        let door = try HTTPDoor(
            hub: hub, settings: HTTPSettings(hosts: Set(hosts), trustedProxies: Set(options.trustedProxy)), address: publicAddress,
            virtual: virtual)
        let announcement = Announcement(options: options, address: address)
        services.append(
            door.application(listen: .hostname(address.host, port: address.port), logger: logger) { channel in
                let url = announcement.url(port: channel.localAddress?.port ?? address.port)
                if options.publicURL == nil { publicAddress.set(url) }
                await announcement.print(url: url, publicURL: publicAddress.text, house: hub.house)
            })
        self.services = services
    }

    func run() async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup, failureTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // A door has ten seconds to answer; whoever has not ended after twenty never will.
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        try await ServiceGroup(configuration: configuration).run()
        withExtendedLifetime(folder) {}
    }
}

extension VirtualHouse: VirtualDevices {
    public func set(fault: String, on deviceID: String) async throws -> Bool? {
        guard let fault = Fault(rawValue: fault) else { return nil }
        return try await set(fault, on: deviceID)
    }
}
