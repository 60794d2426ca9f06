import ContentManifest
import Crypto
import Foundation
import FoundationExtras
import NIOCore
import Synchronization

/// The upload of one file to a bucket.
///
/// The bucket is the only record of an interrupted upload: its parts are compared with the file by length and MD5. Each part is read for
/// its digest and again for each attempt, so that the memory of an upload does not depend on the length of a part.
///
/// Source: [Multipart upload](https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html).
struct S3Upload: Sendable {
    let client: S3Client
    let file: OpenFile
    /// The SHA-256 of the file.
    let digest: ContentDigest
    let key: ContentKey
    let mediaType: MediaType
    let plan: UploadPlan
    let progress: @Sendable (UploadProgress) -> Void

    private typealias Part = UploadPlan.Part
    private typealias StoredPart = UploadPlan.StoredPart

    /// The headers that describe the object.
    private var headers: [String: String] { ["content-type": mediaType.text, "x-amz-meta-sha256": digest.hexadecimal] }

    /// Sends the file with one request.
    func sendWhole() async throws(ContentStorageError) {
        let request = try await client.request(key, sending: file, 0..<file.length, digest: digest, headers: headers)
        _ = try await client.exchange(request)
        do throws(ContentStorageError) {
            try await checkUnchanged()
        } catch {
            // The object does not have the digest of its metadata.
            _ = try await client.exchange(S3Request("DELETE", key))
            throw error
        }
        progress(UploadProgress(sent: file.length, reused: 0, total: file.length))
    }

    /// Starts a multipart upload, and sends all parts.
    func start() async throws(ContentStorageError) {
        let request = S3Request("POST", key, query: [("uploads", "")], headers: headers)
        let id = try S3Response.uploadID(try await client.exchange(request).body)
        try await send(Array(plan.parts), after: [], to: id)
    }

    /// Continues an interrupted upload of the same file; returns false if the bucket has none.
    func resume() async throws(ContentStorageError) -> Bool {
        for upload in try await interruptedUploads() {
            do throws(ContentStorageError) {
                guard let stored = try await reusableParts(of: upload.id) else { continue }
                let numbers = Set(stored.map(\.number))
                try await send(plan.parts.filter { !numbers.contains($0.number) }, after: stored, to: upload.id)
                return true
            } catch {
                // Another program completed or aborted the upload.
                guard Self.isMissingUpload(error) else { throw error }
            }
        }
        return false
    }

    /// Returns the uploads of this key in progress, newest first; none if the bucket does not permit the list.
    private func interruptedUploads() async throws(ContentStorageError) -> [S3Response.Upload] {
        do throws(ContentStorageError) {
            return try await client.uploads(key.text).filter { $0.key == key.text }.sorted { $0.initiated > $1.initiated }
        } catch {
            switch error {
            case .accessDenied, .refused: return []
            default: throw error
            }
        }
    }

    /// Returns the parts of an upload that the bucket has; nil if there are none, or if one of them belongs to another file.
    private func reusableParts(of id: String) async throws(ContentStorageError) -> [StoredPart]? {
        guard let matches = plan.parts(matching: try await client.parts(of: id, key)), !matches.isEmpty else { return nil }
        for (part, stored) in matches {
            // The entity tag of a part is its MD5, which identifies the part here and protects nothing.
            let digest = Hexadecimal.encode(try await file.digest(part.range, Insecure.MD5.self))
            guard stored.entityTag.filter({ $0 != "\"" }).lowercased() == digest else { return nil }
        }
        return matches.map(\.stored)
    }

    /// Sends parts, and completes the upload.
    private func send(_ missing: [Part], after present: [StoredPart], to id: String) async throws(ContentStorageError) {
        let state = Progress(reused: present.reduce(0) { $0 + $1.length }, total: file.length, report: progress)
        if !present.isEmpty { state.add(0) }
        let sent = try await inParallel(missing) { part throws(ContentStorageError) in
            let stored = try await send(part, to: id)
            state.add(part.length)
            return stored
        }
        try await checkUnchanged()
        try await complete(id, (present + sent).sorted { $0.number < $1.number })
    }

