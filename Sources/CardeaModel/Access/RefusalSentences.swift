/// The sentences for people whose command was refused, or did not succeed. The hub's answers take them from here, in every family; the
/// client repeats them, and says more if it knows the pass.
public enum RefusalSentences {
    // MARK: Invalid requests

    public static let deviceNotFound = "There is no such device."
    /// For a guest who cannot see the device.
    public static let doorNotFound = "The house does not know this door just now."
    public static let entityRequired = "Several parts of this device fit; name one in entity_id."
    public static let entityNotInScope = "The pass does not know this door."
    public static let scopeMismatch = "The action does not fit this door."
    public static let readOnly = "This can only be looked at."

    public static func unsupported(_ verb: Verb) -> String { "This device does not do \(verb.rawValue)." }

    /// - Parameter name: the action's name, as far as it is repeated.
    public static func unknownAction(_ name: some StringProtocol) -> String { "The house does not know the action \(name)." }

    public static func invalidWhite(_ whites: ClosedRange<Double>) -> String {
        "set_color takes a temperature from \(Int(whites.lowerBound)) to \(Int(whites.upperBound)) here"
    }

    // MARK: Not possible now

    public static let unreachable = "The device does not answer. Nothing was sent."
    public static let integrationNotReady = "The device's connection is not up yet. Nothing was sent."
    public static let notConnected = "This device is planned: nothing is connected to it yet. Nothing was sent."
    public static let inFlight = "This is still being done."
    public static let clockBehind = "The house's clock is wrong, so passes open nothing just now. Ring, or ask them yourself."
    public static let doorChanged =
        "This door is announced otherwise than before, so what was set up for it rests. On its page, somebody who may change settings says whether it is the same door."

    // MARK: Approval

    public static let notAwaitingApproval = "Nothing waits for an answer any more."
    /// The same for a guest.
    public static let approvalOver = "It waits for nobody any more: the house has answered, or its time has passed."
    public static let notAnApprover = "The owner lets others answer guests who ask to be let in. Ask an owner."
    /// For a guest who names a command that is not theirs.
    public static let commandNotFound = "You have asked for nothing by that name."

    // MARK: The command was sent

    public static let unknown = "It was sent, and the device has not answered. It may have happened."
    /// The same for a guest at a door.
    public static let unknownAtDoor = "We are not sure it opened. The lock has not answered. Try the handle first."
    /// The device reports nothing.
    public static let noReport = "It was sent. This device never says whether it did it."

    public static func notPublished(_ reason: String?) -> String { "Not published: \(reason ?? "nobody knows why"). Nothing happened." }

    /// The sentence for a command that was admitted and did not succeed.
    ///
    /// - Parameter reason: the command's stored reason: a word of `AuditReason`, or words of its backend.
    public static func failed(_ reason: String?, status: CommandStatus, isLock: Bool) -> String {
        switch reason.flatMap(AuditReason.init) {
        case .jammed where isLock: "The lock is jammed. Not opened, and this did not count. Push the door while trying again."
        case .jammed: "It is jammed. Not done, and this did not count."
        case .unsupportedAction: "This device does not do that, or not with this value. Not done, and this did not count."
        case .rejected: Refusal.rejected.sentence
        case .takenBack: "You took it back. Not done, and this did not count."
        case .unanswered: "Nobody answered. Ring, or ask again."
        case .noTurn: "The door was busy. Not done, and this did not count."
        case .revoked, .noGrant: "The pass was taken back. Not done."
        case .expired: "The pass has ended. Not done."
        case .suspended: "The pass is paused by the house. Not done, and this did not count."
        case .restarted where status == .expired: "The house started anew before it was sent. Not done, and this did not count."
        case .noAnswer, .noReport, .restarted, .overtaken: notSure
        default: reason == "unknown" ? notSure : "The device cannot be reached. Not done, and this did not count."
        }
    }

    private static let notSure = "We are not sure it happened."
}

extension Refusal {
    /// A sentence that says what was refused, why, and what to do next.
    public var sentence: String {
        switch self {
        case .noGrant: "You hold no right to this."
        case .roleLacksRight: "Your role does not include this. Ask an owner."
        case .securityDevice: "This is a security device; an owner or admin opens it."
        case .notGuestAccessible: "This device is not open to guests any more."
        case .deviceNotInScope: "The pass does not include this device."
        case .actionNotAllowed: "The pass does not include this action."
        case .notYetValid: "This pass has not started yet."
        case .expired: "This pass has ended. Ask the house for a new one."
        case .outsideSchedule: "Outside the hours of this pass."
        case .usedUp(let limit): "This pass is used up: \(limit) of \(limit). Ask the house for more."
        case .suspended: "This pass is paused by the house. It may work again later."
        case .revoked: "This pass was taken back. Ask the house if you still need it."
        case .forbiddenRemote: "This pass works only on the house's own network. Join its Wi-Fi and try again."
        case .awaitingApproval: "The house has to say yes first."
        case .rejected: "The house said no."
        }
    }
}

extension ProofRefusal {
    public var sentence: String {
        switch self {
        case .required: "This pass is bound to one phone. Prove that you hold its key."
        case .invalid: "This was not signed by the phone that has the pass."
        case .replay: "This was asked before. Look how things stand before you ask anew."
        case .nonceExpired: "What was signed is too old. Ask for a new nonce."
        case .presenceRequired: "This pass opens for its guest alone. Let the phone check that it is you."
        case .presenceInvalid: "The phone's check was not about this opening. Try again."
        case .clockSkew: "The phone's clock is too far from the house's. Set it, and ask again."
        }
    }
}

extension TagRefusal {
    /// The sentence for a person who tapped the tag.
    public var sentence: String {
        switch self {
        case .off: "Tags are switched off in this house."
        case .buttonOff: "This button is switched off for tags."
        case .malformed: "This is no link of a tag."
        case .unknown: "This house does not know the tag."
        case .unwritten: "Writing the tag did not come to its end. Write it again."
        case .forged: "The tag did not make this link. Nothing was done."
        case .stale: "The link was made more than two minutes ago. Make a new one."
        case .used: "This was used before. Hold the phone to the tag again."
        case .replayed: "The tag has been touched since then. Hold the phone to it again; if it goes on, the tag may have been copied."
        case .unsynced:
            "The house was put back from a backup. Somebody who may change settings must touch this tag once before it opens anything again."
        case .synced: "The house knows the tag again. Nothing was done: hold the phone to it once more."
        case .cooldown: "The tag was used a moment ago. Wait two seconds."
        case .outdated: "The button was changed since the tag was written. Somebody who may change settings must renew the tag."
        case .notByTag: "The house does not leave this to tags."
        case .needsProof: "This tag can be copied, so it opens no door. Use one that proves its touches."
        case .unsupported: "The tag encrypts as LRP does, which this house does not read. Set it to AES."
        case .unconfirmed: "Say yes to do this."
        case .tooMany: "Too many taps came to nothing. Wait a minute."
        }
    }
}

extension Verb {
    /// The values that the action takes.
    public var valueSentence: String {
        switch value {
        case .none: "\(rawValue) takes no value"
        case .number(let range): "\(rawValue) takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .temperature: "set_temperature takes °C from -30 to 100, or {low, high} of a range"
        case .color: "set_color takes {hue 0-360, saturation 0-100}, {temperature 1000-12000} or {white 0-100}"
        case .word(let words): "\(rawValue) takes one of \(words.sorted().joined(separator: ", "))"
        case .text: "\(rawValue) takes a name of 1 to 64 characters, as the device says it"
        case .flag: "\(rawValue) takes true or false"
        }
    }
}
