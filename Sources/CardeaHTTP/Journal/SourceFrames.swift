import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import NIOCore
import NIOFoundationCompat

/// The hub's messages on `/api/v1/realtime` after `init`: `{type, data, timestamp}` alone (Seed 004, `WebSocketEvent`).
extension DemoWire {
    /// An event, encoded once for everybody who sees the same. Nil for one that the source contract has no word for, and for how the house
    /// is, which is asked for each person anew.
    func told(_ event: JournalEvent) throws -> RealtimeFrame? {
        try self.event(event, standing: nil).map { try told($0) }
    }

    func told(_ said: DemoEvent) throws -> RealtimeFrame {
        let data = ByteBuffer(data: try Wire.encode(said.data))
        var payload = ByteBufferAllocator().buffer(capacity: data.readableBytes + 128)
        payload.writeString(#"{"type":"\#(said.type)","data":"#)
        payload.writeImmutableBuffer(data)
        payload.writeString(#","timestamp":"\#(Timestamp.text(said.timestamp))"}"#)
        return RealtimeFrame(seq: nil, name: said.type, payload: payload, part: data)
    }

    /// How the house is.
    func told(_ standing: ConsciousnessAnswer, at event: JournalEvent) throws -> RealtimeFrame? {
        try self.event(event, standing: standing).map { try told($0) }
    }

    /// The answer to `init`.
    func greeting(_ subjects: [Subject]) -> DemoEvent {
        answer(
            "init_complete",
            .greeting(clientID: Base64URL.encode(Minting.randomBytes(9)), subscriptions: subjects.map(\.rawValue)))
    }
}

extension DemoWire.Subject {
    /// Those of the names that exist; all of them where none are named.
    static func named(_ names: [String]?) -> [DemoWire.Subject] {
        allCases.filter { names?.contains($0.rawValue) ?? true }
    }

    /// The events that are told of it.
    var kinds: Set<JournalEvent.Name> {
        switch self {
        case .consciousness: [.consciousnessQuery, .statusUpdate]
        case .devices: [.deviceUpdate, .deviceRemoved, .batchDeviceUpdate]
        case .interview: [.interviewUpdate]
        }
    }
}
