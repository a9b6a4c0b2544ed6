import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/healthz`, `/readyz` and `/metrics`, for the hub's operator.
struct HealthController: Sendable {
    let hub: Hub
    let broadcaster: RealtimeBroadcaster
    let metrics: HTTPMetrics

    func addRoutes(to table: RouteTable) {
        table.open(.health) { _, _ in Self.text("ok\n") }
        table.open(.ready, ready)
        table.open(.metrics) { _, _ in
            let (devices, _) = hub.devices.all
            return Self.text(
                metrics.prometheusText(gauges: [
                    ("cardea_devices", "Devices the house knows.", Double(devices.count)),
                    ("cardea_devices_offline", "Devices out of reach.", Double(devices.count { $0.status == .offline })),
                    (
                        "cardea_disk_low", "1 while the disk has less room than is kept for the house's own commands, else 0.",
                        hub.diskReserve.isLow ? 1 : 0
                    ),
                    ("cardea_realtime_listeners", "Who listens to the house as it happens.", Double(broadcaster.count)),
                ]), type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }

    private func ready(_ request: Request, _ context: HubRequestContext) async throws -> Response {
        do {
            try await hub.store.ping()
        } catch {
            throw APIResponseError(
                .serviceUnavailable, "service_unavailable",
                "The hub's database does not respond. Try again in a few seconds, then look at the hub's log.", retryAfter: 5)
        }
        return Self.text("ready\n")
    }

    private static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
