import CardeaSync
import Foundation

/// The state of a screen's content, and how current it is.
public enum LoadState<Content: Sendable>: Sendable {
    /// Nothing is loaded yet, and the request is in progress.
    case loading
    /// The house has nothing of the kind.
    case empty
    /// The house's present content.
    case ready(Content)
    /// Stored content. `why` is nil while the house is still being asked.
    case stale(Content, asOf: Date, why: UserFacingError?)
    /// Nothing could be loaded, for this reason.
    case failed(UserFacingError)

    /// The known content, however old.
    public var content: Content? {
        switch self {
        case .ready(let content), .stale(let content, _, _): content
        case .loading, .empty, .failed: nil
        }
    }

    /// The reason why the content is not the house's present one.
    public var problem: UserFacingError? {
        switch self {
        case .failed(let problem): problem
        case .stale(_, _, let why): why
        case .loading, .empty, .ready: nil
        }
    }

    public func map<Other: Sendable>(_ transform: (Content) -> Other) -> LoadState<Other> {
        switch self {
        case .loading: .loading
        case .empty: .empty
        case .ready(let content): .ready(transform(content))
        case .stale(let content, let asOf, let why): .stale(transform(content), asOf: asOf, why: why)
        case .failed(let problem): .failed(problem)
        }
    }
}

extension LoadState {
    /// Converts optional content: nil becomes `empty`.
    func unwrapped<Thing: Sendable>() -> LoadState<Thing> where Content == Thing? {
        switch self {
        case .loading: .loading
        case .ready(let content?): .ready(content)
        case .stale(let content?, let asOf, let why): .stale(content, asOf: asOf, why: why)
        case .empty, .ready(nil), .stale(nil, _, _): .empty
        case .failed(let problem): .failed(problem)
        }
    }
}

extension LoadState: Equatable where Content: Equatable {}

extension LoadState {
    /// Stored content counts as current for this many seconds: twice the 30 seconds between two refreshes.
    static var freshnessInterval: TimeInterval { 60 }

    /// The state for stored content after the house was asked.
    ///
    /// - Parameter problem: why the house did not answer; nil if it did, or was not asked yet.
    init(_ stored: Dated<Content>, _ problem: UserFacingError?, at now: Date, isEmpty: (Content) -> Bool) {
        guard let asOf = stored.asOf else {
            self = problem.map { .failed($0) } ?? .loading
            return
        }
        if problem != nil || now.timeIntervalSince(asOf) > Self.freshnessInterval {
            self = .stale(stored.value, asOf: asOf, why: problem)
        } else {
            self = isEmpty(stored.value) ? .empty : .ready(stored.value)
        }
    }
}
