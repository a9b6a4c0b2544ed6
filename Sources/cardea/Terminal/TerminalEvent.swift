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

/// What comes from a terminal while something is drawn on it.
enum TerminalEvent: Hashable, Sendable {
    case key(Key)
    case resized
    /// Ctrl-Z.
    case suspended
    /// The program is to end, by this signal.
    case signal(Int32)

    enum Key: Hashable, Sendable {
        case quit, next, back, first, last, redraw

        /// The keys that were pressed together, as fast as a paste or one after the other.
        static func all(in bytes: [UInt8]) -> [Key] {
            bytes.first == 0x1B ? [Key(bytes)].compactMap(\.self) : bytes.compactMap { Key([$0]) }
        }

        /// The key whose bytes these are; nil for one that means nothing here.
        init?(_ bytes: [UInt8]) {
            switch String(decoding: bytes, as: UTF8.self) {
            case "q", "Q", "\u{04}": self = .quit
            case " ", "f", "j", "n", "\r", "\n", "\u{1B}[6~", "\u{1B}[B", "\u{1B}[C", "\u{1B}OB", "\u{1B}OC": self = .next
            case "b", "k", "p", "\u{7F}", "\u{1B}[5~", "\u{1B}[A", "\u{1B}[D", "\u{1B}OA", "\u{1B}OD": self = .back
            case "g", "\u{1B}[H", "\u{1B}[1~", "\u{1B}OH": self = .first
            case "G", "\u{1B}[F", "\u{1B}[4~", "\u{1B}OF": self = .last
            case "\u{0C}": self = .redraw
            default: return nil
            }
        }
    }
}

/// Hears the keyboard, the window and the signals until nobody listens any more.
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
            // There a source only looks on, and the signal does its work all the same.
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
