import Foundation

#if canImport(Glibc)
    /// Functions of glibc that its Swift module lacks, looked up by name.
    ///
    /// The module is built without `_GNU_SOURCE`. Each of these is needed because the portable pair
    /// (`pipe`, then `fcntl`) leaves a moment in which a child started by another test inherits the
    /// descriptor.
    enum GNU {
        typealias Accept =
            @convention(c) @Sendable (
                Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?, Int32
            ) -> Int32
        typealias Pipe = @convention(c) @Sendable (UnsafeMutablePointer<Int32>, Int32) -> Int32
        typealias ChangeFolder =
            @convention(c) @Sendable (
                UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
            ) -> Int32
        typealias CloseFrom =
            @convention(c) @Sendable (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        typealias OnTerminal = @convention(c) @Sendable (Int32) -> Int32
        typealias TerminalName =
            @convention(c) @Sendable (Int32, UnsafeMutablePointer<CChar>, Int) -> Int32

        static let accept4 = function("accept4", as: Accept.self)
        static let pipe2 = function("pipe2", as: Pipe.self)
        static let addChangeFolder = function("posix_spawn_file_actions_addchdir_np", as: ChangeFolder.self)
        static let addCloseFrom = function("posix_spawn_file_actions_addclosefrom_np", as: CloseFrom.self)
        static let grantTerminal = function("grantpt", as: OnTerminal.self)
        static let unlockTerminal = function("unlockpt", as: OnTerminal.self)
        static let terminalName = function("ptsname_r", as: TerminalName.self)

        private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
            guard let address = dlsym(nil, name) else { preconditionFailure("This libc has no '\(name)'.") }
            return unsafeBitCast(address, to: type)
        }
    }
#endif
