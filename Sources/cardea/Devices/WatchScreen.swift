import CardeaClient
import Foundation

/// Draws a watched house anew as it changes, until somebody has seen enough.
struct WatchScreen {
    private enum Stimulus: Sendable {
        case told(LiveEvent)
        case toldAll
        case terminal(TerminalEvent)
        /// A second went by: ages and what stands out have changed.
        case second
        case due
    }

    private let output: Output
    private let listensToKeys: Bool
    private var house: WatchedHouse
    private var page = 0

    init(house: WatchedHouse, output: Output, listensToKeys: Bool) {
        self.house = house
        self.output = output
        self.listensToKeys = listensToKeys
    }

    /// However much is told, nobody sees more pictures a second.
    private static let shortestStay: Duration = .milliseconds(50)

    /// - Throws: why the house tells no more, once the terminal is as it was.
    mutating func run(_ events: AsyncStream<LiveEvent>) async throws {
        let screen = FullScreen(listensToKeys: listensToKeys)
        screen.enter()
        let end: End
        do {
            defer { screen.leave() }
            end = await follow(events, on: screen)
        }
        switch end {
        case .enough: break
        case .silent(let error): throw error
        case .signal(let signal): _exit(128 + signal)
        }
    }

    private enum End: Sendable {
        case enough
        case silent(ClientError)
        /// As the shell counts a program that a signal ended.
        case signal(Int32)
    }

    private mutating func follow(_ events: AsyncStream<LiveEvent>, on screen: FullScreen) async -> End {
        let (stimuli, feed) = AsyncStream<Stimulus>.makeStream()
        let keys = listensToKeys
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await event in events { feed.yield(.told(event)) }
                feed.yield(.toldAll)
            }
            group.addTask { for await event in TerminalEvents.listen(keys: keys) { feed.yield(.terminal(event)) } }
            group.addTask { while (try? await Task.sleep(for: .seconds(1))) != nil { feed.yield(.second) } }
            draw(on: screen)
            var (drawn, isWaiting) = (ContinuousClock.now, false)
            for await stimulus in stimuli {
                if let end = take(stimulus, screen) { return end }
                if case .due = stimulus { isWaiting = false }
                guard !isWaiting else { continue }
                let pause = drawn + Self.shortestStay - .now
                if pause > .zero {
                    isWaiting = true
                    group.addTask { if (try? await Task.sleep(for: pause)) != nil { feed.yield(.due) } }
                } else {
                    draw(on: screen)
                    drawn = .now
                }
            }
            return .enough
        }
    }

    /// Nil where it goes on.
    private mutating func take(_ stimulus: Stimulus, _ screen: FullScreen) -> End? {
        switch stimulus {
        case .told(.interrupted(let error, .zero)): return .silent(error)
        case .told(let event): house.take(event, at: Date())
        case .toldAll: return .enough
        case .terminal(.signal(let signal)): return .signal(signal)
        case .terminal(.key(let key)): return turn(key, screen)
        case .terminal(.suspended): screen.suspend()
        case .terminal(.resized): screen.forget()
        case .second, .due: break
        }
        return nil
    }

    private mutating func turn(_ key: TerminalEvent.Key, _ screen: FullScreen) -> End? {
        let last = picture.pageCount - 1
        switch key {
        case .quit: return .enough
        case .next: page = page >= last ? 0 : page + 1
        case .back: page = page <= 0 ? last : min(page, last) - 1
        case .first: page = 0
        case .last: page = last
        case .redraw: screen.forget()
        }
        return nil
    }

    private var picture: WatchPage {
        WatchPage(house: house, now: Date(), size: FullScreen.size, ink: output.ink, listensToKeys: listensToKeys)
    }

    private func draw(on screen: FullScreen) { screen.draw(picture.lines(page: page)) }
}
