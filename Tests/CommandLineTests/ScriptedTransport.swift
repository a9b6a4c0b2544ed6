import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization
import Testing

@testable import cardea

/// A house scripted by a closure, which records its requests.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest, Int) -> Result<TransportResponse, TransportError>

    private let script: Script
    private let sentRequests = Mutex<[TransportRequest]>([])

    /// - Parameter script: gets the request and the number of earlier ones.
    init(_ script: @escaping Script) {
        self.script = script
    }

    var requests: [TransportRequest] { sentRequests.withLock { $0 } }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let before = sentRequests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        return try script(request, before).get()
    }
}

extension Result<TransportResponse, TransportError> {
    static func json(_ status: Int, _ text: String) -> Self {
        .success(TransportResponse(status: status, body: Data(text.utf8)))
    }

    static func refused(_ status: Int, _ code: String) -> Self {
        .json(status, #"{"error":{"code":"\#(code)","message":"No: \#(code).","details":{}}}"#)
    }
}
