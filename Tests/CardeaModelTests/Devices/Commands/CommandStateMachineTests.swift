import CardeaModel
import Foundation
import Testing

@Suite("Command state machine")
struct CommandStateMachineTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let notAfter = now.addingTimeInterval(10)

    private func life(_ status: CommandStatus) -> CommandStateMachine { CommandStateMachine(status: status, notAfter: Self.notAfter) }

    @Test("A command is accepted, sent and confirmed")
    func straight() {
        var life = CommandStateMachine(notAfter: Self.notAfter)
        let moved1 = life.apply(.dispatched, at: Self.now)
        #expect(moved1)
        #expect(life.status == .dispatching)
        let moved2 = life.apply(.confirmed, at: Self.now)
        #expect(moved2)
        #expect(life.status == .confirmed && !life.useReturned)
    }

    @Test("A command past its deadline is never sent, and its use is returned")
    func tooLate() {
        var life = CommandStateMachine(notAfter: Self.notAfter)
        let moved3 = life.apply(.dispatched, at: Self.notAfter)
        #expect(moved3)
        #expect(life.status == .expired && life.useReturned)
    }

    @Test("A use is returned only if the command certainly had no effect")
    func refunds() {
        let cases: [(CommandStatus, CommandStateMachine.Event, CommandStatus, Bool)] = [
            (.accepted, .refused, .expired, true), (.accepted, .deadlinePassed, .expired, true),
            (.dispatching, .failed(executed: false), .failed, true), (.dispatching, .failed(executed: true), .failed, false),
            (.dispatching, .deadlinePassed, .unknown, false), (.dispatching, .confirmed, .confirmed, false),
        ]
        for (from, event, to, returned) in cases {
            var life = life(from)
            let moved4 = life.apply(event, at: Self.now)
            #expect(moved4)
            #expect(life.status == to && life.useReturned == returned, "\(from) \(event)")
        }
    }

    @Test("A final state never changes")
    func over() {
        let events: [CommandStateMachine.Event] = [.dispatched, .confirmed, .failed(executed: false), .deadlinePassed, .refused]
        for status in CommandStatus.allCases where status.isOver {
            for event in events {
                var life = life(status)
                let before = life
                let moved5 = life.apply(event, at: Self.now)
                #expect(!moved5)
                #expect(life == before)
            }
        }
    }

    @Test("A report before sending confirms nothing, and a refusal after sending returns no use")
    func outOfOrder() {
        var waiting = life(.accepted)
        let moved6 = waiting.apply(.confirmed, at: Self.now)
        #expect(!moved6)
        let moved7 = waiting.apply(.failed(executed: false), at: Self.now)
        #expect(!moved7)
        var sent = life(.dispatching)
        let moved8 = sent.apply(.refused, at: Self.now)
        #expect(!moved8)
        let moved9 = sent.apply(.dispatched, at: Self.now)
        #expect(!moved9)
    }

    @Test("After a crash a fresh unsent command is sent once, a stale one expires, a sent one is not resent")
    func recovery() {
        #expect(life(.accepted).recovery(at: Self.now) == .dispatch)
        #expect(life(.accepted).recovery(at: Self.notAfter) == .expire)
        #expect(life(.dispatching).recovery(at: Self.now) == .markUnknown)
        for status in CommandStatus.allCases where status.isOver { #expect(life(status).recovery(at: Self.now) == .none) }
    }

    @Test("For any order of events a command is sent at most once, and a confirmed or unknown one returns no use")
    func anyOrder() {
        var random = SeededGenerator.forTest(7)
        let events: [CommandStateMachine.Event] = [
            .dispatched, .confirmed, .failed(executed: false), .failed(executed: true), .deadlinePassed, .refused,
        ]
        for _ in 0..<20_000 {
            var life = CommandStateMachine(notAfter: Self.notAfter)
            var sendings = 0
            for _ in 0..<8 {
                let before = life.status
                life.apply(
                    events.randomElement(using: &random) ?? .refused,
                    at: Self.now.addingTimeInterval(Double.random(in: 0...12, using: &random)))
                if before == .accepted && life.status == .dispatching { sendings += 1 }
            }
            #expect(sendings <= 1, "seed \(random.seed)")
            #expect(!(life.useReturned && (life.status == .confirmed || life.status == .unknown)), "seed \(random.seed)")
        }
    }
}
