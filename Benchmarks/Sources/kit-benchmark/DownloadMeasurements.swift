import BenchmarkReport
import ContentStorage
import Crypto
import Foundation
import Hummingbird
import NIOCore
import PurchaseKit
import PurchaseModel

/// Measures downloads of content, compared with `curl` and `sha256sum`.
struct DownloadMeasurements {
    /// The lengths of the files in MiB, in ascending order.
    let lengths: [Int]
    /// The number of downloads of which the median is taken.
    let rounds: Int
    let folder: String

    func all() async throws -> [ReportLine] {
        var lines: [ReportLine] = []
        var first: Double?
        for length in lengths {
            let server = try ContentServer(mebibytes: length)
            let url = try await server.start()
            var (kit, peer, resumed): ([Double], [Double], [Double]) = ([], [], [])
            for _ in 0..<rounds {
                peer.append(try await curl("\(url)/v1/content/book"))
                let path = "\(folder)/content"
                let downloader = ContentDownloader(serverURL: url, credentials: ContentServer.credentials, folder: path)
                let installed = try await download(downloader, &kit)
                // All chunks are present, as after a crash before the file was renamed.
                try FileManager.default.moveItem(atPath: installed.path, toPath: "\(path)/\(installed.sha256).chunks")
                _ = try await download(downloader, &resumed)
                try FileManager.default.removeItem(atPath: path)
            }
            let time = kit.median
            lines.append(
                ReportLine(
                    title: "download of \(length.text) MiB in chunks", value: time, unit: "ms", basis: "curl and sha256sum",
                    ratio: time / peer.median, limit: 2))
            if let first {
                lines.append(
                    ReportLine(
                        title: "download of \(length.text) MiB in chunks", value: time, unit: "ms",
                        basis: "with \(lengths[0].text) MiB, for each byte", ratio: time / Double(length) / first, limit: 1.2))
            } else {
                first = time / Double(length)
            }
            lines.append(
                ReportLine(
                    title: "continuing \(length.text) MiB whose chunks are present", value: resumed.median, unit: "ms",
                    basis: "the download",
                    ratio: resumed.median / time))
        }
        return lines
    }

    private func download(_ downloader: ContentDownloader, _ times: inout [Double]) async throws -> InstalledContent {
        let start = ContinuousClock.now
        let installed = try await downloader.fetch("book")
        times.append((ContinuousClock.now - start) / .milliseconds(1))
        return installed
    }

    /// Downloads a file over one connection, computes its hash, and returns the milliseconds.
    private func curl(_ url: String) async throws -> Double {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        let script = "curl -sSf -o \"$1/curl\" \"$2\" && sha256sum \"$1/curl\" >/dev/null && rm \"$1/curl\""
        process.arguments = ["-c", script, "bash", folder, url]
        let (codes, continuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { continuation.yield($0.terminationStatus) }
        let start = ContinuousClock.now
        try process.run()
        // The server answers in this process, so that no thread may wait.
        guard await codes.first(where: { _ in true }) == 0 else { throw CocoaError(.fileReadUnknown) }
        return (ContinuousClock.now - start) / .milliseconds(1)
    }
}

/// A server of one file with a manifest.
private final class ContentServer: Sendable {
    static let credentials = ServerCredentials(publishableKey: "pk", customerToken: "token", verificationKeys: nil)

    private let chunk = ByteBuffer(bytes: (0..<Int(ContentManifest.chunkLength)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) })
    private let manifest: ContentManifest
    private let json: Data

    init(mebibytes count: Int) throws {
        var hash = SHA256()
        for _ in 0..<count { hash.update(data: chunk.readableBytesView) }
        let digits = hash.finalize().map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
        guard let sha256 = ContentDigest(hexadecimal: digits) else { throw CocoaError(.coderInvalidValue) }
        manifest = try ContentManifest(
            length: Int64(count) * ContentManifest.chunkLength, sha256: sha256,
            chunks: Array(repeating: ContentDigest(of: chunk.readableBytesView), count: count), fileName: "book",
            mediaType: MediaType("application/pdf"), version: "1")
        json = try manifest.json()
    }

    /// Starts the server on a loopback port, and returns its base address.
    func start() async throws -> HTTPURL { try await router().serve() }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        let length = manifest.length
        router.post("/v1/content/book/download-tokens") { [self] _, _ in
            let version = """
                {"version":"1","fileName":"book","mediaType":"application/pdf","length":\(length),"sha256":"\(manifest.sha256)",\
                "manifest":"\(ContentDigest(of: json))","publishedAt":0}
                """
            return Self.response(
                Data(
                    """
                    {"token":"a.b","file":"book","length":\(length),"sha256":"\(manifest.sha256)","expires":0,\
                    "items":[{"item":"main","versions":[\(version)]}]}
                    """.utf8))
        }
        router.get("/v1/content/book/manifest") { [self] _, _ in Self.response(json) }
        router.get("/v1/content/book") { [self] request, _ in
            let ends = (request.headers[.range] ?? "").dropFirst("bytes=".count).split(separator: "-").compactMap { Int64($0) }
            let range = ends.count == 2 ? ends[0]..<min(ends[1] + 1, length) : 0..<length
            return Response(
                status: ends.isEmpty ? .ok : .partialContent,
                headers: [.contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"], body: body(range))
        }
        return router
    }

    private func body(_ range: Range<Int64>) -> ResponseBody {
        ResponseBody(contentLength: Int(range.upperBound - range.lowerBound)) { [chunk] writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let start = Int(offset % ContentManifest.chunkLength)
                let count = min(1 << 16, chunk.readableBytes - start, Int(range.upperBound - offset))
                if let bytes = chunk.getSlice(at: start, length: count) { try await writer.write(bytes) }
                offset += Int64(count)
            }
            try await writer.finish(nil)
        }
    }

    private static func response(_ json: Data) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
