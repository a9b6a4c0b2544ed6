import Logging
import Synchronization

/// Records the house's log.
public final class LogRecorder: Sendable {
    private let lines = Mutex<[String]>([])

    public init() {}

    /// Message and metadata, in the order in which they were written.
    public var entries: [String] { lines.withLock { $0 } }

    public var logger: Logger { Logger(label: "test") { _ in RecordingHandler(log: self) } }

    private struct RecordingHandler: LogHandler {
        let log: LogRecorder
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            log.lines.withLock { $0.append("\(event.message)\(details)") }
        }
    }
}

extension Logger {
    /// A logger without output.
    public static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
