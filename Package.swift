// swift-tools-version: 6.2
import PackageDescription

// Targets are borders: one exists where the code runs elsewhere, or where a dependency comes in.
// ARCHITECTURE.md draws the map; Tests/BorderTests holds it.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
/// A product of swift-nio.
func nio(_ product: String) -> Target.Dependency { .product(name: product, package: "swift-nio") }
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "cardea",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "cardea-hub", targets: ["cardea-hub"]),
        .executable(name: "cardea", targets: ["cardea"]),
        // For Benchmarks, a separate package.
        .library(
            name: "CardeaHub",
            targets: [
                "CardeaHub", "CardeaMind", "CardeaAutomations", "CardeaMindAdapter", "CardeaHTTP", "CardeaStore", "CardeaSecurity",
                "CardeaModel",
            ]),
        .library(name: "CardeaMQTT", targets: ["CardeaMQTT"]),
        .library(name: "CardeaClient", targets: ["CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity"]),
        .library(name: "CardeaClientNIO", targets: ["CardeaClientNIO"]),
        .library(name: "CardeaClientBonjour", targets: ["CardeaClientBonjour"]),
        .library(name: "CardeaSync", targets: ["CardeaSync"]),
        .library(name: "CardeaScreens", targets: ["CardeaScreens"]),
        .library(name: "CardeaTriggers", targets: ["CardeaTriggers"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
    ],
    targets: [
        // The house in plain values, and its secrets.
        .target(name: "CardeaModel", swiftSettings: strict),
        .systemLibrary(name: "CArgon2", providers: [.apt(["libargon2-dev"])]),
        // Linux system calls that Swift cannot make by itself.
        .systemLibrary(name: "CLinux"),
        .target(
            name: "CardeaSecurity",
            dependencies: [
                crypto, .product(name: "CryptoExtras", package: "swift-crypto"),
                .target(
                    name: "CArgon2",
                    condition: .when(platforms: [.linux])), .target(name: "CLinux", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict),

        // The Jinja of Home Assistant's discovery.
        .target(name: "CardeaTemplates", dependencies: ["CardeaModel"], swiftSettings: strict),

        // NFC tags: NDEF messages, and PC/SC readers.
        .systemLibrary(name: "CPCSC", providers: [.apt(["libpcsclite-dev"])]),
        .target(name: "CardeaNFC", dependencies: [.target(name: "CPCSC", condition: .when(platforms: [.linux]))], swiftSettings: strict),

        // Shared by hub and clients.
        .target(name: "CardeaAPI", dependencies: ["CardeaModel"], swiftSettings: strict),
        .target(
            name: "CardeaClient",
            dependencies: ["CardeaAPI", "CardeaModel", "CardeaSecurity", logging, .product(name: "Metrics", package: "swift-metrics")],
            swiftSettings: strict),
        .target(
            name: "CardeaClientNIO",
            dependencies: [
                "CardeaClient", crypto, nioSSL, .product(name: "AsyncHTTPClient", package: "async-http-client"), nio("NIOTLS"),
                nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOFoundationCompat"),
            ],
            swiftSettings: strict),
        // Bonjour, for both sides; and the client's use of it.
        .systemLibrary(name: "CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
        .target(
            name: "CardeaDNSSD", dependencies: [.target(name: "CDNSSD", condition: .when(platforms: [.linux]))], swiftSettings: strict),
        .target(name: "CardeaClientBonjour", dependencies: ["CardeaClient", "CardeaAPI", "CardeaDNSSD"], swiftSettings: strict),
        .target(
            name: "CardeaSync",
            dependencies: ["CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity", grdb],
            swiftSettings: strict),
        .target(
            name: "CardeaScreens",
            dependencies: ["CardeaSync", "CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity"],
            swiftSettings: strict),

        // Buttons and tags of an app that has a broker and no hub. On Apple platforms the app brings its own MQTT client.
        .target(
            name: "CardeaTriggers",
            dependencies: ["CardeaSecurity", .target(name: "CardeaMosquitto", condition: .when(platforms: [.linux]))], swiftSettings: strict
        ),

        // The hub.
        .target(
            name: "CardeaStore", dependencies: ["CardeaModel", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")],
            swiftSettings: strict),
        .target(
            name: "CardeaHub",
            dependencies: [
                "CardeaStore", "CardeaSecurity", "CardeaModel", grdb, crypto, logging, serviceLifecycle,
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: strict,
            // Confusable names; Foundation ships with it, and links it only where it is used (decision 0071).
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
        // The mind. It does not depend on the hub: it reads the house through the ports that it declares.
        .target(
            name: "CardeaMind", dependencies: ["CardeaStore", "CardeaModel", grdb, logging, serviceLifecycle],
            resources: [.embedInCode("Language/lexicon.en.json"), .embedInCode("Interview/equipment.en.json")], swiftSettings: strict),
        // Automations: rules, their evaluation and their runs. They act through the actuator that they declare, without a dependency on the
        // hub.
        .target(
            name: "CardeaAutomations", dependencies: ["CardeaMind", "CardeaStore", "CardeaModel", grdb, logging], swiftSettings: strict),
        // Implements the ports of mind and automations over the hub; neither side knows the other.
        .target(
            name: "CardeaMindAdapter",
            dependencies: [
                "CardeaHub", "CardeaMind", "CardeaAutomations", "CardeaModel", "CardeaAPI", "CardeaStore", grdb, logging,
            ],
            swiftSettings: strict),
        .systemLibrary(name: "CQRencode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "CardeaQR", dependencies: ["CQRencode"], swiftSettings: strict),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", providers: [.apt(["libbrotli-dev"])]),
        .target(name: "CardeaWeb", dependencies: ["CZlib", "CBrotli"], resources: [.copy("Site")], swiftSettings: strict),
        // Accepted and outgoing connections, and the hub's certificate.
        .target(
            name: "CardeaNetwork",
            dependencies: [
                crypto, nioSSL, logging, serviceLifecycle, .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"), nio("NIOCore"), nio("NIOPosix"),
            ],
            swiftSettings: strict),
        .target(
            name: "CardeaHTTP",
            dependencies: [
                "CardeaHub", "CardeaMind", "CardeaAutomations", "CardeaMindAdapter", "CardeaAPI", "CardeaModel", "CardeaSecurity",
                "CardeaNetwork", "CardeaWeb", "CardeaQR", hummingbird, .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"), nioSSL, httpTypes, logging, serviceLifecycle, nio("NIOCore"),
                nio("NIOHTTP1"), .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"), nio("NIOWebSocket"), crypto, nio("NIOFoundationCompat"),
                grdb, "CardeaStore",
            ],
            swiftSettings: strict),

        // Integrations with the outside world, one target each.
        .target(name: "CardeaVirtualHouse", dependencies: ["CardeaHub", "CardeaModel", logging, serviceLifecycle], swiftSettings: strict),
        .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .target(
            name: "CardeaMosquitto",
            dependencies: [
                "CMosquitto", "CardeaSecurity", .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: strict),
        .target(
            name: "CardeaMQTT",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaMosquitto", "CardeaSecurity", "CardeaTemplates", logging, serviceLifecycle,
            ],
            swiftSettings: strict),
        .systemLibrary(name: "CArchive", providers: [.apt(["libarchive-dev"])]),
        .target(
            name: "CardeaBonjour", dependencies: ["CardeaHub", "CardeaModel", "CardeaAPI", "CardeaDNSSD", logging, serviceLifecycle],
            swiftSettings: strict),
        .target(
            name: "CardeaHomeAssistant",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaSecurity", logging, serviceLifecycle, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                nio("NIOWebSocket"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),

        .target(
            name: "CardeaPush",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaNetwork", crypto, logging, serviceLifecycle, nioSSL,
                .product(name: "JWTKit", package: "jwt-kit"), .product(name: "AsyncHTTPClient", package: "async-http-client"),
                nio("NIOCore"), nio("NIOFoundationCompat"), nio("NIOHTTP1"),
            ],
            swiftSettings: strict),
        .target(
            name: "CardeaLanguageModel",
            dependencies: [
                "CardeaHub", "CardeaMind", "CardeaModel", "CardeaSecurity", logging, serviceLifecycle, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"), nio("NIOCore"), nio("NIOHTTP1"),
            ],
            swiftSettings: strict),
        .target(
            name: "CardeaCameras",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaNetwork", crypto, logging, serviceLifecycle, nioSSL, nio("NIOCore"),
                nio("NIOHTTP1"), nio("NIOPosix"), .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict),

        // Backup and restore.
        .target(
            name: "CardeaBackup",
            dependencies: [
                "CArchive", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaStore", "CLinux", "CZlib", crypto, logging,
                serviceLifecycle,
            ], swiftSettings: strict),

        // The executables: they compose everything, and contain no rules.
        .executableTarget(
            name: "cardea-hub",
            dependencies: [
                "CardeaHTTP", "CardeaHub", "CardeaStore", "CardeaSecurity", "CardeaModel", "CardeaAPI", "CardeaVirtualHouse",
                "CardeaMosquitto", "CardeaMQTT", "CardeaHomeAssistant", "CardeaCameras", "CardeaBonjour", "CardeaPush",
                "CardeaLanguageModel",
                "CardeaMind", "CardeaAutomations", "CardeaMindAdapter", "CardeaBackup", "CardeaQR", "CardeaNetwork",
                .target(
                    name: "CLinux",
                    condition: .when(platforms: [.linux])), hummingbird, arguments, logging, serviceLifecycle,
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "HummingbirdCore", package: "hummingbird"), nio("NIOCore"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "cardea",
            dependencies: [
                "CardeaClientNIO", "CardeaClientBonjour", "CardeaSync", "CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity",
                "CardeaQR", "CardeaNFC", arguments, crypto, .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict),

        // The tutorial's program.
        .executableTarget(
            name: "LiveDevices", dependencies: ["CardeaClientNIO", "CardeaSync", "CardeaClient", "CardeaAPI", "CardeaSecurity"],
            path: "Examples/LiveDevices", swiftSettings: strict),

        // Tests.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        .target(
            name: "CardeaTestSupport",
            dependencies: [
                "CArchive", "CSpawn", "CardeaAutomations", "CardeaBackup", "CardeaHTTP", "CardeaHub", "CardeaMind", "CardeaMindAdapter",
                "CardeaStore",
                "CardeaSecurity", "CardeaModel", "CardeaAPI", "CardeaClient", "CardeaNetwork", "CardeaSync", "CardeaVirtualHouse", crypto,
                grdb, hummingbird, httpTypes, logging, serviceLifecycle, .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HummingbirdTesting", package: "hummingbird"), nio("NIOCore"), nio("NIOFoundationCompat"), nio("NIOHTTP1"),
                nio("NIOPosix"),
            ],
            path: "Tests/CardeaTestSupport",
            swiftSettings: strict),
        .testTarget(
            name: "CardeaPushTests",
            dependencies: [
                "CardeaPush", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaNetwork", "CardeaTestSupport", crypto, hummingbird,
                httpTypes, logging, .product(name: "AsyncHTTPClient", package: "async-http-client"), nio("NIOHTTP1"),
                .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "HummingbirdTesting", package: "hummingbird"),
                nioSSL, .product(name: "HummingbirdHTTP2", package: "hummingbird"), nio("NIOCore"), nio("NIOFoundationCompat"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaLanguageModelTests",
            dependencies: [
                "CardeaLanguageModel", "CardeaHub", "CardeaMind", "CardeaModel", "CardeaSecurity", "CardeaTestSupport", hummingbird,
                httpTypes,
                logging, .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"), nio("NIOCore"), nio("NIOFoundationCompat"), nio("NIOHTTP1"),
            ],
            swiftSettings: strict),
        .testTarget(name: "CardeaModelTests", dependencies: ["CardeaModel"], swiftSettings: strict),
        .testTarget(
            name: "CardeaMindTests", dependencies: ["CardeaMind", "CardeaModel", "CardeaTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CardeaAutomationsTests",
            dependencies: [
                "CardeaAutomations", "CardeaMindAdapter", "CardeaMind", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaStore",
                "CardeaTestSupport", grdb,
            ], swiftSettings: strict),
        .testTarget(
            name: "CardeaMindAdapterTests",
            dependencies: [
                "CardeaMindAdapter", "CardeaMind", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaStore", "CardeaTestSupport", grdb,
                logging,
            ], swiftSettings: strict),
        .testTarget(
            name: "CardeaTemplatesTests", dependencies: ["CardeaTemplates", "CardeaModel", "CardeaTestSupport"],
            exclude: ["templates.json"], swiftSettings: strict),
        .testTarget(name: "CardeaNFCTests", dependencies: ["CardeaNFC"], swiftSettings: strict),
        .testTarget(
            name: "CardeaDNSSDTests",
            dependencies: ["CardeaDNSSD", "CardeaBonjour", "CardeaHub", "CardeaModel", "CardeaAPI", "CardeaTestSupport"],
            swiftSettings: strict),
        .testTarget(name: "CardeaStoreTests", dependencies: ["CardeaStore", "CardeaModel", grdb], swiftSettings: strict),
        .testTarget(
            name: "CardeaSecurityTests", dependencies: ["CardeaSecurity", "CardeaTestSupport", crypto], exclude: ["pasted.json"],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaHubTests",
            dependencies: [
                "CardeaTestSupport", "CardeaHub", "CardeaAutomations", "CardeaMind", "CardeaModel", "CardeaSecurity", "CardeaStore", grdb,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WholeHouseTests",
            dependencies: [
                "CardeaTestSupport", "CardeaHTTP", "CardeaHub", "CardeaAutomations", "CardeaMind", "CardeaStore", "CardeaModel",
                "CardeaSecurity", "CardeaAPI", "CardeaClient", "CardeaClientNIO", "CardeaVirtualHouse", "CardeaWeb", hummingbird, httpTypes,
                logging,
                .product(name: "HummingbirdTesting", package: "hummingbird"), nio("NIOCore"), nio("NIOFoundationCompat"), nio("NIOPosix"),
                nio("NIOHTTP1"), nio("NIOWebSocket"), grdb, crypto, serviceLifecycle,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaClientTests",
            dependencies: [
                "CardeaTestSupport", "CardeaClient", "CardeaClientNIO", "CardeaAPI", "CardeaModel", "CardeaSecurity", nio("NIOCore"),
                nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOFoundationCompat"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaSyncTests",
            dependencies: [
                "CardeaSync", "CardeaTestSupport", "CardeaClient", "CardeaHTTP", "CardeaHub", "CardeaStore", "CardeaAPI", "CardeaModel",
                "CardeaSecurity", grdb, hummingbird, serviceLifecycle, .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaScreensTests",
            dependencies: [
                "CardeaScreens", "CardeaTestSupport", "CardeaSync", "CardeaClient", "CardeaHub", "CardeaAPI", "CardeaModel",
                "CardeaSecurity", grdb, .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "cardea", "CardeaSync", "CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity", "CardeaQR", "CardeaTestSupport",
                arguments,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaMQTTTests",
            dependencies: [
                "CardeaMQTT", "CardeaHub", "CardeaModel", "CardeaMosquitto", "CardeaSecurity", "CardeaStore", "CardeaTriggers",
                "CardeaTestSupport", logging, serviceLifecycle,
            ],
            exclude: ["mqtt-devices.json", "mqtt-differences.json"], swiftSettings: strict),
        .testTarget(
            name: "CardeaTriggersTests", dependencies: ["CardeaTriggers", "CardeaSecurity", "CardeaTestSupport"], swiftSettings: strict),
        .testTarget(
            name: "CardeaHomeAssistantTests",
            dependencies: [
                "CardeaHomeAssistant", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaTestSupport", logging, serviceLifecycle,
                nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOWebSocket"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaCamerasTests",
            dependencies: [
                "CardeaCameras", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaTestSupport", logging, serviceLifecycle,
                nio("NIOCore"), nio("NIOPosix"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaNetworkTests",
            dependencies: [
                "CardeaNetwork", "CardeaTestSupport", "CardeaHTTP", "CardeaHub", "CardeaAPI", "CardeaClient", "CardeaClientNIO",
                "CardeaSecurity", nioSSL, hummingbird, logging, serviceLifecycle, nio("NIOCore"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CardeaBackupTests",
            dependencies: [
                "CardeaBackup", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaStore", "CardeaTestSupport", grdb, logging,
            ], swiftSettings: strict),
        .testTarget(name: "BorderTests", dependencies: ["CardeaTestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
