import ArgumentParser
import CardeaBackup
import Foundation

/// Makes a write beyond the user's file size limit fail like one to a full disk. By default the system would end the program instead, and
/// no door would work.
enum FileSizeLimit {
    static func ignoreSignal() {
        signal(SIGXFSZ, SIG_IGN)
    }
}
