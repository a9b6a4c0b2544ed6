import CardeaModel
import Foundation

/// What was asked of the house, and who may ask for what. All of it is values: whoever imagines by them can move nothing. Whoever puts the
/// house together fills it, as they fill `Senses`.
public protocol CommandHistoryReader: Sendable {
    /// What was asked of devices and taken on, oldest first; the latest thousand.
    ///
    /// - Parameter deviceID: nil for any device.
    func commands(of deviceID: String?, since: Date) async throws -> [RecordedCommand]

    /// What everybody holds and what was tried since a moment, as the records stand.
    func replay(since: Date) async throws -> AccessReplay
}
