import Curation
import Foundation
import GalleryCore
import TerminalPictures

/// What services on the web answer to one request each.
struct ServiceChecks {
    private let checks: [ServiceCheck]

    /// Asks the services called `names`, or all, past the cache and without retries.
    init(_ names: [String], within seconds: Int, _ context: Context) async throws {
        let catalog = context.catalog
        let known = catalog.entries.filter { catalog.hasAPI($0.name) }
        let chosen = try names.map { name -> ServiceEntry in
            guard let entry = known.first(where: { $0.name == name }) else {
                throw CommandFault(
                    .usage, "There is no service '\(PlainText.excerpt(name))' on the web.",
                    hint: "Known: \(known.map(\.name).joined(separator: ", ")).")
            }
            return entry
        }
        let services = chosen.isEmpty ? known : chosen
        var configuration = APIClient.Configuration()
        // Timers count in milliseconds and smaller parts, and would overflow.
        configuration.idleTimeout = min(seconds, 365 * 86_400)
        configuration.retries = 0
        let web = URLSessionTransport(workers: context.workers(), connections: services.count)
        let loaders = ServiceLoaders(
            catalog, at: ServiceAddress(service: ServiceCatalog.bundled, base: nil),
            bases: context.configuration.baseURLs,
            client: APIClient(transport: web, configuration: configuration))
        let checks = await loaders.checks(services, within: .seconds(configuration.idleTimeout))
        // What is the service of any address has none to be asked at unless one is set.
        self.checks = checks.filter { !chosen.isEmpty || !$0.lacksAddress }
    }

    /// Prints a line for each, and ends the command with an error's status unless all answered.
    func report(to terminal: Terminal) throws {
        try terminal.results(lines)
        var failures = Failures()
        for case .failure(let error) in checks.map(\.outcome) { failures.add(error) }
        try failures.throwStatus(succeeded: checks.count - failures.count)
    }

    /// The same for `gallery doctor`.
    var findings: [Finding] {
        checks.map { check in
            let text = "\(Self.answer(check)) (\(ByteText.time(check.duration)))"
            return switch check.outcome {
            case .success: Finding(.services, check.service, text)
            case .failure(let error):
                // A key that was never set is nothing that has broken.
                if case .keyMissing = error {
                    Finding(.services, check.service, .note, text, help: error.commandHint)
                } else {
                    Finding(
                        .services, check.service, .broken, text,
                        help: "gallery services --check \(check.service)")
                }
            }
        }
    }

    private var lines: [String] {
        let width = checks.map { DisplayWidth.usual.of($0.service) }.max() ?? 0
        return checks.map { check in
            let status = check.status.map { "\($0)" } ?? "-"
            let columns = [
                DisplayWidth.usual.padded(check.service, to: width),
                DisplayWidth.usual.padded(check.outcome.isSuccess ? "ok" : "failed", to: 6),
                DisplayWidth.usual.padded(status, to: 3),
                DisplayWidth.usual.padded(ByteText.time(check.duration), to: 6),
            ]
            return (columns + [PlainText.line(Self.answer(check))]).joined(separator: "  ")
        }
    }

    private static func answer(_ check: ServiceCheck) -> String {
        var parts: [String] =
            switch check.outcome {
            case .success(let photos): [photos.map { $0 == 1 ? "1 photo" : "\($0) photos" } ?? "answered"]
            case .failure(let error): ["\(error)".trimmingCharacters(in: ["."])]
            }
        if let host = check.host { parts.append(host) }
        if let remaining = check.remaining { parts.append("requests left: \(remaining)") }
        return parts.joined(separator: "; ")
    }
}

extension ServiceCheck {
    fileprivate var lacksAddress: Bool { if case .failure(.noAddress) = outcome { true } else { false } }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
