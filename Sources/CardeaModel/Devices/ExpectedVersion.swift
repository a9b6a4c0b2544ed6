/// Which version of a thing somebody has seen and means to change, so that nobody overwrites what they have not read.
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
