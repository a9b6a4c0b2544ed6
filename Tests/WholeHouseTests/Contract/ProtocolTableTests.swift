import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Field tables of docs/protocol.md", .timeLimit(.minutes(2)))
struct ProtocolTableTests {
    @Test("The field tables equal the schemas of the OpenAPI document")
    func page() async throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "docs/protocol.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        try await HubTransport.router.run { _, _, client in
            let renewed = try FieldTables(document: try await OpenAPIContract.read(client).document, page: page).renewed()
            if ProcessInfo.processInfo.environment["CARDEA_RENEW_DOCS"] == "1" {
                try Data(renewed.utf8).write(to: file)
            } else {
                let isSame = renewed == page
                #expect(isSame, "Renew it: CARDEA_RENEW_DOCS=1 swift test --filter ProtocolTableTests")
            }
        }
    }

    @Test("Required members come first, optional members of a body hide null, and nested values are named")
    func table() throws {
        let document: JSONValue = [
            "components": [
                "schemas": [
                    "Body": [
                        "type": "object", "additionalProperties": false, "required": ["name", "kind"],
                        "properties": [
                            "name": ["type": "string", "minLength": 1, "maxLength": 100, "description": "a | b"],
                            "kind": ["enum": ["one", "two"]],
                            "at": ["type": ["string", "null"], "format": "date-time"],
                            "parts": ["type": "array", "maxItems": 8, "items": ["$ref": "#/components/schemas/Part"]],
                            "size": ["$ref": "#/components/schemas/Size"],
                        ],
                    ],
                    "Size": ["type": "object", "required": ["width"], "properties": ["width": [:], "height": [:]]],
                    "Part": [
                        "type": "object",
                        "properties": [
                            "size": ["type": ["integer", "null"], "minimum": 1], "change": ["type": "number", "minimum": -1, "maximum": 1],
                        ],
                    ],
                ]
            ]
        ]
        let page = "before\n<!-- fields: Body -->\nold\n<!-- end -->\n<!-- fields: Part -->\n<!-- end -->\nafter"
        #expect(
            try FieldTables(document: document, page: page).renewed() == """
                before
                <!-- fields: Body -->
                | Field | Type | Required | Meaning |
                |---|---|---|---|
                | `name` | text 1–100 | yes | a \\| b |
                | `kind` | one of `one two` | yes | |
                | `at` | time | | |
                | `parts` | list of `Part`, up to 8 items | | |
                | `size` | `{width, height?}` | | |
                <!-- end -->
                <!-- fields: Part -->
                | Field | Type | Required | Meaning |
                |---|---|---|---|
                | `change` | number -1 to 1 | | |
                | `size` | integer from 1 or null | | |
                <!-- end -->
                after
                """)
    }

    @Test(
        "An unknown schema and a marker without its pair are errors",
        arguments: [
            "<!-- fields: Nothing -->\n<!-- end -->", "<!-- end -->", "<!-- fields: Part -->",
        ])
    func markers(page: String) {
        let document: JSONValue = ["components": ["schemas": ["Part": ["type": "object"]]]]
        #expect(throws: FieldTables.MarkerError.self) { try FieldTables(document: document, page: page).renewed() }
    }
}
