// This file is the public interface of CardeaHTTP, together with its settings.
import CardeaAPI
import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaNetwork
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
public struct HubApplication: Sendable {
    public let settings: HTTPSettings
    public let address: CurrentPublicURL
    private let hub: Hub
    private let mind: Mind
    private let automations: Automations
    private let site: Site
    private let virtualDevices: (any VirtualDeviceFaults)?
    private let deviceEncoder = CachedDeviceEncoder()
    private let sourceDeviceEncoder = CachedDeviceEncoder(form: .source)
    /// The identity that the hub presents over TLS; nil if it serves plain HTTP.
    private let identity: HubIdentity?
    /// The resident of a demo's house that unauthenticated callers act as. Nil everywhere else, and then the demo's routes do not exist.
    private let demoResident: Principal?
    /// The plain address to which devices report; nil if they have none.
    private let webhooks: CurrentPublicURL?
    private let server: HTTPServerBuilder
    /// The pages are the same behind every door, and are compressed once.
    private static let site = Result { try Site() }

    public init(
        hub: Hub, mind: Mind, automations: Automations, settings: HTTPSettings, address: CurrentPublicURL,
        virtual: (any VirtualDeviceFaults)? = nil, identity: HubIdentity? = nil,
        demoResident: Principal? = nil, webhooks: CurrentPublicURL? = nil
    ) throws {
        self.hub = hub
        self.mind = mind
        self.automations = automations
        self.settings = settings
        self.address = address
        self.virtualDevices = virtual
        self.identity = identity
        self.demoResident = demoResident
        self.webhooks = webhooks
        let (limits, proxies) = (settings.limits, settings.trustedProxies)
        let plain = HTTPServerBuilder { LimitedHTTPChannel(responder: $0, limits: limits, proxies: proxies) }
        server = try identity.map { try .tls(plain, tlsConfiguration: $0.configuration(allowsTLS12: settings.allowsTLS12)) } ?? plain
        site = try Self.site.get()
    }

    /// The application, ready to run or to be tested without a socket.
    public func application(
        listen: BindAddress, logger: Logger, onReady: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let room = broadcaster(logger)
        hub.journal.subscribe(room)
        return Application(
            responder: PrefixAliasMiddleware(
                routes: SnakeCaseQueryMiddleware(routes: UnknownMethodMiddleware(routes: router(room, logger).router.buildResponder()))),
            server: server,
            configuration: ApplicationConfiguration(address: listen, serverName: nil),
            services: [room], onServerRunning: onReady, logger: logger)
    }

    /// Takes the reports of webhooks over plain HTTP from local addresses, and answers nothing else.
    public func webhookApplication(
        listen: BindAddress, logger: Logger, onReady: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let router = Router(context: HubRequestContext.self)
        router.add(middleware: RequestContextMiddleware(environment: hub.environment, metrics: HTTPMetrics(), strictTransportDays: nil))
        router.add(middleware: ErrorResponseMiddleware(environment: hub.environment))
        router.add(middleware: LocalNetworkMiddleware(relays: settings.relays))
        IncomingWebhooksController.addReportRoutes(for: hub) { router.on(RouterPath($1), method: $0, use: $2) }
        var limits = settings.limits
        (limits.connectionsPerAddress, limits.connections) = (8, 64)
        let server = HTTPServerBuilder { [limits] in LimitedHTTPChannel(responder: $0, limits: limits, proxies: []) }
        return Application(
            responder: router.buildResponder(), server: server,
            configuration: ApplicationConfiguration(address: listen, serverName: nil), onServerRunning: onReady, logger: logger)
    }

    /// Everything that is answered, pages too: the methods of each path.
    var paths: [String: Set<HTTPRequest.Method>] {
        let logger = Logger(label: "paths")
        return router(broadcaster(logger), logger).table.methods
    }

    private func broadcaster(_ logger: Logger) -> RealtimeBroadcaster {
        let consciousness = MindController(hub: hub, mind: mind)
        return RealtimeBroadcaster(
            hub: hub, devices: deviceEncoder, consciousness: { try await consciousness.consciousness($0) }, logger: logger)
    }

