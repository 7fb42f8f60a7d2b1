import Foundation

/// An nginx on loopback: what only a server that others wrote can show.
public struct Nginx: Sendable {
    /// The program; `nil` where it is not installed.
    public static let executable = ["/usr/sbin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }.map { URL(filePath: $0) }

    /// Where it listens, without a final slash.
    public let url: URL
    /// The folder whose files it serves.
    public let root: URL
    private let process: RunningProduct

    /// The status of every answer so far. The last one may be missing for a moment after it has arrived.
    public var statuses: [Int] {
        process.errors.split(separator: "\n").compactMap { line in
            line.hasPrefix(Self.mark) ? Int(line.dropFirst(Self.mark.count)) : nil
        }
    }

    fileprivate static let mark = "status "

    fileprivate init(url: URL, root: URL, process: RunningProduct) {
        self.url = url
        self.root = root
        self.process = process
    }
}

/// nginx did not start.
public struct NginxMissing: Error, CustomStringConvertible {
    /// What it said.
    public let description: String
}

/// Runs the body with an nginx that serves an empty folder, then ends it.
///
///     try await withNginx(http: "limit_req_zone $host zone=a:1m rate=30r/s;", location: "limit_req zone=a;") {
///         …
///     }
///
/// - Parameters:
///   - http: Directives for all of it, each with its semicolon.
///   - location: Directives for all files.
nonisolated(nonsending) public func withNginx<Result>(
    http: String = "", location: String = "",
    run body: nonisolated(nonsending) (Nginx) async throws -> Result
) async throws -> Result {
    guard let executable = Nginx.executable else { throw NginxMissing(description: "nginx is not installed") }
    return try await withProgram(at: executable) { program in
        let root = program.folder.appending(path: "root", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let port = try freePort()
        let file = program.folder.appending(path: "nginx.conf")
        try Data(configuration(port: port, root: root.path, http: http, location: location).utf8)
            .write(to: file)
        let process = try program.start(
            ["-p", program.folder.path, "-c", file.path, "-e", "stderr"], timeLimit: .seconds(3600))
        // It says so once it listens.
        guard try await process.waitForErrors("[notice]") else {
            throw NginxMissing(description: process.errors)
        }
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        return try await body(Nginx(url: url, root: root, process: process))
    }
}

/// One process, which nothing outlives, and which keeps all of its files in its own folder.
private func configuration(port: Int, root: String, http: String, location: String) -> String {
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path temp;" }
    return """
        daemon off; master_process off; pid nginx.pid; error_log stderr notice;
        events { worker_connections 1024; }
        http {
            \(folders.joined(separator: " "))
            log_format short '\(Nginx.mark)$status'; access_log /dev/stderr short;
            types { image/jpeg jpg; application/json json; } sendfile on; keepalive_requests 1000000;
            \(http)
            server { listen 127.0.0.1:\(port); root \(root); location / { \(location) } }
        }
        """
}
