import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads the keyboard, the window size and signals until the stream is no longer read.
enum TerminalEventSource {
    static func events(keys: Bool) -> AsyncStream<TerminalEvent> {
        let (events, feed) = AsyncStream<TerminalEvent>.makeStream()
        var sources = [SIGINT, SIGTERM, SIGHUP].map { number in signalSource(number) { feed.yield(.signal(number)) } }
        sources.append(signalSource(SIGWINCH) { feed.yield(.resized) })
        sources.append(signalSource(SIGTSTP) { feed.yield(.suspended) })
        if keys { sources.append(keyboardSource(feed)) }
        let listening = DispatchSourceGroup(sources)
        feed.onTermination = { _ in listening.cancel() }
        return events
    }

    private static func signalSource(_ number: Int32, _ tell: @escaping @Sendable () -> Void) -> any DispatchSourceProtocol {
        #if canImport(Darwin)
            // On macOS a source only observes, and the signal still acts.
            signal(number, SIG_IGN)
        #endif
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: tell)
        source.resume()
        return source
    }

    private static func keyboardSource(_ feed: AsyncStream<TerminalEvent>.Continuation) -> any DispatchSourceProtocol {
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return source.cancel() }
            for key in TerminalEvent.Key.all(in: Array(bytes.prefix(count))) { feed.yield(.key(key)) }
        }
        source.resume()
        return source
    }

    /// The sources end together, and not before.
    private final class DispatchSourceGroup: Sendable {
        private let sources: Mutex<[any DispatchSourceProtocol]>

        init(_ sources: sending [any DispatchSourceProtocol]) { self.sources = Mutex(sources) }

        func cancel() { sources.withLock { for source in $0 { source.cancel() } } }
    }
}
