// swift-tools-version: 6.2
import PackageDescription

// Targets are borders: one exists where the code runs elsewhere, or where a dependency comes in.
// ARCHITECTURE.md draws the map; Tests/BorderTests holds it.

let house: [SwiftSetting] = [
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
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")

let package = Package(
    name: "cardea",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "cardea-hub", targets: ["cardea-hub"]),
        .executable(name: "cardea", targets: ["cardea"]),
        // For Benchmarks, a package of its own.
        .library(
            name: "CardeaHub",
            targets: ["CardeaHub", "CardeaMind", "CardeaSenses", "CardeaHTTP", "CardeaStore", "CardeaSecurity", "CardeaModel"]),
        .library(name: "CardeaMQTT", targets: ["CardeaMQTT"]),
        .library(name: "CardeaClient", targets: ["CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity"]),
        .library(name: "CardeaClientNIO", targets: ["CardeaClientNIO"]),
        .library(name: "CardeaClientBonjour", targets: ["CardeaClientBonjour"]),
        .library(name: "CardeaSync", targets: ["CardeaSync"]),
        .library(name: "CardeaScreens", targets: ["CardeaScreens"]),
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
        // The house in plain values, and the secrets it keeps.
        .target(name: "CardeaModel", swiftSettings: house),
        .systemLibrary(name: "CArgon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CKeyring"),
        .target(
            name: "CardeaSecurity",
            dependencies: [
                crypto, .product(name: "CryptoExtras", package: "swift-crypto"),
                .target(name: "CArgon2", condition: .when(platforms: [.linux])),
                .target(name: "CKeyring", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: house),

        // The Jinja of Home Assistant's discovery.
        .target(name: "CardeaTemplates", dependencies: ["CardeaModel"], swiftSettings: house),

        // What lies on a tag, and the readers on which one lies.
        .target(name: "CardeaNDEF", swiftSettings: house),
        .systemLibrary(name: "CPCSC", providers: [.apt(["libpcsclite-dev"])]),
        .target(
            name: "CardeaPCSC", dependencies: ["CardeaNDEF", .target(name: "CPCSC", condition: .when(platforms: [.linux]))],
            swiftSettings: house),

        // Both ends of the wire.
        .target(name: "CardeaAPI", dependencies: ["CardeaModel"], swiftSettings: house),
        .target(
            name: "CardeaClient",
            dependencies: ["CardeaAPI", "CardeaModel", "CardeaSecurity", logging, .product(name: "Metrics", package: "swift-metrics")],
            swiftSettings: house),
        .target(
            name: "CardeaClientNIO",
            dependencies: [
                "CardeaClient", crypto, nioSSL, .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            swiftSettings: house),
        // Bonjour, bare, for either side of the border; and the client's use of it.
        .systemLibrary(name: "CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
        .target(
            name: "CardeaDNSSD", dependencies: [.target(name: "CDNSSD", condition: .when(platforms: [.linux]))], swiftSettings: house),
        .target(name: "CardeaClientBonjour", dependencies: ["CardeaClient", "CardeaAPI", "CardeaDNSSD"], swiftSettings: house),
        .target(
            name: "CardeaSync",
            dependencies: ["CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity", grdb],
            swiftSettings: house),
        .target(
            name: "CardeaScreens",
            dependencies: ["CardeaSync", "CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity"],
            swiftSettings: house),

        // Buttons and tags of an app that has a broker and no hub.
        .target(name: "CardeaTriggers", dependencies: ["CardeaSecurity"], swiftSettings: house),
        .target(
            name: "CardeaTriggersMosquitto", dependencies: ["CardeaTriggers", "CardeaMosquitto", "CardeaSecurity"], swiftSettings: house),

        // The hub.
        .target(
            name: "CardeaStore", dependencies: ["CardeaModel", grdb, .product(name: "GRDBSQLite", package: "GRDB.swift")],
            swiftSettings: house),
        .target(
            name: "CardeaHub",
            dependencies: [
                "CardeaStore", "CardeaSecurity", "CardeaModel", grdb, crypto, logging, serviceLifecycle,
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: house,
            // Which names look alike; Foundation has it with it, and links it only where it is used (decision 0071).
            linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
        // The house as a character. It knows no hub: it sees the house through the senses that it declares.
        .target(
            name: "CardeaMind", dependencies: ["CardeaStore", "CardeaModel", grdb, logging, serviceLifecycle],
            resources: [.embedInCode("Language/lexicon.en.json"), .embedInCode("Interview/equipment.en.json")], swiftSettings: house),
        // Where the hub's house becomes what the mind perceives; neither knows the other.
        .target(
            name: "CardeaSenses", dependencies: ["CardeaHub", "CardeaMind", "CardeaModel", "CardeaAPI", "CardeaStore", grdb, logging],
            swiftSettings: house),
        .systemLibrary(name: "CQRencode", providers: [.apt(["libqrencode-dev"])]),
        .target(name: "CardeaQR", dependencies: ["CQRencode"], swiftSettings: house),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", providers: [.apt(["libbrotli-dev"])]),
        .target(name: "CardeaWeb", dependencies: ["CZlib", "CBrotli"], resources: [.copy("Site")], swiftSettings: house),
        .target(
            name: "CardeaTLS",
            dependencies: [
                crypto, nioSSL, logging, serviceLifecycle, .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"), .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house),
        .target(
            name: "CardeaSockets",
            dependencies: [.product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio")],
            swiftSettings: house),
        .target(
            name: "CardeaHTTP",
            dependencies: [
                "CardeaHub", "CardeaMind", "CardeaSenses", "CardeaAPI", "CardeaModel", "CardeaSecurity", "CardeaSockets", "CardeaWeb",
                "CardeaQR",
                hummingbird,
                .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "HummingbirdTLS", package: "hummingbird"),
                "CardeaTLS", nioSSL, httpTypes, logging, serviceLifecycle,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOWebSocket", package: "swift-nio"), crypto,
                .product(name: "NIOFoundationCompat", package: "swift-nio"), grdb, "CardeaStore",
            ],
            swiftSettings: house),

        // The outside world, one target each.
        .target(name: "CardeaVirtualHouse", dependencies: ["CardeaHub", "CardeaModel", logging, serviceLifecycle], swiftSettings: house),
        .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .target(
            name: "CardeaMosquitto",
            dependencies: [
                "CMosquitto", "CardeaSecurity", .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            swiftSettings: house),
        .target(
            name: "CardeaMQTT",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaMosquitto", "CardeaSecurity", "CardeaTemplates", logging, serviceLifecycle,
            ],
            swiftSettings: house),
        .systemLibrary(name: "CArchive", providers: [.apt(["libarchive-dev"])]),
        .target(name: "CardeaArchive", dependencies: ["CArchive", "CardeaHub"], swiftSettings: house),
        .target(
            name: "CardeaPictures",
            dependencies: ["CardeaHub", "CardeaModel", .product(name: "Subprocess", package: "swift-subprocess")], swiftSettings: house),
        .target(
            name: "CardeaBonjour", dependencies: ["CardeaHub", "CardeaModel", "CardeaAPI", "CardeaDNSSD", logging, serviceLifecycle],
            swiftSettings: house),
        .target(
            name: "CardeaHomeAssistant",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaSecurity", logging, serviceLifecycle,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: house),

        .target(
            name: "CardeaPush",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaSockets", crypto, logging, serviceLifecycle, nioSSL,
                .product(name: "JWTKit", package: "jwt-kit"), .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: house),
        .target(
            name: "CardeaChat",
            dependencies: [
                "CardeaHub", "CardeaMind", "CardeaModel", "CardeaSecurity", logging, serviceLifecycle, nioSSL,
                .product(name: "AsyncHTTPClient", package: "async-http-client"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: house),
        .target(
            name: "CardeaCameras",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaSockets", crypto, logging, serviceLifecycle, nioSSL,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: house),

        // A house on its way to another disk and back.
        .systemLibrary(name: "CExchange"),
        .target(
            name: "CardeaBackup",
            dependencies: [
                "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaStore", "CExchange", "CZlib", crypto, logging, serviceLifecycle,
            ], swiftSettings: house),

        // The executables: everything is known here, and nothing is decided.
        .systemLibrary(name: "CCoreDumps"),
        .executableTarget(
            name: "cardea-hub",
            dependencies: [
                "CardeaHTTP", "CardeaHub", "CardeaStore", "CardeaSecurity", "CardeaModel", "CardeaAPI", "CardeaVirtualHouse",
                "CardeaMosquitto", "CardeaMQTT", "CardeaHomeAssistant", "CardeaCameras", "CardeaBonjour", "CardeaPictures", "CardeaPush",
                "CardeaArchive",
                "CardeaChat", "CardeaMind", "CardeaSenses", "CardeaBackup",
                "CardeaQR",
                "CardeaTLS",
                .target(name: "CCoreDumps", condition: .when(platforms: [.linux])),
                hummingbird, arguments, logging, serviceLifecycle, .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "cardea",
            dependencies: [
                "CardeaClientNIO", "CardeaClientBonjour", "CardeaSync", "CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity",
                "CardeaQR", "CardeaNDEF", "CardeaPCSC", arguments, crypto, .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: house),

        // What the tutorial builds.
        .executableTarget(
            name: "LiveDevices", dependencies: ["CardeaClientNIO", "CardeaSync", "CardeaClient", "CardeaAPI", "CardeaSecurity"],
            path: "Examples/LiveDevices", swiftSettings: house),

        // Tests.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        .target(
            name: "CardeaTestSupport",
            dependencies: [
                "CArchive", "CSpawn", "CardeaArchive", "CardeaHTTP", "CardeaHub", "CardeaMind", "CardeaSenses", "CardeaStore",
                "CardeaSecurity",
                "CardeaModel",
                "CardeaAPI", "CardeaClient",
                "CardeaSockets", "CardeaSync", "CardeaVirtualHouse", crypto, grdb, hummingbird, httpTypes, logging, serviceLifecycle,
                .product(name: "CryptoExtras", package: "swift-crypto"), .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/CardeaTestSupport",
            swiftSettings: house),
        .testTarget(
            name: "CardeaPushTests",
            dependencies: [
                "CardeaPush", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaSockets", "CardeaTestSupport", crypto, hummingbird,
                httpTypes, logging, .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "HummingbirdTesting", package: "hummingbird"),
                nioSSL, .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaChatTests",
            dependencies: [
                "CardeaChat", "CardeaHub", "CardeaMind", "CardeaModel", "CardeaSecurity", "CardeaTestSupport", hummingbird, httpTypes,
                logging,
                .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(name: "CardeaModelTests", dependencies: ["CardeaModel"], swiftSettings: house),
        .testTarget(
            name: "CardeaMindTests", dependencies: ["CardeaMind", "CardeaModel", "CardeaTestSupport"], swiftSettings: house),
        .testTarget(
            name: "CardeaSensesTests",
            dependencies: [
                "CardeaSenses", "CardeaMind", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaStore", "CardeaTestSupport", grdb,
                logging,
            ], swiftSettings: house),
        .testTarget(
            name: "CardeaTemplatesTests", dependencies: ["CardeaTemplates", "CardeaModel", "CardeaTestSupport"],
            exclude: ["templates.json"], swiftSettings: house),
        .testTarget(name: "CardeaNDEFTests", dependencies: ["CardeaNDEF"], swiftSettings: house),
        .testTarget(
            name: "CardeaDNSSDTests",
            dependencies: ["CardeaDNSSD", "CardeaBonjour", "CardeaHub", "CardeaModel", "CardeaAPI", "CardeaTestSupport"],
            swiftSettings: house),
        .testTarget(name: "CardeaStoreTests", dependencies: ["CardeaStore", "CardeaModel", grdb], swiftSettings: house),
        .testTarget(
            name: "CardeaSecurityTests", dependencies: ["CardeaSecurity", "CardeaTestSupport", crypto], exclude: ["pasted.json"],
            swiftSettings: house),
        .testTarget(
            name: "CardeaHubTests",
            dependencies: ["CardeaTestSupport", "CardeaHub", "CardeaMind", "CardeaModel", "CardeaSecurity", "CardeaStore", grdb],
            swiftSettings: house),
        .testTarget(
            name: "WholeHouseTests",
            dependencies: [
                "CardeaTestSupport", "CardeaHTTP", "CardeaHub", "CardeaMind", "CardeaStore", "CardeaModel", "CardeaSecurity", "CardeaAPI",
                "CardeaClient", "CardeaClientNIO", "CardeaVirtualHouse", "CardeaWeb", hummingbird, httpTypes, logging,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"), grdb, crypto, serviceLifecycle,
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaClientTests",
            dependencies: [
                "CardeaTestSupport", "CardeaClient", "CardeaClientNIO", "CardeaAPI", "CardeaModel", "CardeaSecurity",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaSyncTests",
            dependencies: [
                "CardeaSync", "CardeaTestSupport", "CardeaClient", "CardeaHTTP", "CardeaHub", "CardeaStore", "CardeaAPI", "CardeaModel",
                "CardeaSecurity",
                grdb, hummingbird, serviceLifecycle,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaScreensTests",
            dependencies: [
                "CardeaScreens", "CardeaTestSupport", "CardeaSync", "CardeaClient", "CardeaHub", "CardeaAPI", "CardeaModel",
                "CardeaSecurity", grdb, .product(name: "HummingbirdTesting", package: "hummingbird"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "cardea", "CardeaSync", "CardeaClient", "CardeaAPI", "CardeaModel", "CardeaSecurity", "CardeaQR", "CardeaTestSupport",
                arguments,
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaMQTTTests",
            dependencies: [
                "CardeaMQTT", "CardeaHub", "CardeaModel", "CardeaMosquitto", "CardeaSecurity", "CardeaStore", "CardeaTriggers",
                "CardeaTriggersMosquitto",
                "CardeaTestSupport", logging, serviceLifecycle,
            ],
            exclude: ["mqtt-devices.json", "mqtt-differences.json"], swiftSettings: house),
        .testTarget(
            name: "CardeaTriggersTests", dependencies: ["CardeaTriggers", "CardeaSecurity", "CardeaTestSupport"], swiftSettings: house),
        .testTarget(
            name: "CardeaHomeAssistantTests",
            dependencies: [
                "CardeaHomeAssistant", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaTestSupport", logging, serviceLifecycle,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaCamerasTests",
            dependencies: [
                "CardeaCameras", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaTestSupport", logging, serviceLifecycle,
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaTLSTests",
            dependencies: [
                "CardeaTLS", "CardeaTestSupport", "CardeaHTTP", "CardeaHub", "CardeaAPI", "CardeaClient", "CardeaClientNIO",
                "CardeaSecurity", nioSSL,
                hummingbird, logging, serviceLifecycle, .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: house),
        .testTarget(
            name: "CardeaPicturesTests", dependencies: ["CardeaPictures", "CardeaTestSupport", "CardeaHub", "CardeaModel"],
            swiftSettings: house),
        .testTarget(
            name: "CardeaBackupTests",
            dependencies: [
                "CardeaBackup", "CardeaHub", "CardeaModel", "CardeaSecurity", "CardeaStore", "CardeaTestSupport", grdb, logging,
            ], swiftSettings: house),
        .testTarget(name: "BorderTests", dependencies: ["CardeaTestSupport"], swiftSettings: house),
    ],
    swiftLanguageModes: [.v6]
)
