import Foundation
import NIOCore
import NIOFoundationCompat

/// A file as the parts of a response body; the file is unlinked, so that its contents disappear with the last part.
struct FileChunks: AsyncSequence, Sendable {
    private let file: FileHandle

    /// Opens a file and unlinks its path.
    init(deletingAfterOpening path: String) throws {
        file = try FileHandle(forReadingFrom: URL(filePath: path))
        StoreFile.remove(path)
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        let file: FileHandle

        func next() async throws -> ByteBuffer? {
            try file.read(upToCount: 1 << 18).flatMap { $0.isEmpty ? nil : ByteBuffer(data: $0) }
        }
    }
}
