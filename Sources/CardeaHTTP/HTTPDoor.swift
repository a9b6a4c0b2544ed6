// This file is the whole public face of CardeaHTTP beside its settings: everything else is how.
import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaTLS
import CardeaWeb
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle

/// The hub's HTTP door: every route of every capability behind one set of guards. It decides nothing.
public struct HTTPDoor: Sendable {
    public let settings: HTTPSettings
    public let address: PublicAddress
    private let hub: Hub
    private let mind: Mind
    private let site: Site
    private let virtual: (any VirtualDevices)?
    private let deviceWire = DeviceWire()
    private let sourceDeviceWire = DeviceWire(form: .source)
    /// Who the hub shows itself to be; nil where it serves plain HTTP.
    private let identity: HubIdentity?
    /// Whom strangers are taken for: somebody of a demo's house. Nil everywhere else, and then the demo's routes do not exist.
    private let demoResident: Principal?
    /// The plain address to which devices report; nil where they have none.
    private let webhooks: PublicAddress?
    private let server: HTTPServerBuilder
    /// The pages are the same behind every door, and are compressed once.
    private static let site = Result { try Site() }

    public init(
        hub: Hub, mind: Mind, settings: HTTPSettings, address: PublicAddress, virtual: (any VirtualDevices)? = nil,
        identity: HubIdentity? = nil,
        demoResident: Principal? = nil, webhooks: PublicAddress? = nil
    ) throws {
        self.hub = hub
        self.mind = mind
        self.settings = settings
        self.address = address
        self.virtual = virtual
        self.identity = identity
        self.demoResident = demoResident
        self.webhooks = webhooks
        let (limits, proxies) = (settings.limits, settings.trustedProxies)
        let plain = HTTPServerBuilder { GuardedChannel(responder: $0, limits: limits, proxies: proxies) }
        server = try identity.map { try .tls(plain, tlsConfiguration: $0.configuration(allowsTLS12: settings.allowsTLS12)) } ?? plain
        site = try Self.site.get()
    }

    /// The application, ready to run or to be tested without a socket.
    public func application(
        listen: BindAddress, logger: Logger, onReady: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let room = room(logger)
        hub.journal.follow(room)
        return Application(
            responder: PrefixAlias(routes: SnakeCaseQuery(routes: UnheardMethods(routes: router(room, logger).router.buildResponder()))),
            server: server,
            configuration: ApplicationConfiguration(address: listen, serverName: nil),
            services: [room], onServerRunning: onReady, logger: logger)
    }

    /// Takes the reports of webhooks over plain HTTP from local addresses, and answers nothing else.
    public func webhookApplication(
        listen: BindAddress, logger: Logger, onReady: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router(context: HouseContext.self)
        router.add(middleware: FrontDesk(surroundings: hub.surroundings, metrics: HTTPMetrics(), strictTransportDays: nil))
        router.add(middleware: ErrorAnswers(surroundings: hub.surroundings))
        router.add(middleware: LocalGuard(relays: settings.relays))
        WebhooksHarness.takeReports(for: hub) { router.on(RouterPath($1), method: $0, use: $2) }
        var limits = settings.limits
        (limits.connectionsPerAddress, limits.connections) = (8, 64)
        let server = HTTPServerBuilder { [limits] in GuardedChannel(responder: $0, limits: limits, proxies: []) }
        return Application(
            responder: router.buildResponder(), server: server,
            configuration: ApplicationConfiguration(address: listen, serverName: nil), onServerRunning: onReady, logger: logger)
    }

    /// Everything that is answered, pages too: the methods of each path.
    var paths: [String: Set<HTTPRequest.Method>] {
        let logger = Logger(label: "paths")
        return router(room(logger), logger).table.methods
    }

    private func room(_ logger: Logger) -> RealtimeRoom {
        let consciousness = MindHarness(hub: hub, mind: mind)
        return RealtimeRoom(hub: hub, devices: deviceWire, standing: { try await consciousness.standing($0) }, logger: logger)
    }

