import Foundation
import Testing

@testable import GalleryCore

/// What a damaged reply may come to: photos that can be shown, each in its own place, or an error with a status.
extension MutationTarget {
    /// Reads so many damaged replies, on all cores, and records an issue for each that is read wrongly.
    func expectAnswers(_ count: Int, _ damaged: @escaping @Sendable (Int) -> Data) async {
        let lanes = max(1, ProcessInfo.processInfo.activeProcessorCount)
        await withTaskGroup { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in stride(from: lane, to: count, by: lanes) {
                        let body = damaged(number)
                        if let complaint = complaint(about: body) {
                            let text = String(decoding: body.prefix(2000), as: UTF8.self)
                            Issue.record("damage \(number): \(complaint)\n\(text)")
                        }
                    }
                }
            }
        }
    }

    /// What is wrong with how a reply was read; `nil` where nothing is.
    func complaint(about body: Data) -> String? {
        do {
            let photos = try read(body)
            let indexes = photos.compactMap(\.photo.index)
            guard indexes == indexes.sorted(), Set(indexes).count == indexes.count else {
                return "places that are no order: \(indexes)"
            }
            for photo in photos {
                if photo.photo.photo.id.value.isEmpty { return "a photo without an id" }
                if !isPlain(photo.text) {
                    return "a photo that is not one line: \(photo.text.debugDescription)"
                }
            }
            return nil
        } catch let error as ServiceError {
            let text = error.description + (error.hint ?? "")
            guard [65, 66, 69, 75, 77].contains(error.exitStatus) else {
                return "status \(error.exitStatus): \(text)"
            }
            return isPlain(text) ? nil : "an error that is not one line: \(text.debugDescription)"
        } catch {
            return "another error: \(error)"
        }
    }

    private func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