    /// Sends one part.
    private func send(_ part: Part, to id: String) async throws(ContentStorageError) -> StoredPart {
        let query = [("partNumber", "\(part.number)"), ("uploadId", id)]
        let (response, _) = try await client.exchange(try await client.request(key, sending: file, part.range, query: query))
        guard let entityTag = response.headers["etag"], S3Response.isEntityTag(entityTag) else {
            throw .malformedResponse(status: response.status, "The response to a part has no entity tag.")
        }
        return StoredPart(number: part.number, length: part.length, entityTag: entityTag)
    }

    /// Sends the parts with a limited number of requests at a time; the first error ends the others.
    private func inParallel(
        _ parts: [Part], _ send: @escaping @Sendable (Part) async throws(ContentStorageError) -> StoredPart
    ) async throws(ContentStorageError) -> [StoredPart] {
        let result = await withTaskGroup(of: Result<StoredPart, ContentStorageError>.self) { group in
            var rest = parts[...]
            var stored: [StoredPart] = []
            func startNext() {
                guard let part = rest.popFirst() else { return }
                group.addTask {
                    do throws(ContentStorageError) { return .success(try await send(part)) } catch { return .failure(error) }
                }
            }
            for _ in 0..<max(client.configuration.maximumConcurrentParts, 1) { startNext() }
            while let result = await group.next() {
                switch result {
                case .success(let part): stored.append(part)
                case .failure(let error):
                    group.cancelAll()
                    return Result<[StoredPart], ContentStorageError>.failure(error)
                }
                startNext()
            }
            return .success(stored)
        }
        return try result.get()
    }

    /// Joins the parts of an upload to an object.
    private func complete(_ id: String, _ parts: [StoredPart]) async throws(ContentStorageError) {
        let list = parts.map { "<Part><PartNumber>\($0.number)</PartNumber><ETag>\(S3XML.escape($0.entityTag))</ETag></Part>" }.joined()
        let body = #"<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"# + list + "</CompleteMultipartUpload>"
        var request = S3Request("POST", key, query: [("uploadId", id)], headers: ["content-type": "application/xml"])
        request.body = .bytes(ByteBuffer(string: body))
        request.payload = SignatureV4.digest(of: Data(body.utf8))
        // Joining thousands of parts takes minutes.
        request.transferTime = .seconds(300)
        do throws(ContentStorageError) {
            try S3Response.checkCompletion(try await client.exchange(request).body)
        } catch {
            // An attempt can complete the upload although its response is lost; then the next attempt finds no upload.
            guard Self.isMissingUpload(error), let stored = try? await client.describe(key), stored.length == file.length,
                stored.sha256 == digest
            else { throw error }
        }
    }

    private static func isMissingUpload(_ error: ContentStorageError) -> Bool {
        if case .refused(let response) = error { response.code == "NoSuchUpload" } else { false }
    }

    private func checkUnchanged() async throws(ContentStorageError) {
        let file = file
        try await BlockingWork.run { () throws(ContentStorageError) in try file.checkUnchanged() }
    }

    /// The number of sent bytes, which tasks add up.
    private final class Progress: Sendable {
        private let sent = Mutex<Int64>(0)
        private let reused: Int64
        private let total: Int64
        private let report: @Sendable (UploadProgress) -> Void

        init(reused: Int64, total: Int64, report: @escaping @Sendable (UploadProgress) -> Void) {
            self.reused = reused
            self.total = total
            self.report = report
        }

        /// Adds sent bytes, and reports the sum.
        ///
        /// The reports are in order, because they are made under the lock.
        func add(_ length: Int64) {
            sent.withLock { sent in
                sent += length
                report(UploadProgress(sent: sent, reused: reused, total: total))
            }
        }
    }
}
