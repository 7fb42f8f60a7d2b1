import Foundation

/// An open file's bytes, read by offset.
struct PictureBytesOnDisk {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// At most `count` bytes at `place`; fewer only at the end.
    func bytes(at place: Int, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(place + done))
            }
            if got < 0, errno == EINTR { continue }
            if got <= 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}
