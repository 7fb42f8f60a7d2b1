import Foundation

/// Files read whole, each kind up to a length that nobody's has: what is made of one takes several times the memory.
package enum WholeFile {
    /// Settings, and the definition of a service, in bytes.
    package static let settings = 4 << 20
    /// A reply that was recorded: as long as one that a host may send.
    package static let reply = 32 << 20
    /// What is kept of hundreds of thousands of photos.
    package static let state = 256 << 20

    package enum Failure: Error, Hashable {
        case missing
        /// The system's `errno`.
        case unreadable(Int32)
        case tooLong(Int)

        /// What follows its name: `could not be read`.
        package var problem: String {
            switch self {
            case .missing: "could not be read"
            case .unreadable(let code): "could not be read: \(SystemCall.Failure(code: code).reason)"
            case .tooLong(let limit): "is longer than \(limit >> 20) MiB"
            }
        }
    }

    /// The bytes of the file at `path`, or, unless it has to be an ordinary file, of the pipe. This blocks.
    package static func data(
        at path: String, upTo limit: Int, isOrdinary: Bool = false
    ) throws(Failure) -> Data {
        do throws(SystemCall.Failure) {
            let file = try SystemCall.open(path, isOrdinary ? O_RDONLY | O_NONBLOCK : O_RDONLY)
            let status = try SystemCall.status(of: file)
            guard status.isRegular || !isOrdinary else {
                throw SystemCall.Failure(code: status.isFolder ? EISDIR : EINVAL)
            }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = SystemCall.retrying { read(file.number, &buffer, buffer.count) }
                guard count >= 0 else { throw SystemCall.Failure(code: errno) }
                guard count > 0 else { return Data(bytes) }
                bytes += buffer[..<count]
                guard bytes.count <= limit else { throw SystemCall.Failure(code: EFBIG) }
            }
        } catch {
            throw [ENOENT, ENOTDIR].contains(error.code)
                ? .missing : error.code == EFBIG ? .tooLong(limit) : .unreadable(error.code)
        }
    }
}
