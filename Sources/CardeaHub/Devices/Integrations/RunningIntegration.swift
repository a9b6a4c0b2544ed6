import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// A device backend that lives as long as its connection is wanted.
public protocol RunningIntegration: DeviceBackend, Service {
    /// How it stands, and then every change of that, for one listener.
    var healthUpdates: AsyncStream<IntegrationHealth> { get }
    /// It is taken out, or `next` takes its place: whatever it has left with others that nobody will look after is taken back.
    func cleanUp(for next: (any RunningIntegration)?) async
}

extension RunningIntegration {
    public func cleanUp(for next: (any RunningIntegration)?) async {}
}
