import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// This run of the system, from power on to power off.
enum BootSession {
    /// The same for all processes until the system starts anew; empty where it cannot be told.
    static let id: String = {
        #if canImport(Glibc)
            let file = Glibc.open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return "" }
            let bytes = try? SystemCall.read(Descriptor(file), at: 0, count: 36)
            return String(decoding: bytes ?? [], as: UTF8.self)
        #else
            var length = 64
            var bytes = [UInt8](repeating: 0, count: length)
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &length, nil, 0) == 0 else { return "" }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }()
}
