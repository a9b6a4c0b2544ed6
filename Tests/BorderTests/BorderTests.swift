import CardeaTestSupport
import Foundation
import Testing

/// The borders of the map, each with its reason, checked on the package itself.
@Suite("Module boundaries", .serialized)
struct BorderTests {
    private struct Package: Decodable {
        struct Target: Decodable {
            let name: String
            let type: String
            let dependencies: [[String: [Part?]]]
        }

        /// A dependency is an array of names and conditions; only the names matter here.
        enum Part: Decodable {
            case name(String)
            case other

            init(from decoder: any Decoder) throws {
                if let name = try? decoder.singleValueContainer().decode(String.self) { self = .name(name) } else { self = .other }
            }
        }

        let targets: [Target]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Direct dependencies of each target, by name.
    private static func dependencies() async throws -> [String: Set<String>] {
        // A separate scratch folder: the tests' own build locks the usual one.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "cardea-borders-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let lines = try await ChildProcess.run(
            "swift", ["package", "--package-path", root.path, "--scratch-path", scratch.path, "dump-package"], hearsErrors: false)
        let package = try JSONDecoder().decode(Package.self, from: Data(lines.joined(separator: "\n").utf8))
        return package.targets.reduce(into: [:]) { result, target in
            let names = target.dependencies.flatMap {
                $0.values.compactMap { parts -> String? in
                    if case .name(let name)? = parts.first ?? nil { name } else { nil }
                }
            }
            result[target.name] = Set(names)
        }
    }

    /// All targets and products that a target depends on, directly or indirectly.
    private static func reach(of target: String, in graph: [String: Set<String>]) -> Set<String> {
        var seen: Set<String> = []
        var open = [target]
        while let next = open.popLast() {
            for name in graph[next] ?? [] where seen.insert(name).inserted { open.append(name) }
        }
        return seen
    }

