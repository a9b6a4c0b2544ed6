import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation

/// The request pipeline to one hub: encodes calls, retries what may be retried, and tells an answer from a failure. It knows nothing of
/// sessions.
struct RequestPipeline: Sendable {
    let hub: HubAddress
    let transport: any Transport
    let environment: ClientEnvironment
    let health: HubHealth
    let reads = RequestCoalescer()
    let etagCache = ETagCache()
    let reachability = Reachability()
    var metrics: (any CallMetricsDelegate)?
    var defaults = RequestDefaults()

    /// The hub's answer, whatever its status. Redirects are not followed: requests go to the hub alone.
    func send(_ call: APICall, bearer: Secret?) async throws(ClientError) -> TransportResponse {
        guard call.method == .get else {
            defer { reads.writeFinished() }
            return try await sendWithRetries(call, bearer: bearer)
        }
        if call.isUnshared { return try await sendWithRetries(call, bearer: bearer) }
        let question = RequestCoalescer.Key(
            url: try hub.url(call.segments, query: call.query), caller: bearer?.digest, known: call.entityTag)
        return try await reads.response(question) {
            do throws(ClientError) { return .success(try await sendWithRetries(call, bearer: bearer)) } catch { return .failure(error) }
        }.get()
    }

    /// The journal from an event on, as it grows. Sent once: the reader decides when to try again.
    func stream(after seq: Int64?, bearer: Secret) async throws(ClientError) -> TransportStream {
        var request = try request(.get("api", "v1", "realtime", "events"), bearer: bearer)
        request.headers["accept"] = "text/event-stream"
        if let seq { request.headers["last-event-id"] = String(seq) }
        do throws(TransportError) { return try await transport.open(request) } catch { throw ClientError(error, host: hub.host) }
    }

    private func sendWithRetries(_ call: APICall, bearer: Secret?) async throws(ClientError) -> TransportResponse {
        try await recordOutcome(isUrgent: call.isUrgent) { () async throws(ClientError) -> TransportResponse in
            try await retry(call, bearer: bearer)
        }
    }

    /// Retries what may be retried, within the policy's limits.
    private func retry(_ call: APICall, bearer: Secret?) async throws(ClientError) -> TransportResponse {
        var attempt = 0
        var mayHaveArrived = false
        while true {
            let outcome = await Self.result { () async throws(ClientError) -> TransportResponse in
                try await attemptWithRepeats(call, bearer: bearer)
            }
            guard call.isRepeatable, !call.isUrgent,
                let pause = health.retryDelay(after: outcome, attempt: attempt, jitter: environment.jitter(), isVital: call.isVital)
            else {
                // A write that an earlier try may have delivered can no longer be reported as unsent.
                if mayHaveArrived, call.method != .get, case .failure(let error) = outcome, error.isCertainlyUnsent {
                    throw .interrupted(host: hub.host)
                }
                return try outcome.get()
            }
            if case .failure(let error) = outcome, error.isCertainlyUnsent {} else { mayHaveArrived = true }
            attempt += 1
            do { try await environment.sleep(pause) } catch { throw .cancelled }
        }
    }

    /// Runs one call with all its tries, unless the circuit breaker is open, and records its final result. If each try were recorded, two
    /// calls at a bad moment of a working connection would block a phone from the house for a minute.
    func recordOutcome(
        isUrgent: Bool = false, _ ask: () async throws(ClientError) -> TransportResponse
    ) async throws(ClientError) -> TransportResponse {
        if let wait = health.restTime(at: environment.now(), isUrgent: isUrgent) {
            throw .circuitOpen(host: hub.host, retryAfter: .seconds(wait.rounded(.up)))
        }
        let outcome = await Self.result(ask)
        health.record(outcome, at: environment.now())
        return try outcome.get()
    }

    static func result(_ ask: () async throws(ClientError) -> TransportResponse) async -> Result<TransportResponse, ClientError> {
        do throws(ClientError) { return .success(try await ask()) } catch { return .failure(error) }
    }

