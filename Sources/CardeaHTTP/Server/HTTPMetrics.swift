import Foundation
import HTTPTypes
import Synchronization

/// Metrics of requests for `/metrics`, in Prometheus' text form. They contain no name, path or address.
final class HTTPMetrics: Sendable {
    private struct Series: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct Counts {
        var requests: [Series: Int] = [:]
        /// The number of requests that took longer than the bound before, and not longer than this one.
        var buckets: [Int]
        var sum = 0.0
        var count = 0
    }

    /// Upper bounds in seconds.
    private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    private let counts = Mutex(Counts(buckets: Array(repeating: 0, count: 13)))

    func record(_ method: HTTPRequest.Method, route: String, status: Int, took: Duration) {
        let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
        // All unknown methods share one series.
        let known =
            switch method {
            case .get, .head, .post, .put, .patch, .delete, .options: method.rawValue
            default: "other"
            }
        counts.withLock { counts in
            counts.requests[Series(method: known, route: route, status: status), default: 0] += 1
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts.buckets[bucket] += 1 }
            counts.sum += seconds
            counts.count += 1
        }
    }

    func prometheusText(gauges: [(name: String, help: String, value: Double)]) -> String {
        let counts = counts.withLock { $0 }
        var lines = ["# HELP cardea_http_requests_total Requests answered.", "# TYPE cardea_http_requests_total counter"]
        for (series, count) in counts.requests.sorted(by: {
            ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
        }) {
            lines.append(
                "cardea_http_requests_total{method=\"\(series.method)\",route=\"\(series.route)\",status=\"\(series.status)\"} \(count)")
        }
        lines += ["# HELP cardea_http_request_seconds Time to answer.", "# TYPE cardea_http_request_seconds histogram"]
        var within = 0
        for (bound, count) in zip(Self.bounds, counts.buckets) {
            within += count
            lines.append("cardea_http_request_seconds_bucket{le=\"\(bound)\"} \(within)")
        }
        lines += [
            "cardea_http_request_seconds_bucket{le=\"+Inf\"} \(counts.count)", "cardea_http_request_seconds_sum \(counts.sum)",
            "cardea_http_request_seconds_count \(counts.count)",
        ]
        for gauge in gauges {
            lines += ["# HELP \(gauge.name) \(gauge.help)", "# TYPE \(gauge.name) gauge", "\(gauge.name) \(gauge.value)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
