import CardeaModel
import Foundation

/// The types of the house document (Seed 004), with its names, types and optionality. What it leaves undefined is typed as in
/// `docs/protocol.md`, and marked. `[String: Any]` is `[String: JSONValue]`.
enum SourceTypes {
    // MARK: Requests

    struct LoginRequest: Encodable {
        let username: String
        let password: String
    }

    struct ConsciousnessQueryRequest: Encodable {
        let query: String
        let context: [String: JSONValue]?
        let includeDevices: Bool
    }

    struct DeviceControlRequest: Encodable {
        let action: String
        let value: JSONValue?
        let transitionTime: Int?
    }

    struct BatchDeviceControlRequest: Encodable {
        let devices: [DeviceControlCommand]
    }

    struct DeviceControlCommand: Encodable {
        let deviceId: String
        let action: String
        let value: JSONValue?
    }

    struct MemoryEntryRequest: Encodable {
        let type: String
        let content: String
        let context: [String: JSONValue]?
    }

    struct InterviewStartRequest: Encodable {
        let houseId: String
    }

    struct InterviewMessageRequest: Encodable {
        let message: String
    }

    /// Undefined there.
    struct TwinRequest: Encodable {
        let deviceId: String
        let fidelityLevel: String
        let config: [String: JSONValue]
    }

    /// Undefined there.
    struct WhatIfRequest: Encodable {
        let scenario: String
        let changes: [String: JSONValue]
        let duration: String
        let metrics: [String]
    }

    // MARK: Responses

    struct AuthTokenResponse: Decodable {
        let accessToken: String
        let tokenType: String
        let expiresIn: Int
    }

    struct ConsciousnessStatusResponse: Decodable {
        let status: String
        let awarenessLevel: Double
        let emotionalState: EmotionalStateDTO
        let activeDevices: Int
        let saflaLoops: Int
        let lastUpdate: Date
    }

    enum ConsciousnessStatus: String, Codable, CaseIterable {
        case active
        case inactive
        case processing
        case sleeping
    }

    /// Undefined there: the members of `EmotionalState` that are not the phone's own, and those of its fixture.
    struct EmotionalStateDTO: Decodable {
        let happiness: Double
        let worry: Double
        let boredom: Double
        let excitement: Double
        let primaryEmotion: String
        let intensity: Double
        let confidence: Double
        let reasoning: String?
        let emotionVector: [Double]
        let arousal: Double
        let valence: Double
    }

    /// Undefined there.
    struct EmotionsResponse: Decodable {
        let current: EmotionalStateDTO
        let history: [Moment]?

        struct Moment: Decodable {
            let timestamp: Date
            let emotion: String
            let trigger: String?
        }
    }

    struct ConsciousnessQueryResponse: Decodable {
        let response: String
        let confidence: Double
        let context: [String: JSONValue]?
        let suggestedActions: [SuggestedAction]?
    }

    /// Undefined there.
    struct SuggestedAction: Decodable {
        let words: String
    }

    struct DeviceListResponse: Decodable {
        let devices: [DeviceDTO]
        let total: Int
        let filtersApplied: [String: JSONValue]?
    }

    struct DeviceDTO: Decodable {
        let id: String
        let userName: String
        let userDescription: String?
        let location: String?
        let deviceClass: String
        let status: String
        let currentState: [String: JSONValue]
        let supportedFeatures: [String]
        let capabilities: [String: JSONValue]
    }

    enum DeviceClass: String, Codable, CaseIterable {
        case light
        case sensor
        case climate
        case security
        case entertainment
        case appliance
        case hub
        case other
    }

    enum DeviceStatus: String, Codable, CaseIterable {
        case online
        case offline
        case unknown
        case error
    }

    /// Undefined there: the demo's answer.
    struct DemoControlResponse: Decodable {
        let status: String
        let device: DeviceDTO
    }

    /// Undefined there: the hub's answer.
    struct ControlResponse: Decodable {
        let deviceId: String
        let action: String
        let status: String
        let newState: [String: JSONValue]
        let executionTime: Int
    }

    /// Undefined there.
    struct BatchResponse: Decodable {
        let results: [Item]

        struct Item: Decodable {
            let deviceId: String
            let status: String
            let message: String?
        }
    }

    /// Undefined there: the members of `Memory` that are not the phone's own.
    struct MemoryDTO: Decodable {
        let createdAt: Date
        let lastAccessed: Date?
        let memoryType: MemoryType
        let category: String
        let importance: Double
        let title: String
        let content: String
        let details: [String: JSONValue]
        let source: String
        let confidence: Double
        let accessCount: Int
        let tags: [String]
    }

    enum MemoryType: String, Codable, CaseIterable {
        case episodic
        case semantic
        case procedural
    }

    /// Undefined there.
    struct MemoriesResponse: Decodable {
        let memories: [MemoryDTO]
    }

    /// Undefined there.
    struct MemoryStoredResponse: Decodable {
        let memoryId: String
        let status: String
        let timestamp: Date
    }

    /// Undefined there.
    struct InterviewStartResponse: Decodable {
        let interviewId: String
        let status: String
        let currentPhase: String
        let aiMessage: String
        let sessionStartedAt: Date
    }

    /// Undefined there.
    struct InterviewMessageResponse: Decodable {
        let aiResponse: String
        let currentPhase: String
        let discoveredCandidates: [Candidate]
        let autoDiscoveryResults: [String: JSONValue]

        struct Candidate: Decodable {
            let id: String
            let description: String
            let detectedBrand: String?
            let detectedFunction: String?
            let confidence: Double
            let possibleIntegrations: [String]
        }
    }

    /// Undefined there.
    struct InterviewStatusResponse: Decodable {
        let interviewId: String
        let status: String
        let currentPhase: String
        let progress: Progress
        let conversationSummary: Summary

        struct Progress: Decodable {
            let totalDevicesMentioned: Int
            let devicesConfirmed: Int
            let devicesPending: Int
            let completionPercentage: Int
        }

        struct Summary: Decodable {
            let totalTurns: Int
            let lastActivity: Date
        }
    }

    /// Undefined there.
    struct TwinsResponse: Decodable {
        let twins: [Twin]
        let total: Int
        let synchronized: Int
        let outOfSync: Int

        struct Twin: Decodable {
            let id: String
            let deviceId: String
            let name: String
            let type: String
            let fidelityLevel: String
            let syncStatus: String
            let lastSync: Date?
            let divergenceScore: Double
        }
    }

    /// Undefined there.
    struct TwinCreatedResponse: Decodable {
        let twinId: String
        let status: String
        let syncStatus: String
        let estimatedReadyTime: Int
    }

    /// Undefined there.
    struct WhatIfResponse: Decodable {
        let analysisId: String
        let status: String
        let results: [String: JSONValue]
        let recommendations: [JSONValue]
    }

    struct WebSocketEvent: Decodable {
        let type: String
        let data: [String: JSONValue]
        let timestamp: Date
    }

    /// Undefined there, except for its `message`.
    struct APIErrorResponse: Decodable {
        let error: APIError

        struct APIError: Decodable {
            let code: String
            let message: String
        }
    }
}
