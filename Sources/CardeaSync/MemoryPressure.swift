import Foundation

/// The memory pressure of the machine (Seed 004, item 42).
public enum MemoryPressure: Hashable, Sendable {
    /// Some programs wait for memory.
    case warning
    /// All of them do, or the system is about to end some.
    case critical

    /// Reported by the system; on a system without such reports the stream stays empty.
    public static func events() -> AsyncStream<MemoryPressure> {
        AsyncStream(bufferingPolicy: .bufferingNewest(2)) { notice in
            #if canImport(Darwin)
                let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())
                source.setEventHandler { notice.yield(source.data.contains(.critical) ? .critical : .warning) }
                notice.onTermination = { _ in source.cancel() }
                source.activate()
            #else
                guard let watch = PressureStallMonitor(tell: { notice.yield($0) }) else { return notice.finish() }
                notice.onTermination = { _ in watch.end() }
            #endif
        }
    }
}

#if os(Linux)
    import Glibc

    /// Linux's memory pressure: a process writes its threshold to `/proc/pressure/memory` and is woken when it is exceeded (kernel
    /// documentation, "PSI - Pressure Stall Information").
    private final class PressureStallMonitor: Sendable {
        /// Microseconds of waiting within two seconds.
        private static let triggers: [(pressure: MemoryPressure, text: String)] = [
            (.warning, "some 150000 2000000"), (.critical, "full 100000 2000000"),
        ]

        private let ending: FileHandle

        init?(path: String = "/proc/pressure/memory", tell: @escaping @Sendable (MemoryPressure) -> Void) {
            let watched = Self.triggers.compactMap { trigger -> (pressure: MemoryPressure, descriptor: Int32)? in
                let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
                guard descriptor >= 0 else { return nil }
                let written = trigger.text.withCString { write(descriptor, $0, strlen($0) + 1) }
                guard written > 0 else {
                    close(descriptor)
                    return nil
                }
                return (trigger.pressure, descriptor)
            }
            guard !watched.isEmpty else { return nil }
            let pipe = Pipe()
            ending = pipe.fileHandleForWriting
            let ended = pipe.fileHandleForReading
            // The kernel signals with POLLPRI, for which there is no dispatch source.
            let thread = Thread {
                Self.wait(for: watched, until: ended.fileDescriptor, tell: tell)
                for one in watched { close(one.descriptor) }
            }
            thread.name = "memory pressure"
            thread.start()
        }

        func end() { try? ending.close() }

        private static func wait(
            for watched: [(pressure: MemoryPressure, descriptor: Int32)], until ended: Int32, tell: (MemoryPressure) -> Void
        ) {
            var polled = watched.map { pollfd(fd: $0.descriptor, events: Int16(POLLPRI), revents: 0) }
            polled.append(pollfd(fd: ended, events: Int16(POLLIN), revents: 0))
            while true {
                let ready = poll(&polled, nfds_t(polled.count), -1)
                if ready < 0, errno == EINTR { continue }
                guard ready > 0, polled.last?.revents == 0 else { return }
                for (one, answer) in zip(watched, polled) where answer.revents & Int16(POLLPRI) != 0 { tell(one.pressure) }
                guard polled.allSatisfy({ $0.revents & Int16(POLLERR | POLLNVAL) == 0 }) else { return }
            }
        }
    }
#endif
