/// The sentences for people whose command was refused, or did not succeed. The hub's answers take them from here, in every family; the
/// client repeats them, and says more if it knows the pass.
public enum RefusalSentences {
    // MARK: Invalid requests

    public static let deviceNotFound = "There is no device with this id. Reload the list of devices."
    /// For a guest who cannot see the device.
    public static let doorNotFound = "This door is not available right now. Try again in a few seconds."
    public static let entityRequired =
        "entity_id is required: several entities of this device support the action. Name one of the listed entities."
    public static let entityNotInScope = "This pass does not include this door. Use a door that the pass lists."
    public static let scopeMismatch = "This action is not for this kind of device. Use an action that the pass lists for it."
    public static let readOnly = "This entity is read-only: it takes no actions. Choose another entity."

    public static func unsupported(_ verb: Verb) -> String {
        "This device does not support \(verb.rawValue). Use an action from its capabilities."
    }

    /// - Parameter name: the action's name, as far as it is repeated.
    public static func unknownAction(_ name: some StringProtocol) -> String {
        "Unknown action: \(name). Use an action from the device's capabilities, such as on or open."
    }

    public static func invalidWhite(_ whites: ClosedRange<Double>) -> String {
        "set_color takes a temperature from \(Int(whites.lowerBound)) to \(Int(whites.upperBound)) K on this device"
    }

    // MARK: Not possible now

    public static let unreachable = "The device does not respond, so nothing was sent. Check its power and network, then try again."
    public static let integrationNotReady =
        "The device's integration is not connected yet, so nothing was sent. Try again in a few seconds."
    public static let notConnected = "This device is planned and not connected yet, so nothing was sent. Connect it first."
    public static let inFlight = "The same request is still in progress. Wait for its result."
    public static let clockBehind =
        "Passes do not open doors right now, because the house's clock is wrong. Ring the bell, or call the house."
    public static let doorChanged =
        "This door is announced with other topics or payloads than before, so it cannot be used. Confirm on the device's page that it is the same door. This needs the right to change settings."

    // MARK: Approval

    public static let notAwaitingApproval = "This request was answered already, or has expired. Reload the list of requests."
    /// The same for a guest.
    public static let approvalOver = "This request was answered already, or has expired. Look at its result, or ask again."
    public static let notAnApprover = "You may not answer guests who ask to be let in. Ask an owner to change who may."
    /// For a guest who names a command that is not theirs.
    public static let commandNotFound = "You have no request with this command_id. Use the command_id from the answer to your request."

    // MARK: The command was sent

    public static let unknown = "The command was sent, but the device has not confirmed it. Check the device before you try again."
    /// The same for a guest at a door.
    public static let unknownAtDoor = "We are not sure it opened. The lock has not answered. Try the handle first."
    /// The device reports nothing.
    public static let noReport = "The command was sent. This device does not report its state: check it yourself."

    public static func notPublished(_ reason: String?) -> String { "Not published: \(reason ?? "unknown reason"). Nothing was done." }

    /// The sentence for a command that was admitted and did not succeed.
    ///
    /// - Parameter reason: the command's stored reason: a word of `AuditReason`, or words of its backend.
    public static func failed(_ reason: String?, status: CommandStatus, isLock: Bool) -> String {
        switch reason.flatMap(AuditReason.init) {
        case .jammed where isLock: "The lock is jammed. Not opened, and this did not count. Push the door while trying again."
        case .jammed: "The device is jammed. Not done, and this did not count. Free it, then try again."
        case .unsupportedAction: "The device does not support this action, or not this value. Not done, and this did not count."
        case .rejected: Refusal.rejected.sentence
        case .takenBack: "You canceled the request. Not done, and this did not count."
        case .unanswered: "Nobody answered. Ring, or ask again."
        case .noTurn: "The door was busy. Not done, and this did not count. Try again."
        case .revoked, .noGrant: "The pass was revoked. Not done. Ask the house if you still need it."
        case .expired: "The pass has ended. Not done. Ask the house for a new one."
        case .suspended: "The pass is suspended. Not done, and this did not count. It may work again later."
        case .restarted where status == .expired:
            "The hub restarted before the command was sent. Not done, and this did not count. Try again."
        case .noAnswer, .noReport, .restarted, .overtaken: notSure
        default: reason == "unknown" ? notSure : "The device cannot be reached. Not done, and this did not count. Try again later."
        }
    }

