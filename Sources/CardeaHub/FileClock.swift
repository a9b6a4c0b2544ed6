#if DEBUG
    import CardeaModel
    import Foundation

    /// A clock that a test controls from outside: the system's, ahead by the number of seconds in a file.
    ///
    /// `CARDEA_CLOCK_FILE` names the file. Only debug builds read it: anyone who moves a house's clock extends every pass.
    struct FileClock: Sendable {
        let file: String

        /// Seconds between two reads of the file during a sleep.
        private static let pollInterval: TimeInterval = 0.02

        static let fromProcessEnvironment = ProcessInfo.processInfo.environment["CARDEA_CLOCK_FILE"].map(FileClock.init(file:))

        /// The current time in whole milliseconds. A file that is missing or holds no number adds nothing.
        func now() -> Date {
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            let ahead = TimeInterval(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            return Date(timeIntervalSince1970: ((Date().timeIntervalSince1970 + ahead) * 1000).rounded(.down) / 1000)
        }

        func sleep(until moment: Date) async throws {
            try Task.checkCancellation()
            while case let left = moment.timeIntervalSince(now()), left > 0 {
                try await Task.sleep(for: .seconds(min(left, Self.pollInterval)))
            }
        }

        var hubEnvironment: HubEnvironment {
            HubEnvironment(now: now, sleep: { try await sleep(until: $0) }, newID: { HubEnvironment.orderedID(at: now().milliseconds) })
        }
    }
#endif
