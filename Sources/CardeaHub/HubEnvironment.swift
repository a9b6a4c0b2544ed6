import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import Logging

/// The source of time, waiting and new identifiers, so that a test can control them.
public struct HubEnvironment: Sendable {
    public var now: @Sendable () -> Date
    /// Waits until the moment has come, or throws when cancelled.
    public var sleep: @Sendable (_ until: Date) async throws -> Void
    /// A new unique identifier: a UUID as 32 hex digits. It is not a secret.
    public var newID: @Sendable () -> String
    /// The cost of a password hash. It slows down guessing after the disk is stolen, and every sign-in.
    public var passwordCost: PasswordHash.Cost
    /// The free space on the file system of the database's folder; nil if there is none, as for a house in memory.
    public var diskSpace: @Sendable (_ folder: URL?) -> DiskSpace?

    public init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Date) async throws -> Void,
        newID: @escaping @Sendable () -> String, passwordCost: PasswordHash.Cost = .standard,
        diskSpace: @escaping @Sendable (URL?) -> DiskSpace? = { folder in folder.flatMap { DiskSpace(fileSystemOf: $0) } }
    ) {
        self.now = now
        self.sleep = sleep
        self.newID = newID
        self.passwordCost = passwordCost
        self.diskSpace = diskSpace
    }

    /// The real environment; in a debug build, with the clock of `CARDEA_CLOCK_FILE` if that is set.
    public static let real: HubEnvironment = {
        #if DEBUG
            if let clock = FileClock.fromProcessEnvironment { return clock.hubEnvironment }
        #endif
        return system
    }()

    private static let system = HubEnvironment(
        // Whole milliseconds, the precision of all stored times.
        now: { Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1000).rounded(.down) / 1000) },
        sleep: { until in
            let seconds = until.timeIntervalSinceNow
            guard seconds > 0 else { return try Task.checkCancellation() }
            // The clock may be set meanwhile. Set forward, the moment may have come; set back, the wait is no longer than planned.
            var left = min(seconds, 86_400 * 365)
            while case let piece = min(left, until.timeIntervalSinceNow, HubEnvironment.clockPollInterval), piece > 0 {
                try await Task.sleep(for: .milliseconds(Int64((piece * 1000).rounded(.up))))
                left -= piece
            }
        },
        newID: { orderedID(at: Date().milliseconds) })

    /// A UUID of version 7 (RFC 9562, section 5.7): the moment first, then 74 random bits. An index of such names grows at its end,
    /// where random ones would touch a page each.
    static func orderedID(at milliseconds: Int64) -> String {
        let moment = UInt64(truncatingIfNeeded: milliseconds) & 0xFFFF_FFFF_FFFF
        let first = moment << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
        let second = 1 << 63 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF)
        return String(unsafeUninitializedCapacity: 32) { digits in
            for (index, half) in [first, second].enumerated() {
                for place in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * place) & 0xF)
                    digits[index * 16 + place] = digit < 10 ? 0x30 + digit : 0x57 + digit
                }
            }
            return 32
        }
    }
}

extension HubEnvironment {
    /// Returns the result of `work`, retrying every few seconds while the disk fails: a service that ended would end the hub.
    ///
    /// - Parameter trouble: the log message for each failure.
    /// - Throws: `CancellationError`, and nothing else.
    func retryUntilSuccess<Value>(_ trouble: Logger.Message, _ logger: Logger, _ work: () async throws -> Value) async throws -> Value {
        while true {
            do {
                return try await work()
            } catch let error as CancellationError {
                throw error
            } catch {
                logger.error(trouble, metadata: ["error": "\(type(of: error))"])
                try await sleep(now().addingTimeInterval(Self.retryInterval))
            }
        }
    }

    /// Seconds after which a sleeping task checks the clock again.
    fileprivate static let clockPollInterval: TimeInterval = 30

    /// Seconds between two attempts after a disk error.
    static let retryInterval: TimeInterval = 5
}