    private func router(_ room: RealtimeRoom, _ logger: Logger) -> (router: Router<HouseContext>, table: RouteTable) {
        let router = Router(context: HouseContext.self, options: .autoGenerateHeadEndpoints)
        let metrics = HTTPMetrics()
        router.add(
            middleware: FrontDesk(surroundings: hub.surroundings, metrics: metrics, strictTransportDays: settings.strictTransportDays))
        router.add(middleware: ErrorAnswers(surroundings: hub.surroundings))
        let origins = OwnOrigins(settings: settings, address: address, isSecure: identity != nil)
        router.add(middleware: HostGuard(settings: settings, origins: origins))
        let table = RouteTable(router: router, hub: hub, logger: logger)
        let sessions = SessionWire(address: address, origins: origins)
        SessionsHarness(hub: hub, wire: sessions).add(to: table)
        OpenSessionsHarness(hub: hub, origins: origins).add(to: table)
        PasskeysHarness(hub: hub, wire: sessions).add(to: table)
        APITokensHarness(hub: hub).add(to: table)
        PhonesHarness(hub: hub, address: address, identity: identity).add(to: table)
        CertificateHarness(identity: identity).add(to: table)
        PeopleHarness(hub: hub, wire: sessions).add(to: table)
        DevicesHarness(hub: hub, wire: deviceWire, source: sourceDeviceWire).add(to: table)
        RealtimeHarness(hub: hub, room: room, wire: RealtimeWire(hub: hub, devices: deviceWire)).add(to: table)
        ScenesHarness(hub: hub).add(to: table)
        RoomsHarness(hub: hub, address: address).add(to: table)
        ReadingsHarness(hub: hub).add(to: table)
        GuestsHarness(hub: hub, address: address).add(to: table)
        GuestAccessHarness(hub: hub, origins: origins).add(to: table)
        AccessHarness(hub: hub).add(to: table)
        PrivacyHarness(hub: hub).add(to: table)
        MaintenanceHarness(hub: hub).add(to: table)
        AuditHarness(hub: hub).add(to: table)
        EventsHarness(hub: hub).add(to: table)
        IntegrationsHarness(hub: hub, virtual: virtual).add(to: table)
        AnnouncementsHarness(hub: hub).add(to: table)
        CamerasHarness(hub: hub).add(to: table)
        WebhooksHarness(hub: hub, address: webhooks ?? address, isPlain: webhooks != nil).add(to: table)
        NoticesHarness(hub: hub).add(to: table)
        ButtonsHarness(hub: hub).add(to: table)
        TagsHarness(hub: hub, address: address).add(to: table)
        MindHarness(hub: hub, mind: mind).add(to: table)
        MemoryHarness(hub: hub, mind: mind).add(to: table)
        InterviewHarness(hub: hub, mind: mind).add(to: table)
        TwinsHarness(hub: hub, mind: mind).add(to: table)
        PredictionsHarness(hub: hub, mind: mind).add(to: table)
        AutomationsHarness(hub: hub, mind: mind).add(to: table)
        WebHarness(site: site).add(to: table)
        settings.appLinks.add(to: table)
        settings.securityText.add(to: table, address: address, now: hub.surroundings.now)
        RunningHarness(hub: hub, room: room, metrics: metrics).add(to: table)
        if let demoResident {
            let wire = DemoWire(hub: hub)
            DemoDevicesHarness(hub: hub, wire: wire, resident: demoResident).add(to: table)
            DemoMindHarness(hub: hub, mind: mind, resident: demoResident).add(to: table)
            DemoRealtimeHarness(room: room, wire: wire, mind: MindHarness(hub: hub, mind: mind), resident: demoResident).add(to: table)
        }
        ContractHarness().add(to: table)
        table.close()
        return (router, table)
    }
}
