import Foundation
import PictureFiles
import Publishing
import TerminalPictures

extension PictureConverter {
    func maker(_ format: Format) -> some PictureMaker { Maker(converter: self, format: format) }

    private struct Maker: PictureMaker {
        let converter: PictureConverter
        let format: Format

        func picture(
            of file: URL, longestEdge: Int
        ) async throws(PictureMakingFault) -> (bytes: [UInt8], type: PictureType) {
            do throws(Fault) {
                let result = try await converter.convert(file, longestEdge: longestEdge, format: format)
                return (result.bytes, result.type)
            } catch { throw PictureMakingFault(error.reason) }
        }
    }
}
