// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// Built by `.ci/bench` and the gate alone: neither the program nor its tests need it.
let benchmarks: [Target] =
    Context.environment["GALLERY_BENCHMARKS"] == nil
    ? []
    : [
        .executableTarget(
            name: "GalleryBenchmarks", dependencies: ["GalleryTestSupport"], path: "Tests/GalleryBenchmarks",
            swiftSettings: settings)
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
                .copy("../../fixtures/help.txt"),
                .copy("Publishing/style.css"), .copy("Publishing/script.js"),
            ], swiftSettings: settings),
        .target(name: "Arguments", swiftSettings: settings),
        .executableTarget(
            name: "gallery", dependencies: ["GalleryCore", "Arguments"], swiftSettings: settings),
        .target(
            name: "GalleryTestSupport", path: "Tests/GalleryTestSupport",
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
    ] + benchmarks,
    swiftLanguageModes: [.v6]
)
