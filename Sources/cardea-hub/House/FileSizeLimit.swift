import ArgumentParser
import CardeaBackup
import Foundation

/// A file that may not grow any further, since its user is allowed no longer one, is as a full disk: whoever writes is told so. Left to itself the
/// system would end the program instead, and every door with it.
enum FileSizeLimit {
    static func ignoreSignal() {
        signal(SIGXFSZ, SIG_IGN)
    }
}
