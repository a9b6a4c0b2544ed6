import Dispatch
import Foundation

#if canImport(Darwin)
    import dnssd
#else
    import CDNSSD
    import Glibc
#endif

/// The reason why the daemon failed, or can no longer be called.
public struct DNSSDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A `kDNSServiceErr_…`: −65537 if no daemon runs.
    public let code: Int32

    public var description: String { "DNS-SD error \(code)" }
}

/// One request to the daemon: it lasts until the stream of its answers is released.
///
/// The library has no lock of its own, so everything that touches it happens on one queue.
final class DNSServiceQuery<Answer: Sendable>: @unchecked Sendable {
    typealias Answers = AsyncThrowingStream<Answer, any Error>
    /// Begins it: calls the library, and gives it the pointer for its callback.
    typealias Start = @Sendable (_ service: inout DNSServiceRef?, _ context: UnsafeMutableRawPointer) -> DNSServiceErrorType

    private let queue = DispatchQueue(label: "dns-sd")
    private let answer: Answers.Continuation
    private var source: (any DispatchSourceRead)?
    private var service: DNSServiceRef?
    private var isOver = false

    private init(_ answer: Answers.Continuation) {
        self.answer = answer
    }

    /// Starts with the call and ends with the stream. The buffer for unread answers is bounded.
    static func answers(_ open: @escaping Start) -> Answers {
        Answers(bufferingPolicy: .bufferingOldest(256)) { answer in
            let conversation = DNSServiceQuery(answer)
            answer.onTermination = { _ in conversation.end() }
            conversation.begin(open)
        }
    }

    /// The query whose callback was called. It is alive: its source holds it until the library has released the context.
    static func instance(_ context: UnsafeMutableRawPointer?) -> DNSServiceQuery? {
        context.map { Unmanaged<DNSServiceQuery>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Called by the library's callbacks, which is to say on the queue.
    func yield(_ code: DNSServiceErrorType, _ told: () -> Answer?) {
        guard code == 0 else { return answer.finish(throwing: DNSSDError(code: code)) }
        if let told = told() { answer.yield(told) }
    }

    private func begin(_ open: @escaping Start) {
        queue.async { [self] in
            guard !isOver else { return }
            _ = AvahiWarnings.suppressed
            var opened: DNSServiceRef?
            let code = open(&opened, Unmanaged.passUnretained(self).toOpaque())
            guard code == 0, let service = opened else { return answer.finish(throwing: DNSSDError(code: code)) }
            self.service = service
            let source = DispatchSource.makeReadSource(fileDescriptor: DNSServiceRefSockFD(service), queue: queue)
            source.setEventHandler { [self] in processResults() }
            source.setCancelHandler { [self] in releaseService() }
            self.source = source
            source.resume()
        }
    }

    private func processResults() {
        guard !isOver, let service else { return }
        let code = DNSServiceProcessResult(service)
        if code != 0 { answer.finish(throwing: DNSSDError(code: code)) }
    }

    private func end() {
        queue.async { [self] in
            isOver = true
            source?.cancel()
            source = nil
        }
    }

    /// Called once the descriptor is not watched any more, and no callback runs.
    private func releaseService() {
        guard let service else { return }
        self.service = nil
        DNSServiceRefDeallocate(service)
    }
}

/// Avahi's library scolds programs that use it on their standard error, unless it is asked not to.
private enum AvahiWarnings {
    static let suppressed: Int32 = setenv("AVAHI_COMPAT_NOWARN", "1", 0)
}
