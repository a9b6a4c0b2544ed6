import CardeaModel
import Foundation

/// `POST /api/v1/tags`
public struct AddTagBody: WireFormat.Body, Encodable, Sendable {
    public var kind: TagKind
    /// The button that it presses. Either this or `grant`.
    public var buttonID: String?
    /// One action on one device: the button that asks for it is made if the house has none.
    public var grant: GrantBody?
    public var label: String?
    /// Of a tag that proves its touches: 14 hexadecimal digits.
    public var uid: String?
    /// `SDMMetaReadKey` of a tag that was written elsewhere: 32 hexadecimal digits. Where it is left out, the house's own.
    public var metaKey: String?
    /// `SDMFileReadKey` of a tag that was written elsewhere. If omitted, the house makes one for this UID.
    public var fileKey: String?
    public var names: TagLinkNames?
    /// It is still to be written, and presses nothing until it was read back (`promote`).
    public var pending: Bool?
    /// The tag of the same button that it replaces; only with `pending`.
    public var replaces: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case kind, grant, label, uid, names, pending, replaces
        case buttonID = "button_id"
        case metaKey = "meta_key"
        case fileKey = "file_key"
    }

    public init(
        kind: TagKind, buttonID: String? = nil, grant: GrantBody? = nil, label: String? = nil, uid: String? = nil, metaKey: String? = nil,
        fileKey: String? = nil,
        names: TagLinkNames? = nil, pending: Bool? = nil, replaces: String? = nil
    ) {
        self.kind = kind
        self.buttonID = buttonID
        self.grant = grant
        self.label = label
        self.uid = uid
        self.metaKey = metaKey
        self.fileKey = fileKey
        self.names = names
        self.pending = pending
        self.replaces = replaces
    }
}

/// The parameter names of a tag's links, if they differ from `picc_data`, `enc` and `cmac`.
public struct TagLinkNames: WireFormat.Body, Encodable, Sendable {
    public var piccData: String?
    public var enc: String?
    public var cmac: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case enc, cmac
        case piccData = "picc_data"
    }

    public init(piccData: String? = nil, enc: String? = nil, cmac: String? = nil) {
        self.piccData = piccData
        self.enc = enc
        self.cmac = cmac
    }
}

/// A new tag, or a new link that can be used once.
public struct NewTagAnswer: Codable, Sendable {
    public let kind: TagKind
    public let buttonID: String
    /// Nil for a live link: there is no tag.
    @Nullable public private(set) var tagID: String?
    /// The URL to write on the tag, or to show. A live link opens what its button opens, for two minutes: it is a secret.
    public let url: String
    /// The same for an app, of a live link.
    @Nullable public private(set) var appURL: String?
    /// Until when a live link is good.
    @Nullable public private(set) var expiresAt: Date?
    /// The keys that the house made for this tag, to be written on it; nil if the tag came with its own.
    @Nullable public private(set) var metaKey: String?
    @Nullable public private(set) var fileKey: String?

    enum CodingKeys: String, CodingKey {
        case kind, url
        case buttonID = "button_id"
        case tagID = "tag_id"
        case appURL = "app_url"
        case expiresAt = "expires_at"
        case metaKey = "meta_key"
        case fileKey = "file_key"
    }

    public init(_ tag: Tag, url: String, metaKey: String?, fileKey: String?) {
        kind = tag.kind
        buttonID = tag.buttonID
        self.url = url
        tagID = tag.id
        self.metaKey = metaKey
        self.fileKey = fileKey
    }

    public init(liveFor buttonID: String, url: String, appURL: String, expiresAt: Date) {
        kind = .live
        self.buttonID = buttonID
        self.url = url
        self.appURL = appURL
        self.expiresAt = expiresAt
    }
}

/// A tag as the wire shows it. Its keys are never shown again.
public struct TagAnswer: Codable, Sendable {
    public let tagID: String
    public let kind: TagKind
    public let buttonID: String
    @Nullable public private(set) var label: String?
    /// A pending one is being written, and presses nothing yet.
    public let state: Tag.State
    public let url: String
    /// 14 hexadecimal digits.
    @Nullable public private(set) var uid: String?
    /// The tag's counter at the last accepted touch.
    @Nullable public private(set) var counter: Int?
    public let createdAt: Date
    /// When the expected link was read back from the tag.
    @Nullable public private(set) var writtenAt: Date?
    @Nullable public private(set) var lastUsedAt: Date?
    /// When it last sent a lower counter than before: an old link, or a copy.
    @Nullable public private(set) var alarmedAt: Date?
    /// Its button was changed since the tag was written: it presses nothing until a person renews it.
    public let outdated: Bool

    enum CodingKeys: String, CodingKey {
        case kind, label, state, url, uid, counter, outdated
        case writtenAt = "written_at"
        case tagID = "tag_id"
        case buttonID = "button_id"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case alarmedAt = "alarmed_at"
    }

    public init(_ tag: Tag, url: String, uid: String?) {
        outdated = tag.isOutdated
        tagID = tag.id
        kind = tag.kind
        buttonID = tag.buttonID
        label = tag.label
        state = tag.state
        self.url = url
        self.uid = uid
        counter = tag.counter
        createdAt = tag.createdAt
        writtenAt = tag.writtenAt
        lastUsedAt = tag.lastUsedAt
        alarmedAt = tag.alarmedAt
    }
}

