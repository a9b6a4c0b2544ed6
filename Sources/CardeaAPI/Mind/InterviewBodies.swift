import CardeaModel
import Foundation

/// `POST /api/v1/interview/start`
public struct StartInterviewBody: WireFormat.Body, Encodable, Sendable {
    /// Ignored: a hub is one house.
    public var houseID: String?

    public enum CodingKeys: String, CodingKey, CaseIterable { case houseID = "house_id" }

    public init(houseID: String? = nil) { self.houseID = houseID }
}

/// `POST /api/v1/interview/{id}/message`
public struct InterviewMessageBody: WireFormat.Body, Encodable, Sendable {
    /// A description of the devices, an answer, or a word such as `done`, `skip` and `pause`: 1 to 2000 characters.
    public var message: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case message }

    public static let maxLength = 2000

    public init(message: String) { self.message = message }
}

/// `POST /api/v1/interview/{id}/confirm`
public struct ConfirmCandidatesBody: WireFormat.Body, Encodable, Sendable {
    /// The candidates to add. All that are open, if neither list is given.
    public var candidateIDs: [String]?
    /// To be left out.
    public var reject: [String]?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case candidateIDs = "candidate_ids"
        case reject
    }

    /// Candidates that one call names.
    public static let maxCandidates = 200

    public init(candidateIDs: [String]? = nil, reject: [String]? = nil) {
        self.candidateIDs = candidateIDs
        self.reject = reject
    }
}

/// A conversation that was started or continued.
public struct InterviewStartedAnswer: Codable, Sendable {
    public let interviewID: String
    public let status: String
    /// `introduction` in a new one.
    public let currentPhase: String
    public let aiMessage: String
    public let sessionStartedAt: Date
    public let version: Int

    enum CodingKeys: String, CodingKey {
        case status, version
        case interviewID = "interview_id"
        case currentPhase = "current_phase"
        case aiMessage = "ai_message"
        case sessionStartedAt = "session_started_at"
    }

    public init(interviewID: String, status: String, currentPhase: String, aiMessage: String, sessionStartedAt: Date, version: Int) {
        self.interviewID = interviewID
        self.status = status
        self.currentPhase = currentPhase
        self.aiMessage = aiMessage
        self.sessionStartedAt = sessionStartedAt
        self.version = version
    }
}

/// The house's reply to a message or a decision, with its results.
public struct InterviewReplyAnswer: Codable, Sendable {
    public let aiResponse: String
    public let status: String
    public let currentPhase: String
    /// Those that came or changed with it.
    public let discoveredCandidates: [CandidateAnswer]
    /// The results of the house's own discovery, by name.
    public let autoDiscoveryResults: DiscoveryResults
    /// The devices of the house that were created with it.
    public let createdDevices: [CreatedDeviceAnswer]
    public let progress: InterviewProgress
    public let version: Int

    enum CodingKeys: String, CodingKey {
        case status, progress, version
        case aiResponse = "ai_response"
        case currentPhase = "current_phase"
        case discoveredCandidates = "discovered_candidates"
        case autoDiscoveryResults = "auto_discovery_results"
        case createdDevices = "created_devices"
    }

    public init(
        aiResponse: String, status: String, currentPhase: String, discoveredCandidates: [CandidateAnswer],
        autoDiscoveryResults: DiscoveryResults, createdDevices: [CreatedDeviceAnswer], progress: InterviewProgress, version: Int
    ) {
        self.aiResponse = aiResponse
        self.status = status
        self.currentPhase = currentPhase
        self.discoveredCandidates = discoveredCandidates
        self.autoDiscoveryResults = autoDiscoveryResults
        self.createdDevices = createdDevices
        self.progress = progress
        self.version = version
    }
}

/// Names of discovered devices, by where they were found.
public struct DiscoveryResults: Codable, Sendable {
    /// Announces itself nearby, and is no device of the house yet.
    public var mdns: [String] = []
    public var mqtt: [String] = []
    public var homeAssistant: [String] = []
    public var virtual: [String] = []

