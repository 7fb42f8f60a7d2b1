#if canImport(Glibc)
    import Glibc

    /// Functions of glibc that its Swift module leaves out because it is built without `_GNU_SOURCE`,
    /// looked up by name; `nil` in another libc.
    enum GNU {
        typealias SetOption = @convention(c) @Sendable (Int32, Int32) -> Int32
        typealias Limit =
            @convention(c) @Sendable (
                pid_t, UInt32, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?
            ) -> Int32
        typealias CloseFrom =
            @convention(c) @Sendable (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

        static let mallopt = function("mallopt", as: SetOption.self)
        static let prlimit = function("prlimit", as: Limit.self)
        static let addCloseFrom = function("posix_spawn_file_actions_addclosefrom_np", as: CloseFrom.self)

        private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(nil, name).map { unsafeBitCast($0, to: type) }
        }
    }
#endif

/// How the heap is laid out.
enum Memory {
    /// Makes all threads allocate from one arena.
    ///
    /// glibc creates up to eight arenas per core and keeps the free memory of each: 16 of 86 MB at the end of
    /// a fetch of 100,000 photos, which is no slower with a single arena. Does nothing on other systems.
    static func keepTogether() {
        #if canImport(Glibc)
            // `M_ARENA_MAX`, malloc.h.
            _ = GNU.mallopt?(-8, 1)
        #endif
    }
}
