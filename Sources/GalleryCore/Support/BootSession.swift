import Foundation

/// The system's current session, from power on to power off.
package enum BootSession {
    /// An identifier shared by all processes until the next restart; empty if the system has none.
    package static let id: String = {
        #if canImport(Glibc)
            let file = try? SystemCall.open("/proc/sys/kernel/random/boot_id", O_RDONLY)
            let bytes = file.flatMap { try? SystemCall.read($0, at: 0, count: 36) }
            return String(decoding: bytes ?? [], as: UTF8.self)
        #else
            var length = 64
            var bytes = [UInt8](repeating: 0, count: length)
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &length, nil, 0) == 0 else { return "" }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }()
}
