import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// The latest events at the house, newest first, with their pictures.
@MainActor @Observable
public final class EventsScreen {
    /// The filter for events. The default matches everything.
    public var filter = Events.Filter()

    private let replica: Replica
    private let loader: ContentLoader<[EventSummary]>
    /// The thumbnails requested so far.
    private var thumbnails: [String: LoadState<Data>] = [:]
    /// In the order of the requests.
    private var order: [String] = []

    /// The number of pictures in memory; the others are in the file.
    static let thumbnailLimit = 60

    public init(replica: Replica, environment: ClientEnvironment = .live) {
        self.replica = replica
        loader = ContentLoader(replica, now: environment.now, isEmpty: \.isEmpty) { try await $0.events() }
    }

    /// The events that match the filter.
    public var state: LoadState<[EventSummary]> {
        loader.state.map { events in events.filter(filter.matches) }
    }

    /// True if there are events, but none matches the filter.
    public var hasNoMatches: Bool { state.content?.isEmpty == true }

    public var isRefreshing: Bool { loader.isRefreshing }

    /// Asks the house. A view calls this when it appears, on pull to refresh, and every 30 seconds while it is visible.
    public func refresh() async {
        await loader.refresh()
    }

    /// The thumbnail of an event, if loaded. A view requests it with `load` when its row appears.
    public func thumbnail(of event: EventSummary) -> LoadState<Data> {
        event.hasThumbnail ? thumbnails[event.id] ?? .loading : .empty
    }

    /// Loads the picture of an event, unless it is loaded. A failed one is requested again.
    public func load(_ event: EventSummary) async {
        guard event.hasThumbnail else { return }
        switch thumbnails[event.id] {
        case .ready, .stale(_, _, nil), .empty: return
        case .loading, .stale, .failed, nil: break
        }
        do {
            let picture = try await replica.thumbnail(of: event.id)
            let why = picture.problem.flatMap { UserFacingError($0) }
            store(why.map { .stale(picture.value, asOf: picture.asOf, why: $0) } ?? .ready(picture.value), of: event)
        } catch ClientError.api(let answer) where [404, 410].contains(answer.status) {
            store(.empty, of: event)
        } catch {
            // Cancelled because the person scrolled on: not an error.
            guard let problem = UserFacingError(error) else { return }
            store(.failed(problem), of: event)
        }
    }

    private func store(_ picture: LoadState<Data>, of event: EventSummary) {
        if thumbnails.updateValue(picture, forKey: event.id) == nil { order.append(event.id) }
        while order.count > Self.thumbnailLimit { thumbnails[order.removeFirst()] = nil }
    }
}
