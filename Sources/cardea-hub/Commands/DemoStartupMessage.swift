import ArgumentParser
import CardeaHub
import CardeaSecurity
import Foundation

/// The message that the demo prints once it serves.
struct DemoStartupMessage: Sendable {
    let asJSON: Bool
    let resident: DemoResident

    func print(url: String) {
        let password = resident.password.reveal()
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let line = ["url": url, "username": resident.username, "password": password]
            guard let data = try? encoder.encode(line) else { return }
            return write(String(decoding: data, as: UTF8.self) + "\n", to: .standardOutput)
        }
        write(
            """

            A simulated house at \(url)

            In a browser: sign in as \(resident.username) with the password \(password)
            In a program, without a token: \(url)/api/devices and \(url.replacing("http", with: "ws", maxReplacements: 1))/ws

            Ctrl-C stops it and deletes the house.

            """, to: .standardOutput)
    }
}
