import Foundation
import GalleryCore

/// A way to install programs.
enum PackageManager: String, CaseIterable, Sendable {
    case apt, dnf, pacman, brew

    /// The one of this system; `nil` if it is another one.
    init?(in environment: [String: String]) {
        let found = Self.allCases.first { ProcessRun.find($0.rawValue, in: environment) != nil }
        guard let found else { return nil }
        self = found
    }

    /// The line that installs a package.
    func line(for package: String) -> String {
        switch self {
        case .apt, .dnf, .brew: "\(rawValue) install \(package)"
        case .pacman: "pacman -S \(package)"
        }
    }
}

/// Programs of which one is enough, and what they are for.
struct HelperPrograms: Sendable {
    let names: [String]
    /// What there is not without any of them.
    let use: String
    /// What brings the best of them, by where it is called otherwise.
    let package: String
    var packages: [PackageManager: String] = [:]

    /// The ones that this program runs.
    static let all = [
        HelperPrograms(names: [Chafa.program], use: "pictures in most terminals", package: "chafa"),
        HelperPrograms(
            names: ConverterProgram.all.flatMap(\.names),
            use: "pictures of the sizes that pages and grids need", package: "libvips",
            packages: [.apt: "libvips-tools", .dnf: "vips-tools", .brew: "vips"]),
        HelperPrograms(
            names: SVGDrawing.names, use: "collages as PNG or JPEG", package: "librsvg",
            packages: [.apt: "librsvg2-bin", .dnf: "librsvg2-tools"]),
        HelperPrograms(
            names: [ExifTool.program], use: "cleaning TIFF, HEIC, and AVIF for pages",
            package: "exiftool",
            packages: [
                .apt: "libimage-exiftool-perl", .dnf: "perl-Image-ExifTool", .pacman: "perl-image-exiftool",
            ]),
        HelperPrograms(names: [Desktop.opener], use: "opening pages and files", package: "xdg-utils"),
    ]

    /// What came of asking one.
    struct Answer: Sendable {
        let path: String
        /// Whether it began, and ended by itself.
        let runs: Bool
        /// In one line; `nil` where it does not tell.
        let version: String?
    }

    /// What each of them is asked for its version with.
    static func question(_ name: String) -> String {
        switch name {
        case "ffmpeg", "magick", "convert": "-version"
        case "tmux": "-V"
        case ExifTool.program: "-ver"
        default: "--version"
        }
    }

    /// What is there, with the versions that they told; nothing for one that is not.
    ///
    /// - Parameter found: Those that are installed.
    func findings(_ found: [String: Answer], _ manager: PackageManager?) -> [Finding] {
        let there = names.compactMap { name in
            found[name].map { answer in
                guard answer.runs else {
                    return Finding(
                        .programs, name, .note, "\(answer.path) does not run", help: "Install it again.")
                }
                return Finding(
                    .programs, name, [answer.version, answer.path].compactMap(\.self).joined(separator: "; "))
            }
        }
        guard there.isEmpty else { return there }
        let line = manager.map { $0.line(for: packages[$0] ?? package) }
        return [
            Finding(
                .programs, names[0], .note, "not installed; needed for \(use)",
                help: line ?? "Install \(names[0]).")
        ]
    }
}