    private static let notSure = "It is not known whether it was done. Check the device before you try again."
}

extension Refusal {
    /// A sentence that says what was refused, why, and what to do next.
    public var sentence: String {
        switch self {
        case .noGrant: "You do not have the right to do this. Ask an owner for it."
        case .roleLacksRight: "Your role does not include this. Ask an owner."
        case .securityDevice: "This is a security device: only an owner or admin can open it. Ask one of them."
        case .notGuestAccessible: "This device is no longer available to guests. Ask the house."
        case .deviceNotInScope: "This pass does not include this device. Ask the house for a pass that does."
        case .actionNotAllowed: "This pass does not include this action. Ask the house for a pass that does."
        case .notYetValid: "This pass has not started yet. Try again after its start."
        case .expired: "This pass has ended. Ask the house for a new one."
        case .outsideSchedule: "This is outside the hours of this pass. Try again during its hours."
        case .usedUp(let limit): "This pass is used up: \(limit) of \(limit). Ask the house for more."
        case .suspended: "This pass is paused. It may work again later."
        case .revoked: "This pass was revoked. Ask the house if you still need it."
        case .forbiddenRemote: "This pass works only on the house's own network. Join its Wi-Fi and try again."
        case .awaitingApproval: "Someone who may let guests in has to say yes first."
        case .rejected: "A resident said no."
        }
    }
}

extension ProofRefusal {
    public var sentence: String {
        switch self {
        case .required: "This pass is bound to one phone. Sign the request with the key of that phone."
        case .invalid: "The signature is not from the phone that holds the pass. Use that phone."
        case .replay: "This signed request was sent before. Check the door, then sign a new request."
        case .nonceExpired: "The signed nonce has expired. Request a new nonce and sign again."
        case .presenceRequired: "This pass needs a check of who holds the phone. Confirm with face, finger or PIN."
        case .presenceInvalid: "The phone's check was for another request. Try again."
        case .clockSkew: "The phone's clock differs too much from the house's. Set it, then try again."
        }
    }
}

extension TagRefusal {
    /// The sentence for a person who tapped the tag.
    public var sentence: String {
        switch self {
        case .off: "Tags are switched off in this house. An owner or admin can switch them on."
        case .buttonOff: "This button does not react to tags. Allow tags on the button's page."
        case .malformed: "This is not a tag's link. Hold the phone to the tag again."
        case .unknown: "This tag is not registered in this house. Add it under Tags & buttons."
        case .unwritten: "Writing the tag was not completed. Write it again."
        case .forged: "The link is not from this tag, so nothing was done. Hold the phone to the tag again."
        case .stale: "The link is older than two minutes. Make a new one."
        case .used: "This was used before. Hold the phone to the tag again."
        case .replayed:
            "The tag was used after this link was made. Hold the phone to it again. If this keeps happening, it may have been copied."
        case .unsynced:
            "The house was restored from a backup. Someone with the right to change settings must touch this tag once before it works again."
        case .synced: "The tag works again. Nothing was done: hold the phone to it once more."
        case .cooldown: "The tag was used a moment ago. Wait two seconds."
        case .outdated: "The button has changed since the tag was written. Someone with the right to change settings must renew the tag."
        case .notByTag: "Tags may not do this in this house. Use the app, or change the tag settings."
        case .needsProof: "This kind of tag can be copied, so it cannot open a door. Use an NTAG 424 DNA tag."
        case .unsupported: "The tag uses LRP encryption, which is not supported. Set the tag to AES."
        case .unconfirmed: "This needs your confirmation. Confirm it first."
        case .tooMany: "Too many rejected taps. Wait a minute."
        }
    }
}

extension Verb {
    /// The values that the action takes.
    public var valueSentence: String {
        switch value {
        case .none: "\(rawValue) takes no value. Leave it out"
        case .number(let range): "\(rawValue) takes a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .temperature: "set_temperature takes °C from -30 to 100, or {low, high} of a range"
        case .color: "set_color takes {hue 0-360, saturation 0-100}, {temperature 1000-12000} or {white 0-100}"
        case .word(let words): "\(rawValue) takes one of \(words.sorted().joined(separator: ", "))"
        case .text: "\(rawValue) takes a name of 1 to 64 characters from the device's list"
        case .flag: "\(rawValue) takes true or false"
        }
    }
}
