import ContentManifest
import Foundation
import FoundationExtras
import PrivateFiles
public import PurchaseModel
import ServerProtocol
import Synchronization
import Wire

/// Downloads purchased content from the developer's server, resumes interrupted downloads, and verifies the content.
///
/// The received bytes are stored in a file, so that a download can continue in a later app session. If the server has a manifest for
/// content of more than a mebibyte, the content is received over several connections, and each mebibyte is verified before it is written.
/// The memory use depends on the number of connections, and on the manifest, which has about a hundred bytes per mebibyte of content.
public struct ContentDownloader: Sendable {
    /// Returns the number of bytes between two progress reports, for content with a length in bytes.
    private static func reportedBytes(of length: Int64) -> Int64 { min(max(length / 50, 1 << 14), 1 << 20) }

    private let serverURL: HTTPURL
    private let credentials: ServerCredentials
    private let folder: String
    private let connections: Int
    private let freeSpace: FreeSpace
    /// Called after each part of content that is received over one connection, with the number of bytes in the part.
    ///
    /// The closure may wait, so that downloads leave bandwidth to other requests. An error of the closure interrupts the download, which
    /// continues later. Content that is received over several connections is not throttled.
    public var throttle: @Sendable (Int) async throws -> Void = { _ in }
    /// Whether the device has a network connection; otherwise nothing is requested, and the download continues later.
    ///
    /// A running download notices the loss of the network at its next request or, over one connection, after the next part of the content.
    public var isReachable: @Sendable () -> Bool = { true }
    /// Called with the events of each download, on any thread.
    public var observe: @Sendable (DownloadEvent) -> Void = { _ in }
    var transport: any HTTPTransport = SystemTransport.shared

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - serverURL: The base address of the developer's server.
    ///   - credentials: The credentials of the app and its customer, to whom the purchase belongs. The customer token is fixed; create
    ///     another downloader for another token.
    ///   - folder: The folder for content, which is created if it does not exist.
    ///   - connections: The largest number of connections for one file, from 1; the server permits 8.
    ///   - freeSpace: The free space of the file system, which is checked before bytes are received.
    public init(
        serverURL: HTTPURL, credentials: ServerCredentials, folder: String, connections: Int = 4, freeSpace: FreeSpace = .fileSystem
    ) {
        self.serverURL = serverURL
        self.credentials = credentials
        self.folder = folder
        self.connections = connections
        self.freeSpace = freeSpace
    }

    /// Downloads and verifies an item of a product's content.
    ///
    /// After a lost connection, the download continues with a new connection, until a connection delivers no new bytes. If the server
    /// redirects the download to a bucket, the bucket receives neither the download token nor any other credential.
    ///
    /// - Parameters:
    ///   - product: The product whose content is downloaded.
    ///   - item: The name of the item, whose current version is downloaded; nil for the first item.
    ///   - report: Receives the events of the download, on any thread.
    /// - Returns: The content's file, with its verified hash.
    /// - Throws: ``ContentError/interrupted(received:)`` if the download must be continued by a later call, or another
    ///   ``ContentError``.
    @concurrent
    public func fetch(
        _ product: ProductID,
        item: ContentItemName? = nil,
        report: @escaping @Sendable (DownloadEvent) -> Void = { _ in }
    ) async throws(ContentError) -> InstalledContent {
        do {
            try PrivateFiles.createFolder(folder)
        } catch {
            throw .storage(reason: "the folder can't be created")
        }
        guard isReachable() else { throw .offline }
        let report: @Sendable (DownloadEvent) -> Void = { [observe] event in
            observe(event)
            report(event)
        }
        while true {
            let token = try await downloadToken(for: product, item: item)
            report(.announced(file: token.file, length: token.length))
            if let content = complete(token) {
                report(.installed(content))
                return content
            }
            let hasReceived = Mutex(false)
            do throws(ContentError) {
                let content = try await receive(token) { event in
                    if case .received = event { hasReceived.withLock { $0 = true } }
                    report(event)
                }
                report(.installed(content))
                return content
            } catch {
                // Continue with a new token if the token has expired or is used up during the download.
                guard case .refused(let code, _) = error, Self.endOfToken.contains(code), hasReceived.withLock({ $0 }) else { throw error }
            }
        }
    }

    /// The codes with which the server refuses a token that was valid before.
    private static let endOfToken: Set<String> = ["download-token.expired", "download-token.used-up"]