    private func router(_ room: RealtimeBroadcaster, _ logger: Logger) -> (router: Router<HubRequestContext>, table: RouteTable) {
        let router = Router(context: HubRequestContext.self, options: .autoGenerateHeadEndpoints)
        let metrics = HTTPMetrics()
        router.add(
            middleware: RequestContextMiddleware(
                environment: hub.environment, metrics: metrics, strictTransportDays: settings.strictTransportDays))
        router.add(middleware: ErrorResponseMiddleware(environment: hub.environment))
        let origins = HubOrigins(settings: settings, address: address, isSecure: identity != nil)
        router.add(middleware: HostValidationMiddleware(settings: settings, origins: origins))
        let table = RouteTable(router: router, hub: hub, logger: logger)
        let sessions = SessionTokenEncoding(address: address, origins: origins)
        SessionsController(hub: hub, tokenEncoding: sessions).addRoutes(to: table)
        OpenSessionsController(hub: hub, origins: origins).addRoutes(to: table)
        PasskeysController(hub: hub, tokenEncoding: sessions).addRoutes(to: table)
        APITokensController(hub: hub).addRoutes(to: table)
        PhonesController(hub: hub, address: address, identity: identity).addRoutes(to: table)
        CertificateController(identity: identity).addRoutes(to: table)
        PeopleController(hub: hub, tokenEncoding: sessions).addRoutes(to: table)
        DevicesController(hub: hub, encoder: deviceEncoder, sourceEncoder: sourceDeviceEncoder).addRoutes(to: table)
        RealtimeController(hub: hub, broadcaster: room, encoder: RealtimeEventEncoder(hub: hub, devices: deviceEncoder)).addRoutes(
            to: table)
        ScenesController(hub: hub).addRoutes(to: table)
        RoomsController(hub: hub, address: address).addRoutes(to: table)
        ReadingsController(hub: hub).addRoutes(to: table)
        GuestsController(hub: hub, address: address).addRoutes(to: table)
        GuestAccessController(hub: hub, origins: origins).addRoutes(to: table)
        AccessController(hub: hub).addRoutes(to: table)
        PrivacyController(hub: hub).addRoutes(to: table)
        MaintenanceTasksController(hub: hub).addRoutes(to: table)
        AuditController(hub: hub).addRoutes(to: table)
        EventsController(hub: hub).addRoutes(to: table)
        IntegrationsController(hub: hub, virtual: virtualDevices).addRoutes(to: table)
        AnnouncementsController(hub: hub).addRoutes(to: table)
        CamerasController(hub: hub).addRoutes(to: table)
        IncomingWebhooksController(hub: hub, address: webhooks ?? address, isPlain: webhooks != nil).addRoutes(to: table)
        NoticesController(hub: hub).addRoutes(to: table)
        ButtonsController(hub: hub).addRoutes(to: table)
        TagsController(hub: hub, address: address).addRoutes(to: table)
        MindController(hub: hub, mind: mind).addRoutes(to: table)
        MemoryController(hub: hub, mind: mind).addRoutes(to: table)
        InterviewController(hub: hub, mind: mind).addRoutes(to: table)
        TwinsController(hub: hub, mind: mind).addRoutes(to: table)
        PredictionsController(hub: hub, mind: mind).addRoutes(to: table)
        AutomationsController(hub: hub, automations: automations).addRoutes(to: table)
        WebAppController(site: site).addRoutes(to: table)
        settings.appLinks.addRoutes(to: table)
        settings.securityText.addRoutes(to: table, address: address, now: hub.environment.now)
        HealthController(hub: hub, broadcaster: room, metrics: metrics).addRoutes(to: table)
        if let demoResident {
            let wire = SourceFormatEncoder(hub: hub)
            DemoDevicesController(hub: hub, encoder: wire, resident: demoResident).addRoutes(to: table)
            DemoMindController(hub: hub, mind: mind, resident: demoResident).addRoutes(to: table)
            DemoRealtimeController(broadcaster: room, encoder: wire, mind: MindController(hub: hub, mind: mind), resident: demoResident)
                .addRoutes(to: table)
        }
        APIDocumentController().addRoutes(to: table)
        table.registerMethodNotAllowed()
        return (router, table)
    }
}
