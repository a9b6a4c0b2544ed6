import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import NIOCore
import NIOFoundationCompat

/// The hub's messages on `/api/v1/realtime` after `init`: `{type, data, timestamp}` alone (Seed 004, `WebSocketEvent`).
extension SourceFormatEncoder {
    /// An event, encoded once for all who see the same. Nil for events that the source contract does not know, and for the house's status,
    /// which is made for each person.
    func realtimeFrame(_ event: JournalEvent) throws -> RealtimeFrame? {
        try self.event(event, consciousness: nil).map { try realtimeFrame($0) }
    }

    func realtimeFrame(_ event: DemoEvent) throws -> RealtimeFrame {
        let data = ByteBuffer(data: try WireFormat.encode(event.data))
        var payload = ByteBufferAllocator().buffer(capacity: data.readableBytes + 128)
        payload.writeString(#"{"type":"\#(event.type)","data":"#)
        payload.writeImmutableBuffer(data)
        payload.writeString(#","timestamp":"\#(Timestamp.text(event.timestamp))"}"#)
        return RealtimeFrame(seq: nil, name: event.type, payload: payload, part: data)
    }

    /// The house's status.
    func realtimeFrame(_ consciousness: ConsciousnessAnswer, at event: JournalEvent) throws -> RealtimeFrame? {
        try self.event(event, consciousness: consciousness).map { try realtimeFrame($0) }
    }

    /// The answer to `init`.
    func greeting(_ subjects: [Subject]) -> DemoEvent {
        reply(
            "init_complete",
            .greeting(clientID: Base64URL.encode(SecretGenerator.randomBytes(9)), subscriptions: subjects.map(\.rawValue)))
    }
}

extension SourceFormatEncoder.Subject {
    /// Those of the names that exist; all of them if none are named.
    static func named(_ names: [String]?) -> [SourceFormatEncoder.Subject] {
        allCases.filter { names?.contains($0.rawValue) ?? true }
    }

    /// The events that are sent about it.
    var eventNames: Set<JournalEvent.Name> {
        switch self {
        case .consciousness: [.consciousnessQuery, .statusUpdate]
        case .devices: [.deviceUpdate, .deviceRemoved, .batchDeviceUpdate]
        case .interview: [.interviewUpdate]
        }
    }
}