    @Test("Each boundary holds, with its reason")
    func borders() async throws {
        let graph = try await Self.dependencies()
        let forbidden: [(target: String, others: [String], reason: String)] = [
            ("CardeaModel", ["CardeaStore", "CardeaHub", "GRDB", "Hummingbird", "Crypto"], "the house in plain values depends on nothing"),
            (
                "CardeaTemplates", ["CardeaHub", "CardeaMosquitto", "CardeaMQTT", "CardeaSecurity", "CardeaHTTP"],
                "a template computes on the values that it is given, and reads nothing else"
            ),
            ("CardeaAPI", ["CardeaHub", "CardeaStore", "GRDB", "Hummingbird"], "the contract is shared by both ends and pulls in neither"),
            ("CardeaClient", ["CardeaHub", "CardeaHTTP", "CardeaStore", "Hummingbird", "GRDB"], "the phone never links the server"),
            ("CardeaClientNIO", ["CardeaHub", "CardeaHTTP", "Hummingbird"], "the phone never links the server"),
            (
                "CardeaSync", ["CardeaHub", "CardeaHTTP", "CardeaStore", "Hummingbird", "AsyncHTTPClient"],
                "the phone never links the server, and brings its own way to it"
            ),
            (
                "CardeaScreens",
                ["CardeaHub", "CardeaHTTP", "CardeaStore", "CardeaClientNIO", "Hummingbird", "AsyncHTTPClient", "ArgumentParser"],
                "what a screen knows is the same on every phone, and none of it is the server's"
            ),
            ("cardea", ["CardeaHub", "CardeaStore", "CardeaHTTP", "Hummingbird"], "the command line speaks only the API"),
            ("CardeaStore", ["CardeaHub", "CardeaHTTP", "CardeaSecurity"], "the store knows no rules"),
            (
                "CardeaHub",
                [
                    "CardeaClient", "CardeaAPI", "CardeaHTTP", "CardeaMQTT", "CardeaMosquitto", "CardeaHomeAssistant", "CardeaCameras",
                    "CardeaVirtualHouse", "CardeaBonjour", "CardeaDNSSD", "CardeaPush", "CardeaLanguageModel", "Hummingbird",
                    "AsyncHTTPClient", "CardeaNFC", "CardeaMind", "CardeaAutomations", "CardeaBackup",
                ], "the hub knows no wire and no integration: they fill the ports it declares"
            ),
            (
                "CardeaHTTP", ["CardeaMQTT", "CardeaHomeAssistant", "CardeaCameras", "CardeaVirtualHouse", "CardeaClient"],
                "HTTP asks the hub, and nobody else"
            ),
            (
                "CardeaMQTT", ["CardeaHTTP", "CardeaStore", "CardeaVirtualHouse", "Hummingbird"],
                "an integration fills a port, and sees no store and no wire"
            ),
            (
                "CardeaHomeAssistant", ["CardeaHTTP", "CardeaStore", "CardeaMQTT", "CardeaVirtualHouse", "Hummingbird", "AsyncHTTPClient"],
                "an integration fills a port, and sees no store and no other integration"
            ),
            (
                "CardeaCameras", ["CardeaHTTP", "CardeaStore", "CardeaMQTT", "CardeaHomeAssistant", "Hummingbird", "AsyncHTTPClient"],
                "who looks through cameras fills a port, and sees no store and no other integration"
            ),
            ("CardeaVirtualHouse", ["CardeaHTTP", "CardeaMQTT", "Hummingbird"], "an integration fills a port"),
            (
                "CardeaNetwork", ["CardeaHub", "CardeaModel", "CardeaStore", "CardeaHTTP", "CardeaClient", "Hummingbird"],
                "connections and certificates know nothing of the house"
            ),
            ("CardeaClientBonjour", ["CardeaHub", "CardeaHTTP", "AsyncHTTPClient"], "looking for a house needs no server and no HTTP"),
            (
                "CardeaBonjour", ["CardeaHTTP", "CardeaClient", "Hummingbird"],
                "who tells the network of the house serves nobody, and asks nobody"
            ),
            (
                "CardeaPush", ["CardeaHTTP", "CardeaStore", "CardeaClient", "Hummingbird"],
                "who carries notices knows neither rules nor rows"
            ),
            (
                "CardeaLanguageModel", ["CardeaHTTP", "CardeaStore", "CardeaClient", "CardeaPush", "Hummingbird"],
                "who shows a stranger pictures and sentences sees one at a time, and no rows"
            ),
            ("CardeaDNSSD", ["CardeaHub", "CardeaModel", "CardeaClient", "CardeaAPI"], "the bare calls serve either side of the border"),
            (
                "CardeaTriggers", ["CardeaHub", "CardeaClient", "CardeaModel"],
                "an app without a hub links no part of the house"
            ),
            (
                "CardeaNFC", ["CardeaModel", "CardeaSecurity", "CardeaAPI", "CardeaClient", "Crypto"],
                "tags and readers hold no secret and know no house"
            ),
            (
                "CardeaMind", ["CardeaHub", "CardeaAutomations", "CardeaHTTP", "CardeaAPI", "CardeaSecurity", "Hummingbird"],
                "hub and mind do not know each other, and the mind moves nothing: it drives automations through a port of its own"
            ),
            (
                "CardeaAutomations", ["CardeaHub", "CardeaHTTP", "CardeaAPI", "CardeaSecurity", "CardeaClient", "Hummingbird"],
                "an automation acts through its actuator alone, which the adapter implements through the gate"
            ),
            (
                "CardeaBackup", ["CardeaHTTP", "CardeaAPI", "CardeaMind", "CardeaClient", "Hummingbird", "AsyncHTTPClient"],
                "who carries a house away and brings it back speaks to nobody on the way"
            ),
            ("CardeaMosquitto", ["CardeaHub", "CardeaModel"], "the bare connection serves either side of the border"),
            (
                "cardea-hub", ["CardeaClient", "CardeaClientNIO", "CardeaClientBonjour"],
                "the hub never links the client; it asks push services and a describer, and nobody else, by async-http-client"
            ),
        ]
        for (target, others, reason) in forbidden {
            let reached = Self.reach(of: target, in: graph)
            // CardeaHTTP and the executable link GRDB and the store through the hub; the list above names what they may not use.
            let crossed = others.filter {
                ["CardeaMQTT", "CardeaHomeAssistant", "CardeaCameras", "CardeaPush", "CardeaLanguageModel"].contains(target)
                    && $0 == "CardeaStore"
                    ? graph[target]?.contains($0) == true : reached.contains($0)
            }
            #expect(crossed.isEmpty, "\(target) reaches \(crossed): \(reason)")
        }
        #expect(graph["CardeaModel"]?.isEmpty == true)
        for (target, names) in graph where !target.hasSuffix("Tests") && target != "CardeaTestSupport" {
            #expect(!names.contains("CardeaTestSupport"), "\(target) reaches for the tests' house")
        }
    }

