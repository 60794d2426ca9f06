import ContentManifest
import Foundation
import PurchaseModel

extension S3Client {
    /// Requests the length, the digest and the date of an object once, without an explanation of refusals.
    func describe(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent {
        let (response, _) = try await exchange(S3Request("HEAD", key))
        guard let length = response.headers["content-length"].flatMap({ Int64($0) }), length >= 0,
            let modified = response.headers["last-modified"].flatMap({ S3Date.parseHTTP($0) }),
            let entityTag = response.headers["etag"], S3Response.isEntityTag(entityTag)
        else {
            throw .malformedResponse(status: response.status, "The length, the date or the entity tag is missing or invalid.")
        }
        let digest = response.headers["x-amz-meta-sha256"].flatMap { ContentDigest(hexadecimal: $0) }
        return StoredContent(key: key, length: length, sha256: digest, modified: modified, entityTag: entityTag)
    }
}
