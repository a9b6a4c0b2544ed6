import Logging
import ServiceLifecycle

/// Receives webhooks, and tries again if its address is not available: a changed address from the router must not stop the hub.
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
                logger.error("webhooks are not served over plain HTTP: check --webhook-listen", metadata: ["error": "\(error)"])
            }
            do {
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.retryInterval) }
            } catch is CancellationError { return }
        }
    }
}
