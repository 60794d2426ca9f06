import Foundation
import NIOCore
import NIOFoundationCompat

/// The chunks of a temporary file as a response body; the file is deleted as soon as the response ends.
struct FileChunks: AsyncSequence, Sendable {
    private let file: FileHandle

    /// Opens a file and removes its path, so that the system deletes the file when it is closed.
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
