import CardeaModel
import Foundation
import Testing

@Suite("Webhook reports of doorbells and cameras")
struct IncomingWebhookReportTests {
    private static let jpeg = Data(
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 100) + [0x0D, 0x0A, 0x2D, 0x2D, 0xFF, 0xD9] as [UInt8])

    /// A request from a device, and the event it reports.
    struct Case: Sendable, CustomTestStringConvertible {
        let make: IncomingWebhookVendor
        let request: IncomingWebhookRequest
        /// nil for no event.
        let type: String?
        var hasPicture = false

        init(_ make: IncomingWebhookVendor, _ request: IncomingWebhookRequest, _ type: String?, hasPicture: Bool = false) {
            (self.make, self.request, self.type, self.hasPicture) = (make, request, type, hasPicture)
        }

        var testDescription: String { "\(make) \(request.type ?? "")?\(request.query) \(request.body.count) bytes: \(type ?? "nothing")" }
    }

    private static func get(_ query: String = "", type: String? = nil) -> IncomingWebhookRequest {
        IncomingWebhookRequest(type: type, query: query)
    }

    private static func post(_ contentType: String?, _ body: String, type: String? = nil) -> IncomingWebhookRequest {
        IncomingWebhookRequest(type: type, contentType: contentType, body: Data(body.utf8))
    }

    private static func multipart(
        _ contentType: String, _ delimiter: String, _ parts: [(head: String, body: Data)], lineEnd: String = "\r\n"
    ) -> IncomingWebhookRequest {
        var body = Data()
        for part in parts {
            body += Data((delimiter + lineEnd + part.head.replacingOccurrences(of: "\n", with: lineEnd) + lineEnd + lineEnd).utf8)
            body += part.body + Data(lineEnd.utf8)
        }
        return IncomingWebhookRequest(contentType: contentType, body: body + Data("\(delimiter)--\(lineEnd)".utf8))
    }

    private static func alert(_ event: String, _ state: String, _ more: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <EventNotificationAlert version="2.0" xmlns="http://www.hikvision.com/ver20/XMLSchema">
        <ipAddress>192.168.1.64</ipAddress><channelID>1</channelID><dateTime>2026-11-27T10:00:00+01:00</dateTime>
        <activePostCount>1</activePostCount><eventType>\(event)</eventType><eventState>\(state)</eventState>\(more)
        <eventDescription>Motion alarm</eventDescription>
        </EventNotificationAlert>
        """
    }

    private static func hikvision(_ xml: String, lineEnd: String = "\r\n") -> IncomingWebhookRequest {
        multipart(
            "multipart/form-data; boundary=MIME_boundary", "--MIME_boundary",
            [
                (
                    "Content-Disposition: form-data; name=\"MoveDetection.xml\"; filename=\"MoveDetection.xml\"\nContent-Type: application/xml",
                    Data(xml.utf8)
                ),
                ("Content-Disposition: form-data; name=\"MoveDetection.jpg\"\nContent-Type: image/jpeg\nContent-Length: 110", jpeg),
            ], lineEnd: lineEnd)
    }

    private static func dahua(_ text: String) -> IncomingWebhookRequest {
        // The boundary includes its dashes.
        multipart(
            "multipart/mixed; boundary=--myboundary", "--myboundary",
            [("Content-Type: text/plain\nContent-Length: \(text.utf8.count)", Data(text.utf8)), ("Content-Type: image/jpeg", jpeg)])
    }

    private static let human =
        "<DetectionRegionList><DetectionRegionEntry><detectionTarget>human</detectionTarget></DetectionRegionEntry></DetectionRegionList>"

    private static let reolink =
        #"{"alarm":{"alarmTime":"2026-11-27T12:20:00.000+0100","channel":0,"channelName":"Door","device":"Door","message":"Alarm","type":"%"}}"#

    private static let unifi =
        #"{"alarm":{"name":"Bell","sources":[],"conditions":[{"condition":{"type":"is","source":"ring"}}],"triggers":[{"key":"%","device":"74ACB99F4E24"}]},"timestamp":1722526793954}"#

    static let cases: [Case] = [
        Case(.shelly, get(), "ring"), Case(.shelly, get(type: "motion"), "motion"), Case(.shelly, get("event=input.button_push"), "ring"),
        Case(.shelly, get("event=motion.change"), "motion"), Case(.shelly, get("hum=52.0&temp=21.5&id=shelly-1"), "ring"),
        Case(.shelly, get("state=off"), nil),
        Case(.doorbird, get(type: "ring"), "ring"), Case(.doorbird, get("event=doorbell"), "ring"),
        Case(.doorbird, get("event=motionsensor"), "motion"), Case(.doorbird, get("event=rfid"), "rfid"),
        Case(.reolink, post("application/json", reolink.replacingOccurrences(of: "%", with: "MD")), "motion"),
        Case(.reolink, post("application/json", reolink.replacingOccurrences(of: "%", with: "PEOPLE")), "person"),
        Case(.reolink, post("text/plain", reolink.replacingOccurrences(of: "%", with: "VISITOR")), "ring"),
        Case(.reolink, post("application/json", reolink.replacingOccurrences(of: "%", with: "DOG_CAT")), "animal"),
        Case(.reolink, post(nil, reolink.replacingOccurrences(of: "%", with: "CRY")), "cry"),
        Case(.reolink, post("application/json", reolink.replacingOccurrences(of: "%", with: "TEST")), nil), Case(.reolink, get(), "ring"),
        Case(.hikvision, hikvision(alert("VMD", "active")), "motion", hasPicture: true),
        Case(.hikvision, hikvision(alert("VMD", "active", human)), "person", hasPicture: true),
        Case(.hikvision, hikvision(alert("linedetection", "active"), lineEnd: "\n"), "motion", hasPicture: true),
        Case(.hikvision, hikvision(alert("VMD", "inactive")), nil),
        Case(.hikvision, post("application/xml; charset=UTF-8", alert("videoloss", "active")), nil),
        Case(.hikvision, post("application/xml", alert("shelteralarm", "active")), "tamper"),
        Case(.hikvision, post("application/xml", alert("IO", "active")), "ring"),
        Case(
            .hikvision,
            multipart(
                "multipart/form-data; boundary=\"MIME_boundary\"", "--MIME_boundary",
                [
                    (
                        "Content-Disposition: form-data; name=\"event_log\"\nContent-Type: application/json",
                        Data(
                            #"{"eventType":"AccessControllerEvent","eventState":"active","AccessControllerEvent":{"majorEventType":5,"subEventType":37}}"#
                                .utf8)
                    )
                ]), "ring"),
        Case(.dahua, dahua("Code=VideoMotion;action=Start;index=0;data={\n   \"Id\" : [ 0 ]\n}"), "motion", hasPicture: true),
        Case(.dahua, dahua("Code=VideoMotion;action=Stop;index=0"), nil),
        Case(.dahua, dahua("Code=NTPAdjustTime;action=Pulse;index=0"), nil),
        Case(.dahua, dahua("Code=SmartMotionHuman;action=Start;index=0"), "person", hasPicture: true),
        Case(
            .dahua, dahua(#"Code=CrossLineDetection;action=Start;index=0;data={"Object":{"ObjectType":"Vehicle"}}"#), "vehicle",
            hasPicture: true),
        Case(.dahua, dahua(#"Code=_DoTalkAction_;action=Pulse;index=0;data={"Action":"Invite"}"#), "ring", hasPicture: true),
        Case(.dahua, dahua(#"Code=BackKeyLight;action=Pulse;index=0;data={"State":1}"#), "ring", hasPicture: true),
        Case(.dahua, dahua(#"Code=BackKeyLight;action=Pulse;index=0;data={"State":0}"#), nil),
        Case(.dahua, post("application/json", #"{"Action":"Pulse","Code":"FaceDetection","Data":{},"Index":0}"#), "person"),
        Case(.dahua, dahua("Events[0].Code=VideoMotion\r\nEvents[0].Action=Start\r\n"), "motion", hasPicture: true),
        Case(.axis, get("event=VMD4"), "motion"),
        Case(.axis, get("topic=tns1:CameraApplicationPlatform/ObjectAnalytics/Device1Scenario1"), "motion"),
        Case(.axis, post("application/x-www-form-urlencoded", "message=Doorbell+pressed&device=A8207"), "ring"),
        Case(.axis, get("event=VMD4&active=0"), nil),
        Case(.axis, IncomingWebhookRequest(type: "motion", contentType: "image/jpeg", body: jpeg), "motion", hasPicture: true),
        Case(.unifi, post("application/json", unifi.replacingOccurrences(of: "%", with: "person")), "person"),
        Case(.unifi, post("application/json", unifi.replacingOccurrences(of: "%", with: "license_plate_unknown")), "vehicle"),
        Case(.unifi, post("application/json", unifi.replacingOccurrences(of: "%", with: "line_crossed")), "line_crossed"),
        Case(
            .unifi,
            post(
                "application/json",
                #"{"alarm":{"triggers":[{"key":"ring"}],"thumbnail":"data:image/jpeg;base64,\#(jpeg.base64EncodedString())"}}"#),
            "ring", hasPicture: true),
        Case(.unifi, post("application/json", #"{"alarm":{"name":"Motion at Tom's"}}"#), "motion"), Case(.unifi, get(), "ring"),
        Case(.generic, post("application/json", #"{"device":{"type":"doorbell"},"type":"Package"}"#), "package"),
        Case(.generic, post("text/plain", "motion"), "motion"),
        Case(.generic, post("application/x-www-form-urlencoded", "event=person&confidence=80"), "person"),
        Case(
            .generic,
            multipart(
                "multipart/form-data; boundary=x", "--x",
                [
                    ("Content-Disposition: form-data; name=\"event\"", Data("ring".utf8)),
                    ("Content-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\nContent-Type: application/octet-stream", jpeg),
                ]), "ring", hasPicture: true),
        // An unreadable body from a device with few reports.
        Case(.generic, post("application/json", "{"), "ring"), Case(.shelly, post("multipart/form-data", "x"), "ring"),
        // The path decides, whatever the body says.
        Case(.hikvision, post("application/xml", alert("videoloss", "active"), type: "motion"), "motion"),
        Case(.generic, post("application/json", #"{"type":"motion"}"#, type: "doorbell"), "ring"),
    ]

    @Test("Each vendor's format is parsed", arguments: cases)
    func makes(one: Case) throws {
        let report = try IncomingWebhookReport.read(one.request, of: one.make, usual: .ring)

        #expect(report?.type.rawValue == one.type)
        #expect(report?.picture == (one.hasPicture ? Self.jpeg : nil))
    }

    @Test("A picture field is decoded in every form of Base64, and an invalid one is reported")
    func pictures() throws {
        // Base64 encodes these bytes with `+`.
        let picture = Data([0xFF, 0xD8, 0xFF] + [[UInt8]](repeating: [0xFB, 0xEF, 0xBE], count: 30).joined() + [0xD9])
        let plain = picture.base64EncodedString()
        func read(_ text: String, isForm: Bool = false) throws -> IncomingWebhookReport? {
            let request =
                isForm
                ? Self.post("application/x-www-form-urlencoded", "event=motion&image=\(text)")
                : Self.post("application/json", #"{"event":"motion","image":"\#(text)"}"#)
            return try IncomingWebhookReport.read(request, of: .generic, usual: .ring)
        }
        let forURLs = plain.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        for text in [plain, forURLs, "data:image/jpeg;base64," + plain, plain.replacing("+++", with: #"+++\r\n"#)] {
            #expect(try read(text)?.picture == picture, "\(text)")
        }
        for text in [plain, plain.replacing("+", with: "%2B").replacing("=", with: "%3D")] {
            #expect(try read(text, isForm: true)?.picture == picture, "\(text)")
        }
        let none = String(repeating: "!", count: 200)
        for (text, problem) in [(none, .notBase64), ("https://\(none)", nil), ("yes", nil)] as [(String, PictureError?)] {
            let report = try read(text)
            #expect(report?.type == .motion && report?.picture == nil && report?.pictureProblem == problem)
        }
    }

    @Test("Oversized fields and oversized names are dropped")
    func endless() throws {
        let name = String(repeating: "a", count: 100_000)
        let nested = Self.post("application/json", #"{"\#(name)":{"event":"motion"},"b":{"\#(name)":{"event":"motion"}}}"#)
        let many = Self.post("application/x-www-form-urlencoded", String(repeating: "a=1&", count: 1000) + "event=motion")
        for request in [nested, many] {
            #expect(try IncomingWebhookReport.read(request, of: .generic, usual: .ring)?.type == .ring)
        }
    }

    @Test("An invalid type and an unreadable body are refused")
    func refused() {
        #expect(throws: IncomingWebhookReport.ReportError.type) {
            try IncomingWebhookReport.read(Self.get(type: "a b/c"), of: .generic, usual: .ring)
        }
        let entity = #"<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a><eventType>&b;</eventType></a>"#
        for request in [
            Self.post("application/xml", entity), Self.post("multipart/form-data; boundary=x", "none"), Self.post(nil, "{\"a\":"),
        ] {
            #expect(throws: IncomingWebhookReport.ReportError.unreadable) {
                try IncomingWebhookReport.read(request, of: .hikvision, usual: .ring)
            }
        }
    }

    @Test("Damaged bodies give an event, no event or a refusal")
    func damaged() {
        var dice = SeededGenerator.forTest(61)
        let bodies = Self.cases.map(\.request)
        for _ in 0..<TestRepetitions.of(400, full: 20_000) {
            var request = bodies[Int(dice.next() % UInt64(bodies.count))]
            var bytes = [UInt8](request.body)
            for _ in 0..<Int(dice.next() % 8) where !bytes.isEmpty {
                let place = Int(dice.next() % UInt64(bytes.count))
                switch dice.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: dice.next())
                case 1: bytes.removeSubrange(place...)
                default: bytes.insert(contentsOf: bytes.prefix(Int(dice.next() % 64)), at: place)
                }
            }
            request.body = Data(bytes)
            for make in IncomingWebhookVendor.allCases {
                do throws(IncomingWebhookReport.ReportError) {
                    let report = try IncomingWebhookReport.read(request, of: make, usual: .ring)
                    #expect(report.map { $0.picture?.isEmpty != true } ?? true)
                } catch {
                    #expect(error == .unreadable, "seed \(dice.seed)")
                }
            }
        }
    }
}
