import Foundation
import NIOCore
import NIOFoundationCompat

/// A file as the parts of a body; the file has no name any more, and is gone with the last part.
struct FileParts: AsyncSequence, Sendable {
    private let file: FileHandle

    /// Takes a file, and its name from it.
    init(taking path: String) throws {
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
