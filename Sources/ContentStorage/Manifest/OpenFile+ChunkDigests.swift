import ContentManifest
import Crypto
import NIOCore
import NIOFoundationCompat

extension OpenFile {
    /// Computes the digest of the file and the digests of its chunks in one pass.
    func chunkDigests() async throws(ContentStorageError) -> (ContentDigest, [ContentDigest]) {
        var whole = SHA256()
        var chunks: [ContentDigest] = []
        var offset: Int64 = 0
        while offset < length {
            let end = min(offset + ContentManifest.chunkLength, length)
            var chunk = SHA256()
            var iterator = self.chunks(offset..<end).makeAsyncIterator()
            while let buffer = try await iterator.next(isolation: #isolation) {
                whole.update(data: buffer.readableBytesView)
                chunk.update(data: buffer.readableBytesView)
            }
            chunks.append(ContentDigest(chunk.finalize()))
            offset = end
        }
        return (ContentDigest(whole.finalize()), chunks)
    }
}
