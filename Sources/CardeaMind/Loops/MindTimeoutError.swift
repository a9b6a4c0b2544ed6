import Foundation

/// An operation of the mind did not finish in time.
struct MindTimeoutError: Error {}
