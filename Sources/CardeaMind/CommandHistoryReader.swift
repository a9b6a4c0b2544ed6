import CardeaModel
import Foundation

/// Reads past commands and the access rights of all people. It returns values only, so a simulation based on them cannot move anything.
/// The hub provides it, as it provides `HouseReader`.
public protocol CommandHistoryReader: Sendable {
    /// Accepted commands to devices, oldest first; the latest thousand.
    ///
    /// - Parameter deviceID: nil for any device.
    func commands(of deviceID: String?, since: Date) async throws -> [RecordedCommand]

    /// The rights of all callers and the attempts since a moment, as recorded.
    func replay(since: Date) async throws -> AccessReplay
}
