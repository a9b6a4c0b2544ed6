import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// The result of a command, in words.
enum CommandFailureText {
    static func text(_ command: Command) -> String {
        switch command.reason {
        case "jammed" where command.entityID.hasPrefix("lock."):
            "The lock is jammed. Not opened, and this did not count. Push the door while trying again."
        case "jammed": "It is jammed. Not done, and this did not count."
        case Commands.unsupportedReason: "This device does not do that, or not with this value. Not done, and this did not count."
        case "rejected": "The house said no."
        case Commands.withdrawnReason: "You took it back. Not done, and this did not count."
        case "unanswered": "Nobody answered. Ring, or ask again."
        case "no_turn": "The door was busy. Not done, and this did not count."
        case "revoked", "no_grant": "The pass was taken back. Not done."
        case "expired": "The pass has ended. Not done."
        case "suspended": "The pass is paused by the house. Not done, and this did not count."
        case "restarted" where command.status == .expired: "The house started anew before it was sent. Not done, and this did not count."
        case "unknown", "no_answer", "no_report", "restarted", "overtaken": "We are not sure it happened."
        default: "The device cannot be reached. Not done, and this did not count."
        }
    }
}
