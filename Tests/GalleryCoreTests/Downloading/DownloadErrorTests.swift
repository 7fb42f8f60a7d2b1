import Foundation
import GalleryCore
import Testing

@Suite struct DownloadErrorTests {
    @Test func `a full disk is known by its number, in every language`() {
        for code in [ENOSPC, EDQUOT, EFBIG] {
            let error = DownloadError.cannotWrite(path: "a", reason: "Kein Platz", code: code)
            #expect(error.isLackOfRoom && error.hint?.hasPrefix("Free some space") == true)
        }
        let text = SystemCall.Failure(code: ENOSPC).reason
        #expect(!DownloadError.cannotWrite(path: "a", reason: text).isLackOfRoom)
        #expect(!DownloadError.cannotWrite(path: "a", reason: text, code: EIO).isLackOfRoom)
    }

    @Test func `too many open files pass, for others will have closed theirs`() {
        #expect(DownloadError.cannotCreate(path: "a", reason: "Zu viele", code: EMFILE).isPassing)
        #expect(!DownloadError.cannotCreate(path: "a", reason: "Too many open files").isPassing)
    }
}
