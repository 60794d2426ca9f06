import Foundation
import PurchaseModel

/// The XML of a bucket's successful responses.
enum S3Response {
    /// A multipart upload in progress.
    struct Upload: Hashable, Sendable {
        let key: String
        let id: String
        let initiated: Timestamp
    }

    /// One page of a list, and the parameters of the request for the next one; nil for the last page.
    struct Page<Element: Sendable>: Sendable {
        let elements: [Element]
        let next: [(String, String)]?
    }

    /// The maximum length of an upload's identifier in bytes; Amazon's have about 130.
    private static let maximumUploadIDLength = 2_048

    /// Returns whether a text can be an entity tag: 1 to 256 visible ASCII characters.
    static func isEntityTag(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Reads a page of objects (`ListBucketResult`).
    static func listing(_ body: Data) throws(ContentStorageError) -> ContentListing {
        let document = try document(body, "ListBucket")
        var objects: [StoredContent] = []
        for element in document.all("Contents") {
            // Other programs can store objects with keys that are not valid here.
            guard let key = try? ContentKey(name(element["Key"], in: document) ?? "") else { continue }
            guard let length = element["Size"].flatMap({ Int64($0) }), length >= 0, let entityTag = element["ETag"], isEntityTag(entityTag),
                let modified = element["LastModified"].flatMap({ S3Date.parseISO8601($0) })
            else { throw malformed("An object has no length, entity tag or date.") }
            objects.append(StoredContent(key: key, length: length, sha256: nil, modified: modified, entityTag: entityTag))
        }
        guard document["IsTruncated"] == "true" else { return ContentListing(objects: objects, next: nil) }
        guard let token = document["NextContinuationToken"], !token.isEmpty else { throw malformed("The next page has no token.") }
        return ContentListing(objects: objects, next: ContentCursor(token))
    }

    /// Reads the identifier of a started upload (`InitiateMultipartUploadResult`).
    static func uploadID(_ body: Data) throws(ContentStorageError) -> String {
        guard let id = try document(body, "InitiateMultipartUpload")["UploadId"], isUploadID(id) else {
            throw malformed("The upload has no valid identifier.")
        }
        return id
    }

    /// Checks the response to the completion of an upload (`CompleteMultipartUploadResult`).
    static func checkCompletion(_ body: Data) throws(ContentStorageError) {
        _ = try document(body, "CompleteMultipartUpload")
    }

    /// Reads a page of uploads (`ListMultipartUploadsResult`).
    static func uploads(_ body: Data) throws(ContentStorageError) -> Page<Upload> {
        let document = try document(body, "ListMultipartUploads")
        let uploads = try document.all("Upload").map { element throws(ContentStorageError) in
            guard let key = name(element["Key"], in: document), let id = element["UploadId"], isUploadID(id),
                let initiated = element["Initiated"].flatMap({ S3Date.parseISO8601($0) })
            else { throw malformed("An upload has no key, identifier or date.") }
            return Upload(key: key, id: id, initiated: initiated)
        }
        guard document["IsTruncated"] == "true" else { return Page(elements: uploads, next: nil) }
        guard let key = name(document["NextKeyMarker"], in: document), let id = document["NextUploadIdMarker"] else {
            throw malformed("The next page has no marker.")
        }
        return Page(elements: uploads, next: [("key-marker", key), ("upload-id-marker", id)])
    }

    /// Reads a page of an upload's parts (`ListPartsResult`).
    static func parts(_ body: Data) throws(ContentStorageError) -> Page<UploadPlan.StoredPart> {
        let document = try document(body, "ListParts")
        let parts = try document.all("Part").map { element throws(ContentStorageError) in
            guard let number = element["PartNumber"].flatMap({ Int($0) }), let length = element["Size"].flatMap({ Int64($0) }),
                let entityTag = element["ETag"], isEntityTag(entityTag)
            else { throw malformed("A part has no number, length or entity tag.") }
            return UploadPlan.StoredPart(number: number, length: length, entityTag: entityTag)
        }
        guard document["IsTruncated"] == "true" else { return Page(elements: parts, next: nil) }
        guard let marker = document["NextPartNumberMarker"] else { throw malformed("The next page has no marker.") }
        return Page(elements: parts, next: [("part-number-marker", marker)])
    }

    /// Decodes a key, which is percent-encoded if the document says so, because XML can't contain all characters; nil for an invalid one.
    private static func name(_ text: String?, in document: S3XML) -> String? {
        document["EncodingType"] == "url" ? text?.replacing("+", with: " ").removingPercentEncoding : text
    }

    private static func isUploadID(_ text: String) -> Bool {
        (1...maximumUploadIDLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Parses a document whose root element has the name of its operation.
    ///
    /// Some servers name the elements after the operation, as in `ListPartsResponse` for Amazon's `ListPartsResult`.
    private static func document(_ body: Data, _ operation: String) throws(ContentStorageError) -> S3XML {
        guard let document = S3XML(body), document.name == "\(operation)Result" || document.name == "\(operation)Response" else {
            throw malformed("The body is not the XML of \(operation)Result.")
        }
        return document
    }

    private static func malformed(_ problem: String) -> ContentStorageError {
        .malformedResponse(status: 200, problem)
    }
}