public struct TagsAnswer: Codable, Sendable {
    public let tags: [TagAnswer]
    public let total: Int

    public init(tags: [TagAnswer]) {
        self.tags = tags
        total = tags.count
    }
}

/// `POST /api/v1/tags/{id}/promote`: the link that was read back from the tag.
public struct PromoteTagBody: WireFormat.Body, Encodable, Sendable {
    public var url: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case url }

    public init(url: String) {
        self.url = url
    }
}

/// `POST /api/v1/tags/qr.svg`: in a body, since the link may be a secret.
public struct DrawTagLinkBody: WireFormat.Body, Encodable, Sendable {
    /// 1 to 512 bytes.
    public var url: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case url }

    public init(url: String) {
        self.url = url
    }
}

/// `PUT /api/v1/tags/{id}`: the tag presses its button as that is now, or gets another label; or its alarm was checked.
public struct RenewTagBody: WireFormat.Body, Encodable, Sendable {
    /// A new label; omitted, the present one stays. A label alone renews nothing.
    public var label: String?
    /// The button's version that the person saw: refused if it is another now.
    public var buttonVersion: Int?
    /// The alarm that there may be a copy was checked. It is sent alone, and renews nothing.
    public var alarmSeen: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case label
        case buttonVersion = "button_version"
        case alarmSeen = "alarm_seen"
    }

    public init(label: String? = nil, buttonVersion: Int? = nil, alarmSeen: Bool? = nil) {
        self.alarmSeen = alarmSeen
        self.label = label
        self.buttonVersion = buttonVersion
    }
}

/// `GET` and `PUT /api/v1/tags/policy`
public struct TagPolicyBody: WireFormat.Body, Codable, Sendable {
    /// False: no tag and no link does anything.
    public var on: Bool
    /// The permission for actions that change comfort and not access.
    public var control: TagPolicy.Permission
    /// The permission for actions that let a person in.
    public var open: TagPolicy.Permission

    public enum CodingKeys: String, CodingKey, CaseIterable { case on, control, open }

    public init(_ policy: TagPolicy) {
        on = policy.isOn
        control = policy.control
        open = policy.open
    }

    public var policy: TagPolicy { TagPolicy(isOn: on, control: control, open: open) }
}

/// `POST /api/v1/tags/tap`
public struct TapBody: WireFormat.Body, Encodable, Sendable {
    /// The link as it was read.
    public var url: String
    /// True if the person who tapped confirmed it on their screen.
    public var confirm: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable { case url, confirm }

    public init(url: String, confirm: Bool? = nil) {
        self.url = url
        self.confirm = confirm
    }
}

/// `POST /api/v1/tags/look`
public struct InspectTagBody: WireFormat.Body, Encodable, Sendable {
    /// The link as it was read.
    public var url: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case url }

    public init(url: String) {
        self.url = url
    }
}

/// The effect that a tap would have.
public struct InspectedTagAnswer: Codable, Sendable {
    /// The tag's action, if it is known.
    @Nullable public private(set) var action: TappedAction?
    /// The name of the reason for which a tap would be refused; nil if it would be accepted.
    @Nullable public private(set) var reason: String?
    /// The same in words.
    @Nullable public private(set) var message: String?
    /// True if the touch is enough: the person who held their phone to the tag is not asked to confirm.
    public let atOnce: Bool

    enum CodingKeys: String, CodingKey {
        case action, reason, message
        case atOnce = "at_once"
    }

    public init(_ button: Button?, refused reason: String?, _ message: String?, atOnce: Bool) {
        action = button.map(TappedAction.init)
        self.atOnce = atOnce
        self.reason = reason
        self.message = message
    }
}

/// The result of a tap.
public struct TapAnswer: Codable, Sendable {
    /// True if the action was requested; `outcome` then says how it ended.
    public let accepted: Bool
    /// The tag's action, if it is known.
    @Nullable public private(set) var action: TappedAction?
    /// The command's state: `dispatching`, `confirmed`, `failed`, `unknown`; `accepted` while a person is asked.
    @Nullable public private(set) var outcome: String?
    /// The name of the reason why nothing was done.
    @Nullable public private(set) var reason: String?
    /// The same in words.
    @Nullable public private(set) var message: String?
    @Nullable public private(set) var commandID: String?

    enum CodingKeys: String, CodingKey {
        case accepted, action, outcome, reason, message
        case commandID = "command_id"
    }

    public init(refused reason: String, _ message: String, _ button: Button?) {
        accepted = false
        action = button.map(TappedAction.init)
        self.reason = reason
        self.message = message
    }

    public init(_ button: Button, commandID: String, outcome: String, reason: String?, message: String?) {
        accepted = true
        action = TappedAction(button)
        self.outcome = outcome
        self.commandID = commandID
        self.reason = reason
        self.message = message
    }
}

/// The action of a tag.
public struct TappedAction: Codable, Sendable {
    public let buttonID: String
    public let title: String
    public let deviceID: String
    public let action: String
    /// Seconds in which a tap may be taken back.
    public let countdown: Int

    enum CodingKeys: String, CodingKey {
        case title, action, countdown
        case buttonID = "button_id"
        case deviceID = "device_id"
    }

    public init(_ button: Button) {
        buttonID = button.id
        title = button.title
        deviceID = button.action.deviceID
        action = button.action.verb.rawValue
        countdown = button.countdown
    }
}
