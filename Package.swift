// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "gallery",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "GalleryCore", targets: ["GalleryCore"]),
        .executable(name: "gallery", targets: ["gallery"]),
    ],
    targets: [
        .target(
            name: "GalleryCore",
            resources: [
                .copy("../../fixtures/sample"), .copy("../../fixtures/output.schema.json"),
                .copy("../../fixtures/sources"), .copy("../../fixtures/sources.schema.json"),
                .copy("Publishing/style.css"), .copy("Publishing/script.js"),
            ], swiftSettings: settings),
        .target(name: "Arguments", swiftSettings: settings),
        .executableTarget(
            name: "gallery", dependencies: ["GalleryCore", "Arguments"], swiftSettings: settings),
        .target(
            name: "GalleryTestSupport", path: "Tests/GalleryTestSupport",
            swiftSettings: settings),
        .executableTarget(
            name: "GalleryBenchmarks", dependencies: ["GalleryTestSupport"], path: "Tests/GalleryBenchmarks",
            swiftSettings: settings),
        .testTarget(
            name: "ArgumentsTests", dependencies: ["Arguments", "GalleryTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "GalleryCoreTests", dependencies: ["GalleryCore", "GalleryTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "GalleryTests", dependencies: ["gallery", "Arguments", "GalleryTestSupport"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
