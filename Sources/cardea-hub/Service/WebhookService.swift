import Logging
import ServiceLifecycle

/// Hears webhooks, and tries again where its address cannot be had: a router that gives the hub another one shuts no door.
struct WebhookService: Service {
    let listener: any Service
    let logger: Logger

    private static let retryInterval = Duration.seconds(30)

    func run() async throws {
        while !Task.isShuttingDownGracefully {
            do {
                return try await listener.run()
            } catch let error as CancellationError {
                throw error
            } catch {
                logger.error("webhooks are not heard over plain HTTP: see --webhook-listen", metadata: ["error": "\(error)"])
            }
            do {
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.retryInterval) }
            } catch is CancellationError { return }
        }
    }
}
