import CardeaClient
import Foundation

/// Draws a watched house on the screen as it changes, until the person quits.
struct WatchScreen {
    private enum Input: Sendable {
        case event(LiveEvent)
        case eventsEnded
        case terminal(TerminalEvent)
        /// A second has passed: ages and highlights have changed.
        case tick
        case redrawDue
    }

    private let output: Output
    private let listensToKeys: Bool
    private var house: WatchModel
    private var page = 0

    init(house: WatchModel, output: Output, listensToKeys: Bool) {
        self.house = house
        self.output = output
        self.listensToKeys = listensToKeys
    }

    /// The minimum time between two frames, however many events arrive.
    private static let minFrameInterval: Duration = .milliseconds(50)

    /// - Throws: the reason why the events ended, once the terminal is restored.
    mutating func run(_ events: AsyncStream<LiveEvent>) async throws {
        let screen = AlternateScreen(listensToKeys: listensToKeys)
        screen.enter()
        let end: ExitReason
        do {
            defer { screen.leave() }
            end = await processInputs(events, on: screen)
        }
        switch end {
        case .quit: break
        case .failed(let error): throw error
        case .signal(let signal): _exit(128 + signal)
        }
    }

    private enum ExitReason: Sendable {
        case quit
        case failed(ClientError)
        /// The exit status that a shell gives a program that a signal ended.
        case signal(Int32)
    }

    private mutating func processInputs(_ events: AsyncStream<LiveEvent>, on screen: AlternateScreen) async -> ExitReason {
        let (stimuli, feed) = AsyncStream<Input>.makeStream()
        let keys = listensToKeys
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await event in events { feed.yield(.event(event)) }
                feed.yield(.eventsEnded)
            }
            group.addTask { for await event in TerminalEventSource.events(keys: keys) { feed.yield(.terminal(event)) } }
            group.addTask { while (try? await Task.sleep(for: .seconds(1))) != nil { feed.yield(.tick) } }
            draw(on: screen)
            var (drawn, isWaiting) = (ContinuousClock.now, false)
            for await stimulus in stimuli {
                if let end = handle(stimulus, screen) { return end }
                if case .redrawDue = stimulus { isWaiting = false }
                guard !isWaiting else { continue }
                let pause = drawn + Self.minFrameInterval - .now
                if pause > .zero {
                    isWaiting = true
                    group.addTask { if (try? await Task.sleep(for: pause)) != nil { feed.yield(.redrawDue) } }
                } else {
                    draw(on: screen)
                    drawn = .now
                }
            }
            return .quit
        }
    }

    /// Nil to continue.
    private mutating func handle(_ stimulus: Input, _ screen: AlternateScreen) -> ExitReason? {
        switch stimulus {
        case .event(.interrupted(let error, .zero)): return .failed(error)
        case .event(let event): house.receive(event, at: Date())
        case .eventsEnded: return .quit
        case .terminal(.signal(let signal)): return .signal(signal)
        case .terminal(.key(let key)): return changePage(key, screen)
        case .terminal(.suspended): screen.suspend()
        case .terminal(.resized): screen.invalidate()
        case .tick, .redrawDue: break
        }
        return nil
    }

    private mutating func changePage(_ key: TerminalEvent.Key, _ screen: AlternateScreen) -> ExitReason? {
        let last = currentPage.pageCount - 1
        switch key {
        case .quit: return .quit
        case .next: page = page >= last ? 0 : page + 1
        case .back: page = page <= 0 ? last : min(page, last) - 1
        case .first: page = 0
        case .last: page = last
        case .redraw: screen.invalidate()
        }
        return nil
    }

    private var currentPage: WatchPage {
        WatchPage(house: house, now: Date(), size: AlternateScreen.size, style: output.style, listensToKeys: listensToKeys)
    }

    private func draw(on screen: AlternateScreen) { screen.draw(currentPage.lines(page: page)) }
}
