import CardeaScreens
import Testing

@Suite("Pass state machine")
struct PassStateTests {
    private static let states: [PassState] = [.loading, .ready, .executing, .success, .error("jammed"), .expired]
    private static let events: [PassState.Event] = [
        .viewed, .validated, .tapped, .cancelled, .succeeded, .failed("lost"), .invalidated, .dismissed,
    ]

    /// Every state by every event; nil if it has no meaning.
    private static let table: [[PassState?]] = [
        // opened, known, tapped, withdrawn, done, failed, ended, read
        [.loading, .ready, nil, nil, nil, .error("lost"), .expired, nil],
        [.loading, nil, .executing, nil, nil, nil, nil, nil],
        [nil, nil, nil, .ready, .success, .error("lost"), .expired, nil],
        [.loading, nil, .executing, nil, nil, nil, nil, .ready],
        [.loading, nil, .executing, nil, nil, nil, nil, .ready],
        [.loading, nil, nil, nil, nil, nil, nil, nil],
    ]

    @Test("Every event leads to the state in the transition table or changes nothing")
    func transitions() {
        for (state, row) in zip(Self.states, Self.table) {
            for (event, next) in zip(Self.events, row) {
                #expect(state.next(event) == next, "\(state) after \(event)")
            }
        }
        #expect(Self.table.count == Self.states.count && Self.table.allSatisfy { $0.count == Self.events.count })
    }

    @Test("A second tap does not repeat a command in progress")
    func secondTap() {
        #expect(PassState.executing.next(.tapped) == nil)
    }

    @Test("Only a report of the hub ends a pass; errors and taps do not")
    func onlyTheHouseEndsIt() {
        for state in Self.states {
            for event in Self.events where event != .invalidated {
                #expect(state.next(event) != .expired, "\(state) after \(event)")
            }
        }
    }
}
