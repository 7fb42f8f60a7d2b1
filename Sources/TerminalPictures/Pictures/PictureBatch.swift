import Basics
import Foundation
import PictureFiles

extension PictureConverter {
    /// The pictures in `files`, in their order; `nil` for one that cannot be converted. Several go through one run of a
    /// program that takes them: of a thumbnail's time its start is a third.
    package func convert(_ files: [URL], longestEdge edge: Int, format: Format) async -> [Result?] {
        var results = [Result?](repeating: nil, count: files.count)
        if files.count > 1, await slots.enter() {
            results = (try? await together(files, edge, format)) ?? results
            slots.leave()
        }
        for (offset, file) in files.enumerated() where results[offset] == nil && !Task.isCancelled {
            results[offset] = try? await convert(file, longestEdge: edge, format: format)
        }
        return results
    }

    /// Those of the pictures for which a program has the same words as for the first.
    private func together(_ files: [URL], _ edge: Int, _ format: Format) async throws -> [Result?] {
        var results = [Result?](repeating: nil, count: files.count)
        var found: (program: ConverterProgram, path: String)?
        for program in programs where found == nil { found = await path(of: program).map { (program, $0) } }
        guard let (program, path) = found, let several = program.several else { return results }
        let scratch = try Self.scratch(holding: "srgb.icc", ConverterProgram.profile)
        defer { withExtendedLifetime(scratch) {} }
        var (common, alike) = ([String](), [(offset: Int, InspectedPicture, ConverterProgram.Order)]())
        for (offset, file) in files.enumerated() {
            guard let (picture, source) = try? await inspected(file), source.preview == nil,
                let type = format.types(for: source).first(where: program.types.contains)
            else { continue }
            let order = ConverterProgram.Order(
                picture, source, type, longestEdge: edge, folder: scratch.url.path)
            guard let words = program.words(order), common.isEmpty || words == common else { continue }
            common = words
            alike.append((offset, picture, order))
        }
        guard alike.count > 1, let type = alike.first?.1.type else { return results }
        let numbers = 3..<3 + alike.count
        let words = several(common, numbers.map { "/dev/fd/\($0)" }, scratch.url.path)
        var run = run(path, words, type, scratch.url)
        (run.files, run.timeLimit) = (alike.map(\.1.file), timeLimit * alike.count)
        // What it has not made is made alone, and what goes wrong with that is told.
        _ = try await run.outcome()
        for (number, (offset, _, order)) in zip(numbers, alike) {
            let file = scratch.url.appending(path: "\(number).\(order.type.fileExtension)")
            let output = (try? Data(contentsOf: file)).map(Array.init) ?? []
            results[offset] = order.source.accepted(
                output, as: order.type, longestEdge: order.size.longestEdge
            ).map { Result(bytes: $0, type: order.type) }
        }
        return results
    }
}
