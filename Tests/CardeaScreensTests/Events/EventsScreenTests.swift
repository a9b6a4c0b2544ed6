import CardeaAPI
import CardeaClient
import CardeaScreens
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@Suite("Events screen", .timeLimit(.minutes(10)))
struct EventsScreenTests {
    @MainActor private func screen(_ phone: TestPhone) -> EventsScreen {
        EventsScreen(replica: phone.replica, environment: TestPhone.environment(phone.house.clock))
    }

    @Test("The screen goes from loading to empty to events with their thumbnails")
    func seen() async throws {
        try await withPictureHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = screen(phone)
            #expect(screen.state == .loading)
            await screen.refresh()
            #expect(screen.state == .empty)

            _ = try await phone.recordEvent("animal", "A cat", picture: nil)
            house.clock.advance(by: 1)
            let person = try await phone.recordEvent("person", "Somebody with a parcel")
            await screen.refresh()

            let events = try #require(screen.state.content)
            #expect(events.map(\.description) == ["Somebody with a parcel", "A cat"])
            #expect(screen.thumbnail(of: events[0]) == .loading && screen.thumbnail(of: events[1]) == .empty)
            for event in events { await screen.load(event) }
            #expect(screen.thumbnail(of: events[0]).content?.starts(with: smallestJPEG) == true && events[0].id == person)
            screen.filter.words = "cat"
            #expect(screen.state.content?.map(\.description) == ["A cat"] && !screen.hasNoMatches)
            screen.filter.words = "fire"
            #expect(screen.hasNoMatches)
        }
    }

    @Test("Offline the last events are shown, and a failed thumbnail is requested again")
    func tunnel() async throws {
        try await withPictureHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            _ = try await phone.recordEvent("person")
            let screen = screen(phone)
            await screen.refresh()
            let (seenAt, event) = (house.clock.now, try #require(screen.state.content?.first))
            phone.transport.setCondition(.unreachable)
            house.clock.advance(by: 120)

            await screen.refresh()
            await screen.load(event)

            guard case .stale(let events, let asOf, let why?) = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(events == [event] && asOf == seenAt && why.canRetry)
            #expect(screen.thumbnail(of: event).problem?.canRetry == true)
            phone.transport.setCondition(.clear)
            await screen.refresh()
            await screen.load(event)
            #expect(
                screen.state == .ready([event]) && screen.thumbnail(of: event).content != nil && screen.thumbnail(of: event).problem == nil)
        }
    }

    @Test("A cached thumbnail is shown offline, and a deleted one is not")
    func kept() async throws {
        try await withPictureHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let (kept, deleted) = (try await phone.recordEvent("person"), try await phone.recordEvent("animal"))
            let screen = screen(phone)
            await screen.refresh()
            let events = try #require(screen.state.content)
            _ = try await phone.replica.thumbnail(of: kept)
            try await phone.client.events.remove(deleted)

            for event in events where event.id == deleted { await screen.load(event) }
            phone.transport.setCondition(.unreachable)
            house.clock.advance(by: 2 * 86_400)
            for event in events where event.id == kept { await screen.load(event) }

            for event in events {
                switch screen.thumbnail(of: event) {
                case .empty: #expect(event.id == deleted)
                case .stale(let picture, let asOf, .some): #expect(event.id == kept && !picture.isEmpty && asOf < house.clock.now)
                default: Issue.record("\(event.id) shows \(screen.thumbnail(of: event))")
                }
            }
        }
    }
}
