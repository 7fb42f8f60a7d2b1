import ProductTestSupport
import Testing

@testable import GalleryCore

struct DetailBatchTests {
    private let photos = (1...6).map { IndexedPhoto.sample($0).photo }

    @Test func `neighbors come in one batch, and the next waits for it`() {
        var batch = DetailBatch()
        #expect(batch.next(Array(photos[0...2])) == Array(photos[0...2]))
        #expect(batch.next(Array(photos[0...3])).isEmpty)
        let known = photos[0...2].map {
            ($0.id, Result<PhotoDetail, ServiceError>.success(PhotoDetail(photo: $0)))
        }
        batch.take(Dictionary(uniqueKeysWithValues: known), about: Array(photos[0...2]))
        #expect(batch.next(Array(photos[1...4])) == Array(photos[3...4]))
        #expect(batch.known.count == 3)
    }

    @Test func `the photo looked at does not wait for others' details`() {
        var batch = DetailBatch()
        _ = batch.next([photos[0], photos[1]])
        #expect(batch.next([photos[4], photos[0], photos[5]]) == [photos[4], photos[5]])
    }

    @Test func `what failed is asked for again only when somebody wants it`() {
        var batch = DetailBatch()
        _ = batch.next([photos[0]])
        batch.take([photos[0].id: .failure(.rateLimited(service: "s", seconds: nil))], about: [photos[0]])
        #expect(batch.next([photos[0]]).isEmpty)
        batch.retry(photos[0].id)
        #expect(batch.next([photos[0]]) == [photos[0]])
    }
}
