import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Personal data export", .timeLimit(.minutes(10)))
struct PersonalDataExportTests {
    /// The files of an export, by name.
    private static func unpacked(_ job: Job, by who: Principal, of house: TestHouse, in folder: URL) async throws -> [String: Data] {
        let place = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        var bytes = Data()
        for try await piece in try await house.hub.jobs.archive(job.id, by: who, origin: .house) { bytes += piece }
        #expect(bytes.count == Int(try await house.hub.jobs.one(job.id, seenBy: who).bytes ?? -1))
        try bytes.write(to: place.appending(path: "export.zip"))
        _ = try await ChildProcess.run(
            "python3",
            [
                "-c", "import sys,zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])", place.appending(path: "export.zip").path,
                place.path,
            ])
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: place.path) where name != "export.zip" {
            var isFolder: ObjCBool = false
            let path = place.appending(path: name).path
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                files[name] = try Data(contentsOf: URL(filePath: path))
            }
        }
        return files
    }

    @Test("An export contains all of a person's data in readable files, and its manifest verifies")
    func export() async throws {
        try await PersonalDataTraces.withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder.appending(path: "exports"))
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            try await PersonalDataTraces.create(owner, mark: "Oak", in: house)
            try await PersonalDataTraces.create(ada, mark: "Elm", in: house)
            let job = try await house.hub.jobs.export(try #require(ada.personID), by: ada, origin: .house)
            #expect(job.state == .waiting)
            try await house.hub.jobs.runAll()
            #expect(try await house.hub.jobs.one(job.id, seenBy: ada).state == .done)

            let files = try await Self.unpacked(job, by: ada, of: house, in: folder)
            let text = files.values.map { String(decoding: $0, as: UTF8.self) }.joined()
            for word in PersonalDataTraces.markers("Elm") where !word.hasPrefix("key-") { #expect(text.contains(word), "\(word)") }
            for word in PersonalDataTraces.markers("Oak") + PersonalDataTraces.secretMarkers("Oak")
                + PersonalDataTraces.secretMarkers("Elm")
            { #expect(!text.contains(word), "\(word)") }
            let summary = try JSONDecoder().decode(JSONValue.self, from: try #require(files["export.json"]))
            #expect(summary["user"]?["name"] == "NameElm" && summary["schemaVersion"] == "1.0")
            #expect(summary["preferences"]?["temperature_unit"] == "celsius" && summary["energyHistory"] == .array([]))
            // The activity in the house belongs to the household: every resident has all of it, with their own actions marked.
            guard case .array(let done)? = summary["maintenanceHistory"] else { throw CancellationError() }
            #expect(done.map { $0["completedBy"]?.string } == [nil, ada.personID])
            #expect(done.first?["task"] == "Filter" && done.first?["costMinor"] == 1299 && done.first?["currency"] == "EUR")
            #expect(String(decoding: try #require(files["index.html"]), as: UTF8.self).contains("What the house keeps of NameElm"))
            #expect(String(decoding: try #require(files["audit.json"]), as: UTF8.self).contains("person.export"))

            // The list of files is the house's, and each file matches its description.
            let manifest = try #require(files["manifest.json"])
            let signed = String(decoding: try #require(files["manifest.sig"]), as: UTF8.self)
            let signature = try #require(Data(base64Encoded: signed))
            #expect(house.hub.auditCheckpointer.signer.key.publicKey.isValidSignature(signature, for: manifest))
            let named = try JSONDecoder().decode(JSONValue.self, from: manifest)["files"]
            for (name, bytes) in files where !name.hasPrefix("manifest") {
                let digest = SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                #expect(named?[name] == .string("sha256:\(digest)"), "\(name)")
            }
        }
    }

    // The archive once stated 90 days for events, whatever the setting, and the audit log's retention without its segments of 256 entries.
    @Test("The export names the same retention texts as the privacy page, also with shortened event retention")
    func times() async throws {
        try await PersonalDataTraces.withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(days: 30), exports: folder.appending(path: "exports"))
            let (owner, _) = try await house.claim()
            let seen = Events.Draft(source: "porch", type: DetectionType.person.rawValue, occurredAt: house.clock.now)
            _ = try await house.hub.events.record(seen, by: owner, call: nil, origin: .house)
            let job = try await house.hub.jobs.export(try #require(owner.personID), by: owner, origin: .house)
            try await house.hub.jobs.runAll()

            let files = try await Self.unpacked(job, by: owner, of: house, in: folder)
            let index = String(decoding: try #require(files["index.html"]), as: UTF8.self)
            let parts = try await house.hub.personalDataOverview.parts(of: owner)

            let told = parts.filter { $0.purpose == .audit || $0.purpose == .events }.flatMap(\.retentionTexts)
            #expect(told == ["90 days after the last entry of its block of 256", "30 days"])
            for words in told { #expect(index.contains("kept \(words)<"), "\(words)") }
            #expect(index.contains("Changes on your own devices"))
        }
    }

    @Test("An export requires its owner and a step-up, twice a day, and is deleted after a day")
    func whose() async throws {
        try await PersonalDataTraces.withFolder { folder in
            let place = folder.appending(path: "exports")
            let house = try await TestHouse.make(store: .inMemory(), exports: place)
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "member", by: owner)
            let (ben, _) = try await house.resident("ben", role: "admin", by: owner)
            let jobs = house.hub.jobs
            let (adaID, ownerID) = (try #require(ada.personID), try #require(owner.personID))
            await #expect(throws: People.PersonError.self) { try await jobs.export(ownerID, by: ada, origin: .house) }
            await #expect(throws: People.PersonError.self) { try await jobs.export(adaID, by: ben, origin: .house) }
            await #expect(throws: Jobs.JobError.self) { try await jobs.export("person_nobody", by: owner, origin: .house) }
            let first = try await jobs.export(adaID, by: ada, origin: .house)
            #expect(try await jobs.export(adaID, by: ada, origin: .house).id == first.id, "one at a time")
            try await jobs.runAll()
            let second = try await jobs.export(adaID, by: ada, origin: .house)
            // The next export deletes a crash's leftovers.
            try Data("half".utf8).write(to: place.appending(path: "\(second.id).export.0A1B"))
            try await jobs.runAll()
            await #expect(throws: Jobs.JobError.self) { try await jobs.export(adaID, by: ada, origin: .house) }
            // An owner acts for a person who asks by letter; the owner may hand over the export.
            _ = try await jobs.export(adaID, by: owner, origin: .house)
            try await jobs.runAll()
            await #expect(throws: Jobs.JobError.self) { try await jobs.one(first.id, seenBy: ben) }
            await #expect(throws: People.PersonError.self) { try await jobs.archive(second.id, by: owner, origin: .house) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 3)
            for file in try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil) {
                #expect(try Data(contentsOf: file).range(of: Data("export.json".utf8)) == nil, "on the disk it is sealed")
            }
            #expect(try await house.auditNotes().allSatisfy { $0.action != "person.export.fetch" }, "nobody has fetched anything")
            let phone = RequestOrigin(remote: "192.168.1.5", isLocal: true, requestID: "r1")
            for _ in 0..<2 { _ = try await jobs.archive(second.id, by: ada, origin: phone) }
            let fetched = try await house.auditNotes().filter { $0.action == "person.export.fetch" }
            #expect(fetched.count == 2 && fetched.allSatisfy { $0.id == adaID && $0.result == "done" && $0.remote == "192.168.1.5" })
            house.clock.advance(by: 301)
            await #expect(throws: Sessions.SessionError.self) { try await jobs.archive(second.id, by: ada, origin: .house) }
            house.clock.advance(by: 86_400)
            try await house.hub.clock.trust(at: house.clock.now)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
        }
    }

    @Test("A failed export does not count toward the daily limit")
    func failedExports() async throws {
        try await PersonalDataTraces.withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder.appending(path: "exports"))
            let (owner, _) = try await house.claim()
            let id = try #require(owner.personID)
            let jobs = house.hub.jobs

            for _ in 0..<3 {
                let job = try await jobs.export(id, by: owner, origin: .house)
                try await house.store.write { try JobRecords.fail(job.id, because: "no room", at: house.clock.now, in: $0) }
            }
            for _ in 0..<2 {
                _ = try await jobs.export(id, by: owner, origin: .house)
                try await jobs.runAll()
            }

            await #expect(throws: Jobs.JobError.self) { try await jobs.export(id, by: owner, origin: .house) }
        }
    }
}
