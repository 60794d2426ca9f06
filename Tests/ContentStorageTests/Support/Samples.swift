import Crypto
import Foundation
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport

@testable public import ContentStorage

/// Files and storages for tests.
enum Sample {
    /// Returns bytes that differ from kibibyte to kibibyte, and for each seed.
    static func bytes(_ count: Int, seed: UInt8 = 0) -> Data {
        var data = Data(capacity: count + 64)
        var block = Data([seed])
        while data.count < count {
            block = Data(SHA512.hash(data: block))
            for _ in 0..<16 { data.append(block) }
        }
        return data.prefix(count)
    }

    /// Writes a file with bytes of a seed, and returns its path and its bytes.
    static func file(_ folder: TemporaryFolder, _ count: Int, seed: UInt8 = 0) throws -> (path: String, bytes: Data) {
        let (url, bytes) = (folder.file("source-\(UUID().uuidString)"), bytes(count, seed: seed))
        try bytes.write(to: url)
        return (url.path, bytes)
    }

    static let credentials = try! S3Credentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

    /// A storage whose requests a transport answers.
    static func storage(
        timer: any Clock<Duration> = InstantTimer(), retries: S3RetryPolicy = S3RetryPolicy(), _ answer: @escaping RecordingTransport.Answer
    ) throws -> (storage: S3Storage, transport: RecordingTransport) {
        var configuration = try S3Configuration(
            bucket: "examplebucket", region: "us-east-1", credentials: credentials, endpoint: "http://127.0.0.1:9", addressing: .path)
        configuration.retries = retries
        configuration.partLength = UploadPlan.minimumPartLength
        let transport = RecordingTransport(HTTPS3Transport(), answer)
        return (S3Storage(configuration, transport: transport, clock: ManualClock(), timer: timer), transport)
    }
}

extension ContentKey: ExpressibleByStringLiteral {
    /// A key of a test.
    public init(stringLiteral text: String) {
        try! self.init(text)
    }
}

extension ContentChunks {
    /// All bytes of the object.
    var data: Data {
        get async throws { Data(buffer: try await collect(upTo: 1 << 30)) }
    }
}
