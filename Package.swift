// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A target of `Sources`.
func part(_ name: String, uses: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: uses, exclude: exclude, swiftSettings: settings)
}

/// The tests of one target, or of the program.
func tests(of name: String, use others: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name.prefix(1).uppercased() + name.dropFirst() + "Tests",
        dependencies: [.target(name: name), "GalleryTestSupport"] + others, swiftSettings: settings)
}

/// The tests that are built: all, or those of the targets that `GALLERY_TESTS` names, such as `Basics,PictureFiles`.
func chosen(_ tests: [Target]) -> [Target] {
    guard let names = Context.environment["GALLERY_TESTS"]?.split(separator: ",") else { return tests }
    return tests.filter { names.contains($0.name.dropLast("Tests".count)) }
}

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
        part("Arguments"),
        part("Basics"),
        part("PictureFiles", uses: ["Basics"]),
        // Its bundle holds all that is installed with the program.
        .target(
            name: "GalleryCore", dependencies: ["Basics", "PictureFiles"],
            resources: [
                .copy("../../fixtures/sample"), .copy("../../fixtures/output.schema.json"),
                .copy("../../fixtures/sources"), .copy("../../fixtures/sources.schema.json"),
                .copy("../../fixtures/help.txt"),
                .copy("../Publishing/style.css"), .copy("../Publishing/script.js"),
            ], swiftSettings: settings),
        part("Curation", uses: ["Basics", "PictureFiles", "GalleryCore"]),
        part(
            "Publishing", uses: ["Basics", "PictureFiles", "GalleryCore", "Curation"],
            exclude: ["style.css", "script.js"]),
        part("TerminalPictures", uses: ["Basics", "PictureFiles"]),
        .executableTarget(
            name: "gallery",
            dependencies: [
                "Arguments", "Basics", "PictureFiles", "GalleryCore", "Curation", "Publishing",
                "TerminalPictures",
            ], swiftSettings: settings),
        .target(
            name: "GalleryTestSupport", path: "Tests/GalleryTestSupport", swiftSettings: settings),
        .target(
            name: "ProductTestSupport",
            dependencies: [
                "Basics", "PictureFiles", "GalleryCore", "TerminalPictures", "GalleryTestSupport",
            ],
            path: "Tests/ProductTestSupport", swiftSettings: settings),
    ] + benchmarks
        + chosen([
            tests(of: "Arguments"),
            tests(of: "Basics", use: ["ProductTestSupport"]),
            tests(of: "PictureFiles", use: ["Basics", "ProductTestSupport"]),
            tests(of: "GalleryCore", use: ["Basics", "PictureFiles", "Curation", "ProductTestSupport"]),
            tests(of: "Curation", use: ["Basics", "PictureFiles", "GalleryCore", "ProductTestSupport"]),
            tests(
                of: "Publishing",
                use: ["Basics", "PictureFiles", "GalleryCore", "Curation", "ProductTestSupport"]),
            tests(of: "TerminalPictures", use: ["Basics", "PictureFiles", "ProductTestSupport"]),
            tests(
                of: "gallery",
                use: [
                    "Arguments", "Basics", "PictureFiles", "GalleryCore", "Curation", "Publishing",
                    "TerminalPictures",
                    "ProductTestSupport",
                ]),
        ]),
    swiftLanguageModes: [.v6]
)