    @Test("Folders of every target are named with the shared nouns")
    func folders() throws {
        let nouns: Set = [
            "Access", "Audit", "Backup", "Devices", "Events", "Guests", "House", "Journal", "Keys", "Maintenance", "Mind", "Notices",
            "People",
            "Privacy",
            "Sessions", "Storage", "Tags",
        ]
        // Rules about how a target works, and not about its role in the house.
        let own: [String: Set<String>] = [
            "CardeaAPI": ["Contract"], "CardeaCameras": ["Connection"], "CardeaLanguageModel": ["Connection"],
            "CardeaClient": ["House", "Transport"], "CardeaHTTP": ["Answers", "Middleware", "Routing", "Server", "Web"],
            "CardeaHomeAssistant": ["Connection"], "CardeaMQTT": ["Discovery"],
            "CardeaMind": ["Emotions", "Interview", "Language", "Loops", "Memory", "Twins", "WhatIf"],
            "CardeaMindAdapter": ["HistoryImport"], "CardeaScreens": ["House", "Outbox"], "CardeaSecurity": ["SecretStores"],
            "CardeaStore": ["Migrations"], "CardeaSync": ["Cache", "Conflicts", "Outbox"], "CardeaWeb": ["Site"],
            "cardea": ["Conflicts", "House", "Outbox", "Terminal"],
            "cardea-hub": ["Commands", "House", "Integrations", "Options", "Service"],
        ]
        let sources = Self.root.appending(path: "Sources")
        for target in try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: [.isDirectoryKey]) {
            for entry in try FileManager.default.contentsOfDirectory(at: target, includingPropertiesForKeys: [.isDirectoryKey])
            where try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
                let name = entry.lastPathComponent
                #expect(
                    nouns.contains(name) || own[target.lastPathComponent]?.contains(name) == true,
                    "\(target.lastPathComponent)/\(name) is not on the map")
            }
        }
    }

    @Test("CardeaScreens imports no UI framework")
    func noDrawing() throws {
        let sources = Self.root.appending(path: "Sources/CardeaScreens")
        let walk = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in walk where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let drawing = lines.filter { line in
                line.contains("import ") && ["SwiftUI", "UIKit", "AppKit", "WatchKit", "Combine"].contains { line.hasSuffix($0) }
            }
            #expect(drawing.isEmpty, "\(file.lastPathComponent): \(drawing)")
        }
    }

    @Test("Product code does not trap on input, print or wait blindly")
    func plainDanger() throws {
        let dangers = [" try!", " as! ", "fatalError(", "unowned(unsafe)", "Thread.sleep", "usleep("]
        let sources = Self.root.appending(path: "Sources")
        let walk = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in walk where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for danger in dangers { #expect(!text.contains(danger), "\(file.lastPathComponent) contains\(danger)") }
        }
    }
}
