package import ContentManifest
import Crypto
import NIOCore
import NIOFoundationCompat

extension ContentManifest {
    /// Computes the SHA-256 of an object and of its chunks in one pass, with the memory of a few chunks.
    ///
    /// - Throws: `ContentManifestError.wrongNumberOfChunks` for an object with too many chunks, or a ``ContentStorageError``.
    package static func digests(
        of content: StoredContent, in storage: any ContentStorage
    ) async throws -> (sha256: ContentDigest, chunks: [ContentDigest]) {
        guard content.length <= chunkLength * Int64(maximumChunkCount) else { throw ContentManifestError.wrongNumberOfChunks }
        var (whole, chunk) = (SHA256(), SHA256())
        var digests: [ContentDigest] = []
        var room = Int(chunkLength)
        for try await var buffer in try await storage.read(content) {
            whole.update(data: buffer.readableBytesView)
            while let part = buffer.readSlice(length: min(room, buffer.readableBytes)), part.readableBytes > 0 {
                chunk.update(data: part.readableBytesView)
                room -= part.readableBytes
                guard room == 0 else { continue }
                digests.append(ContentDigest(chunk.finalize()))
                (chunk, room) = (SHA256(), Int(chunkLength))
            }
        }
        if room < Int(chunkLength) { digests.append(ContentDigest(chunk.finalize())) }
        return (ContentDigest(whole.finalize()), digests)
    }
}
