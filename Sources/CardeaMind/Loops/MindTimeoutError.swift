import Foundation

/// Something that the mind asked for came to no answer.
struct MindTimeoutError: Error {}
