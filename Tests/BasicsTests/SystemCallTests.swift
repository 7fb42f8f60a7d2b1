import Foundation
import Testing

@testable import Basics

@Suite struct SystemCallTests {
    @Test func `a file that cannot be synced is as good as one that was`() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        // For a pipe fsync(2) fails with EINVAL, as it does on file systems that have no such call.
        let files = ends.map { Descriptor($0) }
        for file in files { try SystemCall.sync(file) }
        for (code, isLack) in [
            (EINVAL, true), (ENOTSUP, true), (ENOSYS, true), (EIO, false), (ENOSPC, false),
        ] {
            #expect(SystemCall.Failure(code: code).isLackOfMeans == isLack)
        }
    }
}
