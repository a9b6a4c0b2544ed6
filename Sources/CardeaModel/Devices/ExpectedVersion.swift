/// The version that a client has read and means to change, so that no edit overwrites data that its author has not read.
public enum ExpectedVersion: Hashable, Sendable {
    /// Whatever it is now.
    case any
    case oneOf(Set<Int>)

    public func allows(_ version: Int) -> Bool {
        switch self {
        case .any: true
        case .oneOf(let versions): versions.contains(version)
        }
    }
}
