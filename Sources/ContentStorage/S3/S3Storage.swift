public import ContentManifest
import Foundation
import NIOCore
public import PurchaseModel

/// A storage in a bucket with the protocol of Amazon S3.
///
/// The requests use object reads and writes, `ListObjectsV2` and multipart uploads, signed with Signature Version 4.
///
/// ```swift
/// func bucket(accessKeyID: String, secretAccessKey: String) throws -> S3Storage {
///     let credentials = try S3Credentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
///     return S3Storage(try S3Configuration(bucket: "monkeyshop-content", region: "eu-central-1", credentials: credentials))
/// }
/// ```
///
/// An object's SHA-256 is stored as the metadata `sha256`. An interrupted upload is continued if the parts in the bucket have the lengths
/// and the MD5 digests of the file's parts. The entity tags of a bucket with SSE-KMS are not MD5 digests, so there the upload starts again.
///
/// Source: [Amazon S3 API Reference](https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html).
public struct S3Storage: ContentStorage {
    /// The settings of the storage.
    public var configuration: S3Configuration { client.configuration }

    let client: S3Client

    /// Creates a storage; no request is sent until the first call.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the storage.
    ///   - clock: The clock with which requests are signed.
    ///   - timer: The clock of delays between attempts.
    public init(
        _ configuration: S3Configuration, clock: any WallClock = SystemWallClock(), timer: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(configuration, transport: HTTPS3Transport(), clock: clock, timer: timer)
    }

    init(_ configuration: S3Configuration, transport: any S3Transport, clock: any WallClock, timer: any Clock<Duration>) {
        client = S3Client(configuration: configuration, transport: transport, clock: clock, timer: timer)
    }

    /// Creates the bucket in the configured region.
    ///
    /// Source: [CreateBucket](https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html).
    package func createBucket() async throws(ContentStorageError) {
        _ = try await client.exchange(S3Request("PUT"))
    }

    /// Stores the bytes of a file; see ``ContentStorage/put(fileAt:as:mediaType:progress:)``.
    ///
    /// The file is read once for its digest, and again for each request that sends its bytes.
    @discardableResult
    public func put(
        fileAt path: String, as key: ContentKey, mediaType: MediaType, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(ContentStorageError) -> StoredContent {
        let file = try await OpenFile.opening(path)
        do throws(ContentStorageError) {
            return try await put(file, as: key, mediaType, progress)
        } catch {
            throw file.explained(error)
        }
    }

    private func put(
        _ file: OpenFile, as key: ContentKey, _ mediaType: MediaType, _ progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(ContentStorageError) -> StoredContent {
        let digest = try await file.sha256()
        if let present = try await present(key), present.length == file.length, present.sha256 == digest {
            progress(UploadProgress(sent: 0, reused: file.length, total: file.length))
            return present
        }
        let plan = try UploadPlan(length: file.length, preferredPartLength: configuration.partLength)
        let upload = S3Upload(
            client: client, file: file, digest: digest, key: key, mediaType: mediaType, plan: plan, progress: progress)
        guard !plan.hasSinglePart else {
            try await upload.sendWhole()
            return try await head(key)
        }
        if try await upload.resume() {
            let stored = try await head(key)
            // The upload may have been started for another file that begins with the same parts: the list of uploads states no metadata.
            if stored.length == file.length, stored.sha256 == nil || stored.sha256 == digest { return stored }
        }
        try await upload.start()
        return try await head(key)
    }

    /// Returns an object; nil if it does not exist.
    private func present(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent? {
        do throws(ContentStorageError) {
            return try await client.describe(key)
        } catch .notFound {
            return nil
        } catch {
            throw await explained(error)
        }
    }

    /// Returns the length, the digest and the date of an object; see ``ContentStorage/head(_:)``.
    ///
    /// A response to `HEAD` has no error code. After a refusal, a second request finds out the reason.
    public func head(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent {
        do throws(ContentStorageError) {
            return try await client.describe(key)
        } catch {
            throw await explained(error)
        }
    }

    /// Returns the reason for a refusal without an error code, such as a missing bucket; otherwise the same error.
    private func explained(_ error: ContentStorageError) async -> ContentStorageError {
        switch error {
        case .notFound, .accessDenied, .refused: break
        default: return error
        }
        do throws(ContentStorageError) {
            _ = try await client.exchange(S3Request("GET", query: [("list-type", "2"), ("max-keys", "1")]))
            return error
        } catch {
            switch error {
            case .bucketNotFound, .invalidCredentials, .clockSkewed, .wrongRegion: return error
            default: break
            }
        }
        return error
    }

    /// Reads a range of an object's bytes; see ``ContentStorage/read(_:range:)``.
    ///
    /// If the connection ends too early, the read continues at the first missing byte.
    public func read(_ content: StoredContent, range: Range<Int64>) async throws(ContentStorageError) -> ContentChunks {
        guard content.contains(range) else { throw .invalidRange(range, length: content.length) }
        let reader = S3RangeReader(client, content, range)
        try await reader.open()
        return ContentChunks(length: range.upperBound - range.lowerBound) { () async throws(ContentStorageError) in
            try await reader.next()
        }
    }

    /// Deletes an object; an object that does not exist counts as deleted.
    public func delete(_ key: ContentKey) async throws(ContentStorageError) {
        do throws(ContentStorageError) {
            _ = try await client.exchange(S3Request("DELETE", key))
        } catch .notFound {}
    }

    /// Returns one page of the objects with a prefix; see ``ContentStorage/list(_:after:limit:)``.
    ///
    /// Source: [ListObjectsV2](https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html).
    public func list(
        _ prefix: ContentPrefix, after cursor: ContentCursor?, limit: Int
    ) async throws(ContentStorageError) -> ContentListing {
        var request = S3Request(
            "GET", query: [("list-type", "2"), ("max-keys", "\(min(max(limit, 1), 1_000))"), ("encoding-type", "url")])
        request.query.add("prefix", prefix.text)
        request.query.add("continuation-token", cursor?.text)
        return try S3Response.listing(try await client.exchange(request).body)
    }

    /// Aborts multipart uploads that began before a date; see ``ContentStorage/removeInterruptedUploads(startedBefore:)``.
    ///
    /// A lifecycle rule of the bucket can do the same, with the action `AbortIncompleteMultipartUpload`.
    @discardableResult
    public func removeInterruptedUploads(startedBefore date: Timestamp) async throws(ContentStorageError) -> Int {
        var removed = 0
        for upload in try await client.uploads("") where upload.initiated < date {
            guard let key = try? ContentKey(upload.key) else { continue }
            do throws(ContentStorageError) {
                _ = try await client.exchange(S3Request("DELETE", key, query: [("uploadId", upload.id)]))
                removed += 1
            } catch {
                // Another program completed or aborted the upload.
                guard case .refused(let response) = error, response.status == 404 else { throw error }
            }
        }
        return removed
    }
}

extension S3Storage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The bucket and the server, without the credentials.
    public var description: String { configuration.description }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The configuration, without the credentials.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration]) }
}