    private func receive(
        _ token: ContentDownload, _ report: @escaping @Sendable (DownloadEvent) -> Void
    ) async throws(ContentError) -> InstalledContent {
        if let manifest = try await manifest(of: token), let content = try await receive(token, manifest, report) { return content }
        let partial = PartialFile(folder: folder, sha256: token.sha256)
        try freeSpace.check(for: token.length - min(partial.length, token.length), in: folder)
        // Create the file first, because empty content also needs a file.
        _ = try partial.open(keeping: true)
        while partial.length < token.length {
            let before = partial.length
            guard try await !fetchRest(of: partial, token, report) else { break }
            let received = partial.length
            report(.broken(received: received))
            guard received > before else { throw .interrupted(received: received) }
        }
        return try install(partial, token)
    }

    /// Receives content in the chunks of its manifest; returns nil if the server does not support ranges.
    private func receive(
        _ token: ContentDownload, _ manifest: ContentManifest, _ report: @escaping @Sendable (DownloadEvent) -> Void
    ) async throws(ContentError) -> InstalledContent? {
        let partial = PartialFile(folder: folder, sha256: token.sha256, kind: .chunks)
        let missing = try await Self.missingChunks(of: manifest, in: partial)
        try freeSpace.check(for: min(Int64(missing.count) * ContentManifest.chunkLength, token.length), in: folder)
        try partial.extend(to: token.length)
        let download = ChunkedDownload(
            manifest: manifest, file: partial, connections: connections,
            request: { range throws(ContentError) in
                guard let response = try await response(to: token.request(to: serverURL, range: range), token) else { return nil }
                switch response.status {
                case 200, 206: return response
                case 416: throw .damaged
                default:
                    let error = await refusal(response, received: 0)
                    if case .interrupted = error { return nil }
                    throw error
                }
            }, report: report)
        // Keep the verified chunks for a later attempt, because a proxy, and not the server, may have ignored the range.
        guard try await download.receive(missing) else { return nil }
        try partial.synchronize()
        return try install(partial, token)
    }

    @concurrent
    private static func missingChunks(of manifest: ContentManifest, in file: PartialFile) async throws(ContentError) -> [Int] {
        try file.missingChunks(of: manifest)
    }

    /// The maximum length of a manifest's JSON in bytes, for each chunk and for the other members.
    private static let manifestLength = (perChunk: 80, others: 16_384)

    /// Fetches the manifest of content that has several chunks; nil if the server has no manifest.
    private func manifest(of token: ContentDownload) async throws(ContentError) -> ContentManifest? {
        let chunks = token.length / ContentManifest.chunkLength
        guard let digest = token.manifest, token.length > ContentManifest.chunkLength, chunks < Int64(ContentManifest.maximumChunkCount)
        else { return nil }
        guard let response = try await response(to: token.manifestRequest(to: serverURL), token) else {
            throw .interrupted(received: 0)
        }
        guard response.status == 200 else {
            let error = await refusal(response, received: 0)
            // Download without a manifest after a 404, because servers of earlier versions have no manifests.
            guard response.status == 404 else { throw error }
            return nil
        }
        let limit = Self.manifestLength.others + Int(clamping: chunks + 1) * Self.manifestLength.perChunk
        guard let json = try? await withDeadline(.seconds(60), { try await response.collect(upTo: limit) }) else {
            throw .interrupted(received: 0)
        }
        guard ContentDigest(of: json).hexadecimal == digest, let manifest = try? ContentManifest(json: json),
            manifest.sha256.hexadecimal == token.sha256, manifest.length == token.length
        else { throw .damaged }
        return manifest
    }

    /// Sends a request, and follows a redirection to a bucket; returns nil if there was no answer.
    private func response(to request: TransportRequest, _ token: ContentDownload) async throws(ContentError) -> TransportResponse? {
        // Check the network before each request, because the network can be lost during a download.
        guard isReachable() else { return nil }
        do {
            let response = try await transport.open(request)
            guard let location = response.header("Location"), (300..<400).contains(response.status) else {
                return response
            }
            return try await transport.open(token.redirected(to: location, from: serverURL, range: request.headers["Range"]))
        } catch let error as ContentError {
            throw error
        } catch {
            return nil
        }
    }

    private func downloadToken(for product: ProductID, item: ContentItemName?) async throws(ContentError) -> ContentDownload {
        let token: DownloadToken
        do {
            var client = ServerClient(serverURL: serverURL, credentials: credentials)
            client.transport = transport
            token = try await client.call(ServerEndpoints.downloadToken, Empty(), parameters: ["product": product.rawValue])
        } catch {
            // Report a 401 as an interruption, so that the download continues when the customer has signed in again.
            guard case .refused(let status, let reason) = error, !error.isRetryable, status != 401 else { throw .interrupted(received: 0) }
            throw .refused(code: reason.code, message: reason.message)
        }
        return try ContentDownload(token, product: product, item: item)
    }

