import Foundation

/// A socket on 127.0.0.1 that accepts connections.
struct Listener {
    let descriptor: Descriptor
    let port: Int

    /// - Parameters:
    ///   - port: The port; 0 lets the system choose.
    ///   - listens: `false` keeps the port taken but refuses every connection.
    init(port: Int = 0, listens: Bool = true) throws {
        #if canImport(Glibc)
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let number = socket(AF_INET, SOCK_STREAM, 0)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        #endif
        guard number >= 0 else { throw SystemError("socket") }
        descriptor = Descriptor(number)
        descriptor.makeNonblocking()
        set(SO_REUSEADDR, level: SOL_SOCKET, of: number)
        self.port = try bindToLoopback(number, port: port)
        if listens, listen(number, 1024) != 0 { throw SystemError("listen") }
    }

    /// A waiting connection, or `nil` if there is none.
    func accept() -> Descriptor? {
        #if canImport(Glibc)
            let number = GNU.accept4(
                descriptor.raw, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
            guard number >= 0 else { return nil }
            let client = Descriptor(number)
        #else
            let number = Darwin.accept(descriptor.raw, nil, nil)
            guard number >= 0 else { return nil }
            let client = Descriptor(number)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            client.makeNonblocking()
            set(SO_NOSIGPIPE, level: SOL_SOCKET, of: number)
        #endif
        // Without it, every small write waits for the previous one to be acknowledged.
        set(TCP_NODELAY, level: Int32(IPPROTO_TCP), of: number)
        return client
    }
}

private func set(_ option: Int32, level: Int32, of number: Int32) {
    var on: Int32 = 1
    setsockopt(number, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
}

private func bindToLoopback(_ number: Int32, port: Int) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (isBound, isKnown) = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            (bind(number, $0, size) == 0, getsockname(number, $0, &size) == 0)
        }
    }
    guard isBound, isKnown else { throw SystemError("bind") }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// A port of 127.0.0.1 that refuses every connection.
///
/// The port is taken but not listened on for as long as the process runs, so no other
/// program can start listening there between this call and the test's attempt.
public func refusingPort() throws -> Int {
    try refusing.get().port
}

private let refusing = Result { try Listener(listens: false) }

/// A port of 127.0.0.1 that was free a moment ago, for a program that has to be told one.
public func freePort() throws -> Int {
    let listener = try Listener(listens: false)
    listener.descriptor.close()
    return listener.port
}
