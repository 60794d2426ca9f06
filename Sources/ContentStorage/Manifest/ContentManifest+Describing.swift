public import ContentManifest

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
