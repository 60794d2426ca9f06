import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import ContentStorage

/// The manifest of a file.
@Suite struct ManifestTests {
    private static func manifest(_ path: String) async throws -> ContentManifest {
        try await ContentManifest(describing: path, fileName: "monkeys.pdf", mediaType: MediaType("application/pdf"), version: "1.2")
    }

    @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (3 << 20) + 7])
    func `a manifest has the digest of the file and of each mebibyte`(_ count: Int) async throws {
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, count)
            let manifest = try await Self.manifest(path)
            #expect(manifest.length == Int64(count) && manifest.sha256 == ContentDigest(of: bytes))
            let chunks = stride(from: 0, to: count, by: 1 << 20).map { bytes[$0..<min($0 + (1 << 20), count)] }
            #expect(manifest.chunks == chunks.map { ContentDigest(of: $0) })
            for (index, chunk) in chunks.enumerated() {
                #expect(manifest.range(ofChunk: index) == Int64(chunk.startIndex)..<Int64(chunk.endIndex))
                try manifest.verify(chunk, asChunk: index)
            }
            #expect(try ContentManifest(json: manifest.json()) == manifest)
        }
    }

    @Test func `a chunk with another byte, length or index is refused`() async throws {
        try await TemporaryFolder.with { folder in
            let (path, bytes) = try Sample.file(folder, (1 << 20) + 10)
            let manifest = try await Self.manifest(path)
            var damaged = bytes.prefix(1 << 20)
            damaged[1_000] ^= 1
            #expect(throws: ContentManifestError.wrongDigest(chunk: 0)) { try manifest.verify(damaged, asChunk: 0) }
            #expect(throws: ContentManifestError.wrongLength(chunk: 0)) { try manifest.verify(bytes, asChunk: 0) }
            #expect(throws: ContentManifestError.wrongLength(chunk: 1)) { try manifest.verify(bytes.prefix(1 << 20), asChunk: 1) }
            #expect(throws: ContentManifestError.wrongLength(chunk: 1)) { try manifest.verify(Data(), asChunk: 1) }
            for index in [-1, 2, .max, .min] {
                #expect(throws: ContentManifestError.noSuchChunk(index)) { try manifest.verify(Data(), asChunk: index) }
                #expect(manifest.range(ofChunk: index) == nil)
            }
        }
    }

    private static let digest = ContentDigest(of: Data("test".utf8)).hexadecimal

    /// The JSON of a manifest with replaced members; a nil value removes the member.
    private static func json(_ changes: [String: Any?]) throws -> Data {
        var members: [String: Any] = [
            "format": 1, "length": 4, "sha256": digest, "chunkLength": 1 << 20, "chunks": [digest], "fileName": "a.txt",
            "mediaType": "text/plain", "version": "1",
        ]
        for (name, value) in changes { members[name] = value }
        return try JSONSerialization.data(withJSONObject: members)
    }

    @Test func `a manifest is decoded from JSON`() throws {
        let manifest = try ContentManifest(json: Self.json([:]))
        try manifest.verify(Data("test".utf8), asChunk: 0)
        let expected =
            #"{"chunkLength":1048576,"chunks":["\#(Self.digest)"],"fileName":"a.txt","format":1,"length":4,"#
            + #""mediaType":"text/plain","sha256":"\#(Self.digest)","version":"1"}"#
        #expect(String(decoding: try manifest.json(), as: UTF8.self) == expected)
    }

    @Test(
        arguments: [
            ("format", "2", ContentManifestError.unsupportedFormat), ("chunkLength", "0", .unsupportedFormat),
            ("chunkLength", "-1048576", .unsupportedFormat), ("length", "-1", .wrongNumberOfChunks), ("length", "0", .wrongNumberOfChunks),
            ("length", "1048577", .wrongNumberOfChunks), ("length", "9223372036854775807", .wrongNumberOfChunks),
            ("length", "-9223372036854775808", .wrongNumberOfChunks), ("chunks", "[]", .wrongNumberOfChunks),
            ("fileName", #""""#, .invalidFileName), ("fileName", #""..""#, .invalidFileName), ("fileName", #""a/b""#, .invalidFileName),
            ("fileName", #""a\\b""#, .invalidFileName), ("fileName", #""a\u0000""#, .invalidFileName), ("version", #""""#, .invalidVersion),
            ("version", #""1\n""#, .invalidVersion),
            ("sha256", #""9F""#, nil), ("sha256", "null", nil), ("chunks", #"["x"]"#, nil), ("chunks", "{}", nil), ("length", "1e400", nil),
            ("mediaType", #""text""#, nil), ("mediaType", #""a/b\r\nc: d""#, nil), ("format", #""1""#, nil),
        ] as [(String, String, ContentManifestError?)])
    func `a manifest with an invalid member is refused`(_ name: String, _ value: String, _ reason: ContentManifestError?) throws {
        let valid = String(decoding: try Self.json([name: "PLACE"]), as: UTF8.self)
        let json = Data(valid.replacing("\"PLACE\"", with: value).utf8)
        let error = #expect(throws: DecodingError.self) { try ContentManifest(json: json) }
        guard let reason else { return }
        if case .dataCorrupted(let context) = error {
            #expect(context.underlyingError as? ContentManifestError == reason)
        } else {
            Issue.record("another error: \(String(describing: error))")
        }
    }

    @Test func `an invalid name is refused before the file is read`() async throws {
        await #expect(throws: ContentManifestError.invalidFileName) {
            try await ContentManifest(describing: "/does/not/exist", fileName: "a/b", mediaType: .octetStream, version: "1")
        }
    }

    @Test func `a missing file or a folder has no manifest`() async throws {
        try await TemporaryFolder.with { folder in
            let missing = folder.file("missing").path
            await #expect(throws: ContentStorageError.file(path: missing, errorNumber: ENOENT)) { try await Self.manifest(missing) }
            await #expect(throws: ContentStorageError.file(path: folder.url.path, errorNumber: EINVAL)) {
                try await Self.manifest(folder.url.path)
            }
        }
    }
}
