import CardeaHub
import CardeaModel
import CoreFoundation
import Foundation
import ServiceLifecycle

/// Takes the room again once there is enough.
public struct StartupDiskReserveService: Service {
    private let reserve: StartupDiskReserve
    private let folder: URL
    private let environment: HubEnvironment

    public init(_ reserve: StartupDiskReserve, of folder: URL, environment: HubEnvironment) {
        self.reserve = reserve
        self.folder = folder
        self.environment = environment
    }

    /// Seconds between two checks.
    static let interval: TimeInterval = 60

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await environment.sleep(environment.now().addingTimeInterval(Self.interval)) } catch is CancellationError {
                    return
                }
                // The remaining room is reserved for doors.
                guard !reserve.isNeeded(environment.diskSpace(folder)) else { continue }
                try await BlockingIO.run { [reserve] in reserve.allocate() }
            }
        }
    }
}
