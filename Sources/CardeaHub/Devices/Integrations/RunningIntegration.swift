import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// A device backend that runs as long as its connection is wanted.
public protocol RunningIntegration: DeviceBackend, Service {
    /// The current health, and then every change of it, for one listener.
    var healthUpdates: AsyncStream<IntegrationHealth> { get }
    /// The integration is removed, or replaced by `next`: it withdraws what it has left with other systems and `next` does not take over.
    func cleanUp(for next: (any RunningIntegration)?) async
}

extension RunningIntegration {
    public func cleanUp(for next: (any RunningIntegration)?) async {}
}
