import CardeaSecurity
import Foundation

extension RequestPipeline {
    /// Downloads the body into `download`. If the connection breaks, the rest is requested by the hub's entity tag, or everything if it has
    /// none. Progress resets the count of retries.
    func download(_ call: APICall, bearer: Secret?, into download: DownloadWriter) async throws(ClientError) -> TransportResponse {
        try await recordOutcome { () async throws(ClientError) -> TransportResponse in
            try await runDownload(call, bearer: bearer, into: download)
        }
    }

    private func runDownload(_ call: APICall, bearer: Secret?, into download: DownloadWriter) async throws(ClientError) -> TransportResponse
    {
        var attempt = 0
        while true {
            let before = await download.written
            let outcome = await Self.result { () async throws(ClientError) -> TransportResponse in
                var request = try request(call, bearer: bearer)
                request.headers["accept"] = "*/*"
                // Ranges count the stored bytes.
                request.headers["accept-encoding"] = "identity"
                request.headers.merge(await download.rangeHeaders()) { _, own in own }
                try await exchange(request, endpoint: call.endpoint, upload: nil) { try await download.receive($0) }
                do throws(TransportError) { return try await download.response() } catch { throw ClientError(error, host: hub.host) }
            }
            if await download.written > before { attempt = 0 }
            if case .success(let response) = outcome, response.status == 416 {
                // The stored bytes belonged to another version; the draft is empty again.
                attempt = max(attempt, 1)
            } else {
                guard let pause = health.retryDelay(after: outcome, attempt: attempt, jitter: environment.jitter()) else {
                    return try outcome.get()
                }
                do { try await environment.sleep(pause) } catch { throw .cancelled }
            }
            attempt += 1
        }
    }

    /// Uploads `source`. Retried only if the call is repeatable and the source can be read again.
    func upload(
        _ call: APICall, _ source: UploadSource, contentType: String, bearer: Secret?,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(ClientError) -> TransportResponse {
        defer { reads.writeFinished() }
        return try await recordOutcome { () async throws(ClientError) -> TransportResponse in
            try await runUpload(call, source, contentType: contentType, bearer: bearer, progress: progress)
        }
    }

    private func runUpload(
        _ call: APICall, _ source: UploadSource, contentType: String, bearer: Secret?,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(ClientError) -> TransportResponse {
        let means = call.isRepeatable && source.isRepeatable
        var attempt = 0
        var mayHaveArrived = false
        while true {
            let outcome = await Self.result { () async throws(ClientError) -> TransportResponse in
                var request = try request(call, bearer: bearer)
                request.headers["content-type"] = contentType
                let answer = BodyCollector()
                try await exchange(request, endpoint: call.endpoint, upload: source.reportingProgress(progress)) {
                    try await answer.receive($0)
                }
                return await answer.response
            }
            guard means, let pause = health.retryDelay(after: outcome, attempt: attempt, jitter: environment.jitter()) else {
                if mayHaveArrived, case .failure(let error) = outcome, error.isCertainlyUnsent { throw .interrupted(host: hub.host) }
                return try outcome.get()
            }
            if case .failure(let error) = outcome, error.isCertainlyUnsent {} else { mayHaveArrived = true }
            attempt += 1
            do { try await environment.sleep(pause) } catch { throw .cancelled }
        }
    }

    /// One exchange, with metrics: bytes of the bodies in both directions, and the result.
    private func exchange(
        _ request: TransportRequest, endpoint: String, upload: UploadSource?,
        receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws(ClientError) {
        guard let transport = transport as? any BulkTransport else {
            throw ClientError.bulkTransferUnsupported
        }
        let begun = ContinuousClock.now
        let scale = TransferMeter()
        var failure: TransportError?
        defer { measure(request, endpoint: endpoint, since: begun, scale.totals, failure) }
        do {
            try await transport.exchange(request, upload: upload?.reportingProgress { scale.sent($0.bytes) }) { part in
                scale.received(part)
                try await receive(part)
            }
        } catch let error as ClientError {
            failure = .cancelled
            throw error
        } catch let error as TransportError {
            failure = error
            throw ClientError(error, host: hub.host)
        } catch is CancellationError {
            failure = .cancelled
            throw .cancelled
        } catch {
            failure = .cancelled
            throw .invalidRequest("the data to send could not be read: \(error.localizedDescription)")
        }
    }
}

extension UploadSource {
    /// The same source, with progress reported as the connection accepts parts.
    fileprivate func reportingProgress(_ progress: @escaping @Sendable (TransferProgress) -> Void) -> UploadSource {
        UploadSource(length: length, isRepeatable: isRepeatable) { [self] in
            var parts = try self.parts()
            var bytes: Int64 = 0
            return Parts {
                guard let part = try await parts.next() else { return nil }
                bytes += Int64(part.count)
                progress(TransferProgress(bytes: bytes, total: length))
                return part
            }
        }
    }
}
