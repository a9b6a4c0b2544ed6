import Metrics

/// Exchanges as the program's own metrics: `cardea_client_calls`, `cardea_client_call_seconds`, `cardea_client_request_bytes` and
/// `cardea_client_response_bytes`, by endpoint, method and status. They go wherever the program sends its metrics; by itself, nowhere.
enum CallMetricsRecorder {
    static func record(_ call: CallMetrics) {
        let status = call.status.map { String($0) } ?? call.error.map { "\($0)" } ?? "none"
        let dimensions = [("endpoint", call.endpoint), ("method", call.method.rawValue), ("status", status)]
        Counter(label: "cardea_client_calls", dimensions: dimensions).increment()
        let (seconds, attoseconds) = call.duration.components
        Recorder(label: "cardea_client_call_seconds", dimensions: dimensions).record(Double(seconds) + Double(attoseconds) / 1e18)
        Recorder(label: "cardea_client_request_bytes", dimensions: dimensions).record(call.requestSize)
        if let size = call.responseSize { Recorder(label: "cardea_client_response_bytes", dimensions: dimensions).record(size) }
    }
}
