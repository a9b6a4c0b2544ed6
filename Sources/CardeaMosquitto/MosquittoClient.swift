import CMosquitto
import Glibc

/// The library's client object and its socket, on the one thread that may touch them.
///
/// The loop is our own, for three reasons. The library's thread reconnects by itself, and a message it kept would open a door late.
/// Its `select` refuses descriptors above 1 023, which a hub with many sockets reaches. And in a single thread `mosquitto_publish`
/// writes to the socket before it returns, so its answer says something.
final class MosquittoClient {
    private let options: ConnectionOptions
    private let messageBuffer: MessageBuffer
    private let jobQueue: ConnectionJobQueue
    let speaksMQTT5: Bool
    private var client: OpaquePointer?

    /// The socket is open.
    private var isSocketOpen = false
    private var isAccepted = false
    /// The reason code of the CONNACK.
    private var connectReasonCode: Int32?
    /// The reason code of the broker's DISCONNECT.
    private var disconnectReasonCode: Int32?
    private var lastErrorLine: String?
    /// Set once we have disconnected: the time limit for the network to carry the message.
    private var closeDeadline: ContinuousClock.Instant?

    /// The requests that wait for a reply, by packet id.
    private var pending: [Int32: PendingReply] = [:]
    /// Answers that came while the packet was still being sent: a QoS 0 message is "answered" by having been written.
    private var earlyReplies: [Int32: [Int32]] = [:]

    typealias Reply = Result<[Int32], MQTTConnectionError>
    private struct PendingReply {
        let deadline: ContinuousClock.Instant
        let resume: (Reply) -> Void
    }

    init(options: ConnectionOptions, speaksMQTT5: Bool, inbox: MessageBuffer, outbox: ConnectionJobQueue) {
        self.options = options
        self.speaksMQTT5 = speaksMQTT5
        self.messageBuffer = inbox
        self.jobQueue = outbox
    }

    /// Runs the whole connection. `opened` is set once the broker has accepted or refused us; `ended` when everything is over.
    func run(opened: OneShotValue<MQTTConnectionError?>, ended: OneShotValue<MQTTConnectionError>) {
        let end = runLoop(opened: opened)
        if let client { mosquitto_destroy(client) }
        client = nil
        opened.resolve(end)
        jobQueue.close(end)
        let waiting = pending
        pending = [:]
        for waiter in waiting.values { waiter.resume(.failure(end)) }
        messageBuffer.close()
        ended.resolve(end)
    }

    private func runLoop(opened: OneShotValue<MQTTConnectionError?>) -> MQTTConnectionError {
        if let failure = connect() { return failure }
        let answerBy = ContinuousClock.now + options.answerLimit
        while let client {
            let socket = mosquitto_socket(client)
            guard socket >= 0 else { return closeDeadline != nil ? .closed : end(of: MOSQ_ERR_CONN_LOST.rawValue) }
            let ready = wait(for: socket, writable: mosquitto_want_write(client), until: isAccepted ? nil : answerBy)
            var result: Int32 = 0
            if ready.readable { result = read(client) }
            if result == 0, ready.writable, mosquitto_socket(client) >= 0 { result = mosquitto_loop_write(client, 1) }
            if result == 0, mosquitto_socket(client) >= 0 { result = mosquitto_loop_misc(client) }
            if let connectReasonCode, !isAccepted {
                guard connectReasonCode == 0 else { return .refused(code: connectReasonCode) }
                isAccepted = true
                opened.resolve(nil)
            }
            if result != 0 { return closeDeadline != nil ? .closed : end(of: result) }
            let now = ContinuousClock.now
            if let closeDeadline, now >= closeDeadline { return .closed }
            if !isAccepted, now >= answerBy { return .unanswered }
            expire(at: now)
            runJobs()
        }
        return .closed
    }

    // MARK: Jobs

    /// Runs the waiting jobs and those that they add: a task that runs here takes several steps with each message. After `maximumSteps` the
    /// broker is served again, in case jobs never end.
    private func runJobs() {
        for _ in 0..<Self.maximumSteps {
            let jobs = jobQueue.drain()
            if jobs.isEmpty { return }
            for job in jobs { job.run(self) }
        }
    }

    private static let maximumSteps = 32

    /// Sends one packet and passes the broker's reply to `resume`, within this call if the packet needs no reply.
    func send(within limit: Duration, _ packet: (OpaquePointer, inout Int32) -> Int32, resume: @escaping (Reply) -> Void) {
        guard let client, mosquitto_socket(client) >= 0 else { return resume(.failure(.lost("not connected"))) }
        var id: Int32 = 0
        earlyReplies = [:]
        let result = packet(client, &id)
        guard result == 0 else { return resume(.failure(failure(result))) }
        if let codes = earlyReplies.removeValue(forKey: id) { return resume(.success(codes)) }
        pending[id] = PendingReply(deadline: .now + limit, resume: resume)
    }

