import Foundation
import Synchronization

/// A private folder for the files of a helper program, which goes with its last reference, and at an interrupt.
package final class ScratchFolder: Sendable {
    /// It is there.
    package let url: URL

    /// All that there are; `nil` once there are to be no others.
    private static let folders = Mutex<Set<URL>?>([])

    /// - Throws: `CancellationError` as the process ends, or what ``FileManager`` throws.
    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "gallery-\(UUID())")
        self.url = url
        Interrupt.tidyUp()
        // Created in the lock too, so that none comes after ``removeAll()``.
        try Self.folders.withLock { folders in
            guard folders?.insert(url) != nil else { throw CancellationError() }
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
        Self.folders.withLock { _ = $0?.remove(url) }
    }

    /// Removes all, for good, where those who have them are not going to.
    static func removeAll() {
        for folder in folders.withLock({ $0.take() ?? [] }) {
            try? FileManager.default.removeItem(at: folder)
        }
    }
}
