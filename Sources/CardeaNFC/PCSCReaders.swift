import Dispatch

#if canImport(Darwin)
    import Darwin
    import PCSC
#else
    import CPCSC
    import Glibc
#endif

/// The card readers of this machine.
///
/// The library blocks, and allows one call at a time per context: everything happens on one queue.
public final class PCSCReaders: @unchecked Sendable {
    private let queue = DispatchQueue(label: "cardea.pcsc")
    private let context: SCARDCONTEXT

    /// Refuses with `noService` if nothing looks after readers.
    private init() throws(PCSCError) {
        var context = SCARDCONTEXT()
        // Every implementation supports the system scope.
        try PCSC.check(SCardEstablishContext(2, nil, nil, &context))
        self.context = context
    }

    /// Waits until a card is on a reader, and calls `work` with it. Card and reader are released when it returns: the library must not be
    /// in use when the program ends.
    ///
    /// - Parameters:
    ///   - reader: the reader, by its name or a part of it; nil for the only one with a card.
    ///   - isAlone: called once if there is no card yet.
    public static func withCard<Answer>(
        on reader: String? = nil, timeout: Duration = .seconds(30), isAlone: @Sendable () -> Void = {},
        _ work: (PCSCCard) async throws -> Answer
    ) async throws -> Answer {
        let readers = try PCSCReaders()
        let answer: Result<Answer, any Error>
        do {
            let card = try await readers.waitForCard(on: reader, timeout: timeout, isAlone: isAlone)
            do { answer = .success(try await work(card)) } catch { answer = .failure(error) }
            await card.disconnect()
        } catch {
            answer = .failure(error)
        }
        await readers.releaseContext()
        return try answer.get()
    }

    private func releaseContext() async {
        _ = try? await run { [context] in SCardReleaseContext(context) }
    }

    /// Returns the names of the readers; empty if there is none.
    private func names() async throws -> [String] {
        try await run { [context] in try Self.names(context) }
    }

    private func waitForCard(on reader: String?, timeout: Duration, isAlone: @Sendable () -> Void) async throws -> PCSCCard {
        let all = try await names()
        guard !all.isEmpty else { throw PCSCError.noReader }
        let wanted = try Self.matchingReaders(reader, among: all)
        let deadline = ContinuousClock.now + timeout
        var wasTold = false
        var reason = PCSCError.noCard
        while true {
            try Task.checkCancellation()
            let there = try await run { [context] in try Self.readersWithCard(among: wanted, context, Self.pollInterval) }
            if there.count > 1 { throw PCSCError.multipleCards(there) }
            if let only = there.first {
                do {
                    return try await run { [self] in try PCSCCard(on: only, context, of: self) }
                } catch let problem as PCSCError where problem == .cardRemoved || problem == .unresponsiveCard {
                    // The card is still being placed.
                    reason = problem
                }
            } else if !wasTold {
                isAlone()
                wasTold = true
            }
            guard ContinuousClock.now < deadline else { throw reason }
        }
    }

    /// Runs what blocks, in turn.
    func run<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { done in
            queue.async { done.resume(with: Result(catching: work)) }
        }
    }

    /// Milliseconds after which a cancellation is noticed.
    private static let pollInterval: UInt32 = 250

    private static func matchingReaders(_ name: String?, among all: [String]) throws -> [String] {
        guard let name else { return all }
        if all.contains(name) { return [name] }
        let alike = all.filter { $0.lowercased().contains(name.lowercased()) }
        guard !alike.isEmpty else { throw PCSCError.unknownReader(name, there: all) }
        return alike
    }

    private static func names(_ context: SCARDCONTEXT) throws(PCSCError) -> [String] {
        var count = PCSC.Word(0)
        do {
            try PCSC.check(SCardListReaders(context, nil, nil, &count))
            var text = [CChar](repeating: 0, count: Int(count))
            try PCSC.check(SCardListReaders(context, nil, &text, &count))
            return text.prefix(Int(count)).split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
        } catch PCSCError.noReader {
            return []
        }
    }

    /// The readers with a card, at once if there is one, otherwise after that many milliseconds.
    private static func readersWithCard(among readers: [String], _ context: SCARDCONTEXT, _ wait: UInt32) throws -> [String] {
        let names = readers.map { strdup($0) }
        defer { for name in names { free(name) } }
        var states = names.map { name in
            var state = SCARD_READERSTATE()
            state.szReader = name.map { UnsafePointer($0) }
            return state
        }
        // The present state is reported at once; only the second call waits for a change.
        for timeout in [0, wait] {
            let code = PCSC.code(SCardGetStatusChange(context, PCSC.Word(timeout), &states, PCSC.Word(states.count)))
            if code != 0, PCSCError(code) != .noCard { throw PCSCError(code) }
            let there = zip(readers, states).filter { $1.dwEventState & PCSC.statePresent != 0 }.map(\.0)
            guard there.isEmpty else { return there }
            for place in states.indices { states[place].dwCurrentState = states[place].dwEventState }
        }
        return []
    }
}

/// The differences between the implementations of PC/SC.
enum PCSC {
    #if canImport(Darwin)
        typealias Word = UInt32
        typealias Code = Int32
    #else
        typealias Word = DWORD
        typealias Code = LONG
    #endif

    static let statePresent: Word = 0x20
    static let protocolT0: Word = 1
    static let protocolT1: Word = 2
    static let shareShared: Word = 2
    static let leaveCard: Word = 0
    static let resetCard: Word = 1

    static func code(_ code: Code) -> UInt32 { UInt32(truncatingIfNeeded: code) }

    static func check(_ answer: Code) throws(PCSCError) {
        let code = code(answer)
        guard code == 0 else { throw PCSCError(code) }
    }
}