    /// True if earlier packets still wait to be written because the network does not accept them.
    var isCongested: Bool {
        guard let client else { return true }
        return mosquitto_want_write(client)
    }

    /// Says goodbye, so that the broker keeps the will to itself.
    func close() {
        guard closeDeadline == nil else { return }
        closeDeadline = .now + .seconds(1)
        // After writing it, the library closes the socket, and the loop notices that.
        if let client { mosquitto_disconnect(client) }
    }

    // MARK: Connecting

    private func connect() -> MQTTConnectionError? {
        // With an id that it does not accept, the library closes descriptor 0 when it is destroyed, and by then that may be another socket.
        let id = options.clientID
        guard !id.isEmpty, mosquitto_validate_utf8(id, Int32(clamping: id.utf8.count)) == MOSQ_ERR_SUCCESS.rawValue else {
            return .invalid("the client id cannot be sent")
        }
        guard let client = mosquitto_new(id, true, nil) else { return .invalid(systemMessage(errno)) }
        self.client = client
        mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks(to: client)
        var result = mosquitto_int_option(
            client, MOSQ_OPT_PROTOCOL_VERSION, speaksMQTT5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
        if result == 0 { result = mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1) }
        if result == 0, let username = options.username {
            result = mosquitto_username_pw_set(client, username, options.password)
        }
        if result == 0, let will = options.will {
            result = mosquitto_will_set(
                client, will.topic, Int32(clamping: will.payload.count), will.payload, will.quality.rawValue, will.isRetained)
        }
        guard result == 0 else { return failure(result) }

        let properties = MQTTPropertyList()
        if speaksMQTT5 {
            // Above the payload limit, so that a payload over the limit is received and counted, and one far over it is never sent.
            let limit = UInt32(clamping: options.payloadLimit)
            let room = min(limit.multipliedClamping(by: 15), 16 * 1024 * 1024)
            let (size, overflows) = limit.addingReportingOverflow(room)
            properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, overflows ? .max : size)
        }
        var files: CredentialFiles?
        if let tls = options.tls {
            guard let held = CredentialFiles(tls) else { return .invalid("no memory for the certificates") }
            files = held
            result = configureTLS(client, with: held)
            guard result == 0 else { return failure(result) }
        }
        // The library opens the files inside this call. They are deleted after it.
        return withExtendedLifetime(files) { openSocket(client, properties) }
    }

    private func openSocket(_ client: OpaquePointer, _ properties: borrowing MQTTPropertyList) -> MQTTConnectionError? {
        errno = 0
        let result = mosquitto_connect_bind_v5(
            client, options.host, Int32(clamping: options.port), Int32(clamping: options.keepAlive), nil, properties.head)
        let problem = errno
        guard result == 0 else { return failure(result, errno: problem) }
        isSocketOpen = true
        var limit = UInt32(clamping: options.unacknowledgedLimit.milliseconds)
        setsockopt(mosquitto_socket(client), Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, socklen_t(MemoryLayout<UInt32>.size))
        return nil
    }

    private func configureTLS(_ client: OpaquePointer, with files: CredentialFiles) -> Int32 {
        var result: Int32 = 0
        if files.ca == nil { result = mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
        if result == 0, files.ca != nil || files.certificate != nil {
            let folder = files.ca == nil ? "/etc/ssl/certs" : nil
            // A key with a passphrase would make OpenSSL ask at the terminal.
            result = mosquitto_tls_set(client, files.ca?.path, folder, files.certificate?.path, files.key?.path) { _, _, _, _ in 0 }
        }
        // 1 is SSL_VERIFY_PEER. The host name is checked unless `mosquitto_tls_insecure_set` says otherwise, and nothing here does.
        return result == 0 ? mosquitto_tls_opts_set(client, 1, nil, nil) : result
    }

    private func wait(
        for socket: Int32, writable: Bool, until deadline: ContinuousClock.Instant?
    ) -> (readable: Bool, writable: Bool) {
        var limit: Int32 = 0
        if jobQueue.prepareToSleep() {
            // One second at most: `mosquitto_loop_misc` keeps the keepalive.
            var patience = Duration.seconds(1)
            let now = ContinuousClock.now
            for deadline in pending.values.map(\.deadline) + [deadline, closeDeadline].compactMap({ $0 }) {
                patience = min(patience, max(.zero, now.duration(to: deadline)))
            }
            limit = Int32(clamping: patience.milliseconds + 1)
        }
        var sources = [
            pollfd(fd: socket, events: Int16(POLLIN | (writable ? POLLOUT : 0)), revents: 0),
            pollfd(fd: jobQueue.wakeReadDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&sources, nfds_t(sources.count), limit)
        jobQueue.didWake(isRung: count > 0 && sources[1].revents != 0)
        guard count > 0 else { return (false, false) }
        let events = Int32(sources[0].revents)
        return (events & (POLLIN | POLLHUP | POLLERR) != 0, events & POLLOUT != 0)
    }

    /// Reads all packets that have arrived before they are handled, so that they become one report. The number per read is limited, so that
    /// sending does not wait for a broker that never pauses.
    private func read(_ client: OpaquePointer) -> Int32 {
        for _ in 0..<Self.maximumPacketsPerRead {
            let result = mosquitto_loop_read(client, 1)
            var source = pollfd(fd: mosquitto_socket(client), events: Int16(POLLIN), revents: 0)
            guard result == 0, source.fd >= 0, poll(&source, 1, 0) > 0 else { return result }
        }
        return 0
    }

    private static let maximumPacketsPerRead = 64

    private func expire(at now: ContinuousClock.Instant) {
        for (id, waiter) in pending where waiter.deadline <= now {
            pending[id] = nil
            waiter.resume(.failure(.unanswered))
        }
    }

    // MARK: Callbacks

    private func setCallbacks(to client: OpaquePointer) {
        mosquitto_connect_v5_callback_set(client) { _, wire, code, _, _ in
            MosquittoClient.instance(wire)?.connectReasonCode = code
        }
        mosquitto_disconnect_v5_callback_set(client) { _, wire, code, _ in
            if code >= 128 { MosquittoClient.instance(wire)?.disconnectReasonCode = code }
        }
        mosquitto_log_callback_set(client) { _, wire, level, line in
            guard level == MOSQ_LOG_ERR, let line else { return }
            // The first line is the cause, the following ones are consequences.
            let wire = MosquittoClient.instance(wire)
            if wire?.lastErrorLine == nil { wire?.lastErrorLine = String(cString: line) }
        }
        mosquitto_publish_v5_callback_set(client) { _, wire, id, code, _ in
            MosquittoClient.instance(wire)?.completeReply(id, [code])
        }
        mosquitto_subscribe_v5_callback_set(client) { _, wire, id, count, codes, _ in
            let codes = UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : max(0, Int(count)))
            MosquittoClient.instance(wire)?.completeReply(id, Array(codes))
        }
        mosquitto_unsubscribe_v5_callback_set(client) { _, wire, id, _ in
            MosquittoClient.instance(wire)?.completeReply(id, [])
        }
        mosquitto_message_v5_callback_set(client) { _, wire, message, _ in
            if let message { MosquittoClient.instance(wire)?.handleMessage(message.pointee) }
            // `mosquitto_loop_read` reads errno afterwards, and would take an old EAGAIN for its own.
            errno = 0
        }
    }

    private static func instance(_ pointer: UnsafeMutableRawPointer?) -> MosquittoClient? {
        pointer.map { Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue() }
    }

    private func completeReply(_ id: Int32, _ codes: [Int32]) {
        if let waiter = pending.removeValue(forKey: id) {
            waiter.resume(.success(codes))
        } else {
            earlyReplies[id] = codes
        }
    }

    private func handleMessage(_ message: mosquitto_message) {
        guard let topic = message.topic else { return }
        let size = max(0, Int(message.payloadlen))
        let isOversize = size > options.payloadLimit
        var payload: [UInt8] = []
        if let bytes = message.payload, size > 0, !isOversize {
            payload = Array(UnsafeRawBufferPointer(start: bytes, count: size))
        }
        messageBuffer.append(
            ReceivedMessage(
                topic: String(cString: topic), payload: payload, isRetained: message.retain, isOversize: isOversize))
    }

    // MARK: Errors

    private func end(of result: Int32) -> MQTTConnectionError {
        if let disconnectReasonCode { return .dismissed(code: disconnectReasonCode) }
        return failure(result, errno: errno)
    }

    private func failure(_ result: Int32, errno problem: Int32 = 0) -> MQTTConnectionError {
        if let line = lastErrorLine, line.contains("OpenSSL") || line.contains("certificate") || line.contains("TLS") {
            return .tls(line)
        }
        switch mosq_err_t(rawValue: result) {
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: return .unknownHost
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE: return .tls(lastErrorLine ?? String(cString: mosquitto_strerror(result)))
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN, MOSQ_ERR_KEEPALIVE, MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_ERRNO:
            // errno is valid only with this result.
            let isSystems = result == MOSQ_ERR_ERRNO.rawValue && problem != 0
            let system = isSystems ? systemMessage(problem) : String(cString: mosquitto_strerror(result))
            return isAccepted ? .lost(system) : isSocketOpen ? .hungUp : .unreachable(system)
        default: return .invalid(String(cString: mosquitto_strerror(result)))
        }
    }

    private func systemMessage(_ problem: Int32) -> String { String(cString: strerror(problem)) }
}

extension UInt32 {
    fileprivate func multipliedClamping(by factor: UInt32) -> UInt32 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : whole &+ attoseconds / 1_000_000_000_000_000
    }
}