    /// Requests the missing bytes and appends them to the file; returns false if the connection was lost before the end.
    private func fetchRest(
        of partial: PartialFile,
        _ token: ContentDownload,
        _ report: (DownloadEvent) -> Void
    ) async throws(ContentError) -> Bool {
        let offset = partial.length
        guard let response = try await response(to: token.request(to: serverURL, after: offset), token) else { return false }
        switch response.status {
        case 200, 206:
            break
        case 416:
            partial.discard()
            throw .damaged
        default:
            throw await refusal(response, received: offset)
        }
        let range = ResumedRange(status: response.status) { response.header($0) }
        guard range.continues(after: offset) else {
            partial.discard()
            throw .damaged
        }
        let continues = offset > 0 && range.offset == offset
        report(.started(offset: continues ? offset : 0))
        let handle = try partial.open(keeping: continues)
        do {
            var room = token.length - (continues ? offset : 0)
            var reported = room
            for try await chunk in response.body {
                room -= Int64(chunk.count)
                guard room >= 0 else { throw ContentError.damaged }
                if reported - room >= Self.reportedBytes(of: token.length) || room == 0 {
                    reported = room
                    report(.received(token.length - room))
                }
                do { try handle.write(contentsOf: chunk) } catch {
                    throw ContentError.storage(reason: "the file can't be written")
                }
                do { try await throttle(chunk.count) } catch { throw ContentError.interrupted(received: token.length - room) }
                guard isReachable() else { throw ContentError.interrupted(received: token.length - room) }
            }
            try handle.synchronize()
            try handle.close()
            return true
        } catch let error as ContentError {
            try? handle.synchronize()
            try? handle.close()
            if error == .damaged { partial.discard() }
            throw error
        } catch {
            try? handle.synchronize()
            try? handle.close()
            return false
        }
    }

    private func refusal(_ response: TransportResponse, received: Int64) async -> ContentError {
        guard let data = try? await withDeadline(.seconds(30), { try await response.collect(upTo: 1 << 16) }),
            let error = try? WireJSON.decode(WireError.self, from: data)
        else { return .interrupted(received: received) }
        guard !WireClientError.refused(status: response.status, error).isRetryable else {
            return .interrupted(received: received)
        }
        return .refused(code: error.code, message: error.message)
    }

    /// Returns the file that an earlier app session completed without recording the delivery; nil without such a file.
    private func complete(_ token: ContentDownload) -> InstalledContent? {
        let path = "\(folder)/\(token.sha256)"
        guard FileManager.default.fileExists(atPath: path), let hash = try? FileDigest.sha256(path),
            Hexadecimal.encode(hash) == token.sha256
        else { return nil }
        return InstalledContent(path: path, length: token.length, sha256: token.sha256, version: token.version)
    }

    private func install(_ partial: PartialFile, _ token: ContentDownload) throws(ContentError) -> InstalledContent {
        guard partial.length == token.length, try partial.sha256() == token.sha256 else {
            partial.discard()
            throw .damaged
        }
        let path = "\(folder)/\(token.sha256)"
        do {
            try DurableFile.move(partial.path, to: path)
        } catch {
            throw .storage(reason: "the file can't be moved to the content folder")
        }
        for kind in [PartialFile.Kind.beginning, .chunks] { PartialFile(folder: folder, sha256: token.sha256, kind: kind).discard() }
        return InstalledContent(path: path, length: token.length, sha256: token.sha256, version: token.version)
    }
}

extension ContentDownloader: ContentDelivery {
    /// Returns the record with the file's current path, because the system may have moved the downloader's folder.
    public func locate(_ installed: InstalledContent) -> InstalledContent { installed.located(in: folder) }

    /// Removes a file of another version from the folder of the downloader.
    public func remove(_ replaced: InstalledContent) async {
        guard replaced.path.hasPrefix("\(folder)/") else { return }
        try? FileManager.default.removeItem(atPath: replaced.path)
    }

    /// Downloads the first item of the purchased product.
    public func install(
        _ purchase: Purchase, report: @escaping @Sendable (_ received: Int64, _ length: Int64) -> Void
    ) async throws(DeliveryError) -> InstalledContent {
        let total = Mutex<Int64>(0)
        do {
            return try await fetch(purchase.productID) { event in
                switch event {
                case .announced(_, let length): total.withLock { $0 = length }
                case .started(let received), .received(let received), .broken(let received): report(received, total.withLock { $0 })
                case .installed(let content): report(content.length, content.length)
                }
            }
        } catch {
            if case .refused(_, let message) = error { throw .refused(message) }
            throw .later(error.description)
        }
    }
}
