import NIOCore

/// The content of a file in parts, so that files of any size fit in memory.
struct FileParts: AsyncSequence, Sendable {
    let file: FileDescriptor

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        let file: FileDescriptor

        func next() async throws -> ByteBuffer? {
            let bytes = try file.read(atMost: 1 << 18)
            return bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
        }
    }
}
