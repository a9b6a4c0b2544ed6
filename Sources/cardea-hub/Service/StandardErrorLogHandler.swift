import Logging

/// Writes lines to standard error, and formats their metadata only when there is a line to write.
///
/// `StreamLogHandler` alone does so whenever its metadata change. That is with each request, and most write nothing.
struct StandardErrorLogHandler: LogHandler {
    private var stream: StreamLogHandler
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider? {
        get { stream.metadataProvider }
        set { stream.metadataProvider = newValue }
    }
    var logLevel: Logger.Level {
        get { stream.logLevel }
        set { stream.logLevel = newValue }
    }

    init(label: String) { stream = .standardError(label: label) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard !metadata.isEmpty else { return stream.log(event: event) }
        var event = event
        event.metadata = metadata.merging(event.metadata ?? [:]) { _, own in own }
        stream.log(event: event)
    }
}
