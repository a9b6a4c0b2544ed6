import CardeaSecurity
import CardeaTriggers
import Foundation
import Testing

@Suite("App settings without a hub")
struct TriggerSettingsTests {
    @Test("The default has four buttons that no tag fires")
    func defaults() {
        let settings = TriggerSettings(clientID: "SMP Client")
        #expect(settings.actions.count == 4 && settings.actions.allSatisfy { $0.nfcSecret == nil && !$0.isConfigured })
        #expect(settings.port == 8883 && !settings.isBiometricAuthEnabled)
    }

    /// In the format of the seed's origin from before tags.
    @Test("A document without tag settings or with an empty secret loads")
    func older() throws {
        let old = """
            {"homeTitle":"MQTT PUBS","endpoint":"broker.example","clientID":"SMP Client-1","certificate":"C","privateKey":"K","rootCA":"",
             "isBiometricAuthEnabled":true,"actions":[{"title":"Open","topic":"t","message":"m"},
             {"title":"Stop","topic":"t","message":"s","nfcSecret":""}]}
            """
        let settings = try JSONDecoder().decode(TriggerSettings.self, from: Data(old.utf8))

        #expect(settings.endpoint == "broker.example" && settings.rootCA == nil && settings.answersTags && settings.port == 8883)
        #expect(settings.actions.map(\.title) == ["Open", "Stop"] && settings.actions.allSatisfy { $0.nfcSecret == nil })
    }

    /// It was once ignored, and lost with the next save: an app locked by face recognition was open from then on.
    @Test("The biometric setting is kept, and is off by default", arguments: [true, false])
    func biometrics(isOn: Bool) throws {
        let document = #"{"homeTitle":"H","endpoint":"","clientID":"c","certificate":"","privateKey":"","actions":[]"#
        let old = document + (isOn ? #","isBiometricAuthEnabled":true}"# : "}")

        let settings = try JSONDecoder().decode(TriggerSettings.self, from: Data(old.utf8))
        let again = try JSONDecoder().decode(TriggerSettings.self, from: try JSONEncoder().encode(settings))

        #expect(settings.isBiometricAuthEnabled == isOn && again.isBiometricAuthEnabled == isOn)
    }

    @Test("Settings read back equal, and printing shows no secret")
    func again() throws {
        var settings = TriggerSettings(clientID: "app")
        let secret = TriggerLinks.newSecret()
        settings.privateKey = Secret("the private key")
        settings.timestampKey = Secret("11223344556677889900aabbccddeeff")
        settings.actions[1] = TriggerAction(title: "Gate", topic: "t", message: "%T", nfcSecret: secret, countdown: 3)

        let again = try JSONDecoder().decode(TriggerSettings.self, from: try JSONEncoder().encode(settings))

        #expect(again.actions[1].nfcSecret?.reveal() == secret.reveal() && again.actions[1].countdown == 3)
        #expect(again.privateKey.reveal() == "the private key" && again.timestampKey?.reveal() == settings.timestampKey?.reveal())
        let printed = "\(settings) \(String(reflecting: settings))"
        #expect(!printed.contains(secret.reveal()) && !printed.contains("the private key") && !printed.contains("11223344"))
    }
}