    /// One try, which itself queries a lost answer again.
    private func attemptWithRepeats(_ call: APICall, bearer: Secret?) async throws(ClientError) -> TransportResponse {
        var request = try request(call, bearer: bearer)
        let question = RequestCoalescer.Key(url: request.url, caller: bearer?.digest)
        let known = call.method == .get ? etagCache.response(to: question) : nil
        request.headers["if-none-match"] = call.entityTag ?? known?[header: "etag"]
        var repeats = RetryRunner(from: environment.now())
        while true {
            let pause: Duration
            if let proof = call.makeProofHeaders {
                do throws(ClientError) {
                    request.headers.merge(try await proof(request)) { $1 }
                } catch {
                    // An earlier try may have arrived; its outcome stays unknown.
                    throw repeats.mayHaveArrived ? .interrupted(host: hub.host) : error
                }
            }
            switch await attempt(request, endpoint: call.endpoint) {
            case .success(let response):
                if response.status == 304, call.entityTag != nil { return response }
                if response.status == 304, let known { return known }
                guard !(300...399).contains(response.status) else {
                    throw .invalidResponse("it redirects to another address, which is not followed")
                }
                // A proof refused in this try says nothing about an earlier try that may have arrived.
                if repeats.mayHaveArrived, call.makeProofHeaders != nil, response.status == 401,
                    ProofRefusal(rawValue: APIError(response).code) != nil
                {
                    throw .interrupted(host: hub.host)
                }
                guard call.isRepeatable, let wait = repeats.delay(after: response, isUrgent: call.isUrgent, at: environment.now()) else {
                    if call.method == .get { etagCache.store(response, to: question) }
                    return response
                }
                pause = wait
            case .failure(let failure):
                guard call.isRepeatable, let wait = repeats.delay(after: failure, at: environment.now()) else {
                    throw ClientError(repeats.mayHaveArrived && failure == .noConnection ? .interrupted : failure, host: hub.host)
                }
                pause = wait
            }
            do { try await environment.sleep(pause) } catch { throw .cancelled }
        }
    }

    private func attempt(_ request: TransportRequest, endpoint: String) async -> Result<TransportResponse, TransportError> {
        let begun = ContinuousClock.now
        let outcome: Result<TransportResponse, TransportError>
        do throws(TransportError) { outcome = .success(try await transport.send(request)) } catch { outcome = .failure(error) }
        let (response, failure): (TransportResponse?, TransportError?) =
            switch outcome {
            case .success(let response): (response, nil)
            case .failure(let failure): (nil, failure)
            }
        let weighed = TransferMeter.Totals(status: response?.status, sent: request.body?.count ?? 0, received: response?.body.count)
        measure(request, endpoint: endpoint, since: begun, weighed, failure)
        reachability.record(failure, now: environment.now)
        return outcome
    }

    func measure(
        _ request: TransportRequest, endpoint: String, since begun: ContinuousClock.Instant, _ weighed: TransferMeter.Totals,
        _ failure: TransportError?
    ) {
        let measured = CallMetrics(
            endpoint: endpoint, method: request.method, status: weighed.status, duration: ContinuousClock.now - begun,
            requestSize: weighed.sent, responseSize: weighed.received, error: failure)
        CallMetricsRecorder.record(measured)
        metrics?.didComplete(measured)
    }

    func request(_ call: APICall, bearer: Secret?) throws(ClientError) -> TransportRequest {
        var headers = ["accept": "application/json", "user-agent": "cardea/\(WireFormat.version)"].merging(defaults.headers) { $1 }
        if call.body != nil { headers["content-type"] = "application/json" }
        if let bearer { headers["authorization"] = "Bearer \(bearer.reveal())" }
        if let key = call.idempotencyKey { headers["idempotency-key"] = key }
        if let seen = call.expectedVersion { headers["if-match"] = "\"\(seen)\"" }
        return TransportRequest(
            method: call.method, url: try hub.url(call.segments, query: call.query), headers: headers, body: call.body,
            timeout: call.timeout ?? defaults.timeout)
    }
}
