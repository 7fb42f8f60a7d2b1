#if canImport(Glibc)
    import Glibc

    /// Functions of glibc that its Swift module leaves out, as it is built without `_GNU_SOURCE`, looked up by
    /// name; `nil` in a libc without them.
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
