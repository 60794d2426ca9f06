import ContentManifest
import Crypto
import Foundation
import NIOCore
import PurchaseModel

extension S3Client {
    /// Returns the multipart uploads in progress whose keys have a prefix.
    ///
    /// Source: [ListMultipartUploads](https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html).
    func uploads(_ prefix: String) async throws(ContentStorageError) -> [S3Response.Upload] {
        try await pages("GET", nil, [("uploads", ""), ("prefix", prefix), ("encoding-type", "url")], limit: 100_000, S3Response.uploads)
    }

    /// Returns the parts of an upload that the bucket has.
    ///
    /// Source: [ListParts](https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html).
    func parts(of id: String, _ key: ContentKey) async throws(ContentStorageError) -> [UploadPlan.StoredPart] {
        try await pages("GET", key, [("uploadId", id)], limit: Int(UploadPlan.maximumPartCount), S3Response.parts)
    }

    /// Requests all pages of a list with at most `limit` elements.
    private func pages<Element: Sendable>(
        _ method: String, _ key: ContentKey?, _ query: [(String, String)], limit: Int,
        _ read: (Data) throws(ContentStorageError) -> S3Response.Page<Element>
    ) async throws(ContentStorageError) -> [Element] {
        var elements: [Element] = []
        var markers: [(String, String)] = []
        while true {
            let page = try read(try await exchange(S3Request(method, key, query: query + markers)).body)
            elements += page.elements
            guard let next = page.next else { return elements }
            // An empty page, or too many elements, would be an endless list.
            guard !page.elements.isEmpty, elements.count <= limit else {
                throw .malformedResponse(status: 200, "The list does not end.")
            }
            markers = next
        }
    }

    /// Returns a request that sends a range of a file.
    ///
    /// Nothing of the file is kept in memory: the range is read for its digest, and again by each attempt.
    func request(
        _ key: ContentKey, sending file: OpenFile, _ range: Range<Int64>, digest known: ContentDigest? = nil,
        query: [(String, String)] = [], headers: [String: String] = [:]
    ) async throws(ContentStorageError) -> S3Request {
        var request = S3Request("PUT", key, query: query, headers: headers)
        let length = range.upperBound - range.lowerBound
        switch configuration.payloadSigning {
        case .unsigned: request.payload = nil
        case .hashed:
            let digest: ContentDigest
            if let known { digest = known } else { digest = try await file.sha256(range) }
            request.payload = digest.hexadecimal
        }
        // An empty body without a length would be sent in chunks, which S3 refuses.
        request.body = length == 0 ? .bytes(ByteBuffer()) : .file(file, range)
        request.transferTime = .seconds(min(length / max(configuration.minimumUploadRate, 1), 86_400))
        return request
    }
}
