import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// Who was at the door: the latest that was seen, newest first, with its pictures.
@MainActor @Observable
public final class EventsScreen {
    /// What is looked for; as it is made, everything.
    public var filter = Events.Filter()

    private let replica: Replica
    private let loader: ContentLoader<[EventSummary]>
    /// Pictures that were asked for, as they stand.
    private var thumbnails: [String: LoadState<Data>] = [:]
    /// In the order in which they were asked for.
    private var order: [String] = []

    /// Pictures at hand for a drawing; the others are in the file.
    static let thumbnailLimit = 60

    public init(replica: Replica, environment: ClientEnvironment = .live) {
        self.replica = replica
        loader = ContentLoader(replica, now: environment.now, isEmpty: \.isEmpty) { try await $0.events() }
    }

    /// What was seen that is looked for.
    public var state: LoadState<[EventSummary]> {
        loader.state.map { events in events.filter(filter.matches) }
    }

    /// Whether something was seen, and nothing of it is what is looked for.
    public var hasNoMatches: Bool { state.content?.isEmpty == true }

    public var isRefreshing: Bool { loader.isRefreshing }

    /// Asks the house. A view does so when it appears, when it is pulled, and every half minute while it is looked at.
    public func refresh() async {
        await loader.refresh()
    }

    /// What an event looked like, as far as it is here: a view asks for it with `load` when its row appears.
    public func thumbnail(of event: EventSummary) -> LoadState<Data> {
        event.hasThumbnail ? thumbnails[event.id] ?? .loading : .empty
    }

    /// Brings the picture of an event, unless it is here. One that could not be had is asked for again.
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
            // Whoever scrolled on has no problem.
            guard let problem = UserFacingError(error) else { return }
            store(.failed(problem), of: event)
        }
    }

    private func store(_ picture: LoadState<Data>, of event: EventSummary) {
        if thumbnails.updateValue(picture, forKey: event.id) == nil { order.append(event.id) }
        while order.count > Self.thumbnailLimit { thumbnails[order.removeFirst()] = nil }
    }
}
