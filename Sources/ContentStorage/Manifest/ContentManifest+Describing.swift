public import ContentManifest
import Crypto
import NIOCore
import NIOFoundationCompat

extension ContentManifest {
    /// Describes a file, which is read once with the memory of one chunk and the digests.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - fileName: The name under which an app saves the file.
    ///   - mediaType: The media type of the file.
    ///   - version: The version of the content.
    /// - Throws: `ContentManifestError` for an invalid name or version, or a file with too many chunks; ``ContentStorageError`` if the
    ///   file is unreadable or changes.
    public init(describing path: String, fileName: String, mediaType: MediaType, version: String) async throws {
        // An invalid argument is reported before a long file is read.
        guard Self.isFileName(fileName) else { throw ContentManifestError.invalidFileName }
        let file = try await OpenFile.opening(path)
        guard Self.chunkCount(of: file.length) <= Int64(Self.maximumChunkCount) else { throw ContentManifestError.wrongNumberOfChunks }
        let (sha256, chunks): (ContentDigest, [ContentDigest])
        do throws(ContentStorageError) {
            (sha256, chunks) = try await file.chunkDigests()
            try file.checkUnchanged()
        } catch {
            throw file.explained(error)
        }
        try self.init(
            length: file.length, sha256: sha256, chunks: chunks, fileName: fileName, mediaType: mediaType, version: version)
    }
}

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