    enum CodingKeys: String, CodingKey {
        case mdns, mqtt, virtual
        case homeAssistant = "home-assistant"
    }

    public init() {}
}

/// Something that was spoken of and may become a device, or several of a kind.
public struct CandidateAnswer: Codable, Sendable {
    public let id: String
    /// `pending`, `needs_info`, `confirmed` or `rejected`.
    public let status: String
    public let description: String
    @Nullable public private(set) var detectedBrand: String?
    /// Its function: `light`, `dishwasher`.
    @Nullable public private(set) var detectedFunction: String?
    @Nullable public private(set) var detectedModel: String?
    /// The room's name.
    @Nullable public private(set) var room: String?
    public let count: Int
    /// 0 to 1: how sure the house is that it understood.
    public let confidence: Double
    public let possibleIntegrations: [String]
    /// Names of the discovered devices that it is.
    public let matched: [String]
    /// The facts still missing: `kind`, `count`, `room`, `connection`.
    public let missing: [String]
    public let createdDeviceIDs: [String]

    enum CodingKeys: String, CodingKey {
        case id, status, description, room, count, confidence, matched, missing
        case detectedBrand = "detected_brand"
        case detectedFunction = "detected_function"
        case detectedModel = "detected_model"
        case possibleIntegrations = "possible_integrations"
        case createdDeviceIDs = "created_device_ids"
    }

    public init(
        id: String, status: String, description: String, detectedBrand: String?, detectedFunction: String?, detectedModel: String?,
        room: String?, count: Int, confidence: Double, possibleIntegrations: [String], matched: [String], missing: [String],
        createdDeviceIDs: [String]
    ) {
        self.id = id
        self.status = status
        self.description = description
        self.count = count
        self.confidence = confidence
        self.possibleIntegrations = possibleIntegrations
        self.matched = matched
        self.missing = missing
        self.createdDeviceIDs = createdDeviceIDs
        self.detectedBrand = detectedBrand
        self.detectedFunction = detectedFunction
        self.detectedModel = detectedModel
        self.room = room
    }
}

/// A device of the house that was created from a candidate.
public struct CreatedDeviceAnswer: Codable, Sendable {
    public let candidateID: String
    public let deviceID: String
    public let name: String
    /// `connected`: it existed, and got its name or its room; `existing`: it existed as described; `pending_auth`: nothing is connected to
    /// it yet.
    public let status: String
    /// The next steps with it, in words; empty if there are none.
    public let nextSteps: [String]

    enum CodingKeys: String, CodingKey {
        case name, status
        case candidateID = "candidate_id"
        case deviceID = "device_id"
        case nextSteps = "next_steps"
    }

    public init(candidateID: String, deviceID: String, name: String, status: String, nextSteps: [String]) {
        self.candidateID = candidateID
        self.deviceID = deviceID
        self.name = name
        self.status = status
        self.nextSteps = nextSteps
    }
}

/// The progress of an interview.
public struct InterviewProgress: Codable, Sendable {
    public let totalDevicesMentioned: Int
    public let devicesConfirmed: Int
    public let devicesPending: Int
    /// 0 to 100.
    public let completionPercentage: Int

    enum CodingKeys: String, CodingKey {
        case totalDevicesMentioned = "total_devices_mentioned"
        case devicesConfirmed = "devices_confirmed"
        case devicesPending = "devices_pending"
        case completionPercentage = "completion_percentage"
    }

    public init(totalDevicesMentioned: Int, devicesConfirmed: Int, devicesPending: Int, completionPercentage: Int) {
        self.totalDevicesMentioned = totalDevicesMentioned
        self.devicesConfirmed = devicesConfirmed
        self.devicesPending = devicesPending
        self.completionPercentage = completionPercentage
    }
}
