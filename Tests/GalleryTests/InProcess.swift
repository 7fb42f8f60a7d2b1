import Foundation
import GalleryCore
import GalleryTestSupport
import Testing

@testable import TerminalPictures
@testable import gallery

/// Does the lines of these tests in the process of the tests: for what checks a message, a status, or an argument.
///
/// Lines for which the process itself matters start the program all the same: those that read or write the working
/// folder, need a terminal, or ask for help. The thorough tier starts it for every line, and so do tests of an
/// installed program.
struct InProcess: SuiteTrait, TestTrait, TestScoping {
    private static let starts =
        Thorough.isOn || ProcessInfo.processInfo.environment["GALLERY_PRODUCTS"] != nil

    /// What sends the requests of all lines: started once, as the program starts its own.
    private static let workers = NetworkWorkers { socket in
        guard let program = try? ProductLocation.executable("gallery") else { return nil }
        let environment = ProcessInfo.processInfo.environment.merging(["HOME": "/dev/null"]) { $1 }
        return try? ProcessRun(program.path, [], environment)
            .start(input: socket, output: nil, name: "gallery: network")
    }

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !Self.starts else { return try await function() }
        try await BuiltProduct.$inProcess.withValue(Self.run) { try await function() }
    }

    @Sendable private static func run(
        _ product: BuiltProduct, _ words: [String], _ environment: [String: String], _ input: Data?
    ) async throws -> ProductOutcome? {
        guard product.executable == (try ProductLocation.executable("gallery")),
            !needsProcess(words, environment, product)
        else {
            return nil
        }
        let (reading, output, errors) = (try Stream(input ?? Data()), try Stream(), try Stream())
        let variables = product.environment.merging(environment) { $1 }
        let surroundings = Surroundings(
            environment: variables,
            terminal: Terminal(output: output.descriptor, messages: errors.descriptor),
            abilities: TerminalAbilities(
                columns: nil, colorsResults: false, showsProgress: false, reflows: false, browses: false),
            input: reading.descriptor, workers: { workers })
        let status = await Program(words, surroundings).run()
        return ProductOutcome(status: status, output: try output.bytes(), errors: try errors.bytes())
    }

    private static func needsProcess(
        _ words: [String], _ environment: [String: String], _ product: BuiltProduct
    ) -> Bool {
        let process: Set = [
            "fetch", "web", "collage", "verify", "browse", "doctor", "help", "--help", "-h", "--version",
            "--folder",
        ]
        let files = FileManager.default
        return words.contains { word in
            process.contains(word)
                || !word.isEmpty && files.fileExists(atPath: product.folder.appending(path: word).path)
        } || environment.keys.contains { $0 == "COLUMNS" || $0.lowercased().hasSuffix("_proxy") }
    }
}

extension Trait where Self == InProcess {
    /// Lines are done in the process of the tests, where the program need not be started.
    static var inProcess: Self { InProcess() }
}

/// A file without a name, in place of a pipe: whoever writes is never held up.
private final class Stream {
    private let file: UnsafeMutablePointer<FILE>

    var descriptor: Int32 { fileno(file) }

    init(_ contents: Data = Data()) throws {
        file = try #require(tmpfile())
        let handle = FileHandle(fileDescriptor: fileno(file), closeOnDealloc: false)
        try handle.write(contentsOf: contents)
        try handle.seek(toOffset: 0)
    }

    func bytes() throws -> Data {
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try handle.seek(toOffset: 0)
        return try handle.readToEnd() ?? Data()
    }

    deinit { fclose(file) }
}
