import Basics
import Foundation
import TerminalPictures

enum PackageManager: String, CaseIterable, Sendable {
    case apt, dnf, pacman, brew

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
    let programs: [HelperProgram]
    /// What there is not without any of them.
    let use: String
    /// What brings the best of them, by where it is called otherwise.
    let package: String
    var packages: [PackageManager: String] = [:]

    static let all = [
        HelperPrograms(programs: [.chafa], use: "pictures in most terminals", package: "chafa"),
        HelperPrograms(
            programs: ConverterProgram.all.map(\.program),
            use: "pictures of the sizes that pages and grids need", package: "libvips",
            packages: [.apt: "libvips-tools", .dnf: "vips-tools", .brew: "vips"]),
        HelperPrograms(
            programs: SVGDrawing.helpers, use: "collages as PNG or JPEG", package: "librsvg",
            packages: [.apt: "librsvg2-bin", .dnf: "librsvg2-tools"]),
        HelperPrograms(programs: [Desktop.opener], use: "opening pages and files", package: "xdg-utils"),
    ]

    /// A file on `PATH` that has the name of one of them, and what it says of itself.
    struct Candidate: Sendable {
        let program: HelperProgram
        let path: String
        let introduction: HelperIntroduction

        var isIt: Bool { path == program.place || introduction.isOf(program) }

        fileprivate var finding: Finding {
            let name = URL(filePath: path).lastPathComponent
            if isIt {
                let version = PlainText.excerpt(introduction.line, limit: 80)
                return Finding(.programs, name, version.isEmpty ? path : "\(version); \(path)")
            }
            guard introduction.runs else {
                return Finding(.programs, name, .note, "\(path) does not run", help: "Install it again.")
            }
            return Finding(.programs, name, .note, "\(path) is not \(program.product)")
        }
    }

    func candidates(_ environment: [String: String]) async -> [Candidate] {
        var candidates: [Candidate] = []
        for program in programs {
            for path in program.candidates(in: environment) {
                let introduction = await program.introduction(of: path, environment)
                candidates.append(Candidate(program: program, path: path, introduction: introduction))
            }
        }
        return candidates
    }

    /// What is there, with the versions that they told; what has a name and is something else; what is missing.
    func findings(_ candidates: [Candidate], _ manager: PackageManager?) -> [Finding] {
        let found = candidates.map(\.finding)
        guard !candidates.contains(where: \.isIt) else { return found }
        let line = manager.map { $0.line(for: packages[$0] ?? package) }
        let name = programs[0].names[0]
        return found + [
            Finding(
                .programs, name, .note, "not installed; needed for \(use)", help: line ?? "Install \(name).")
        ]
    }
}
