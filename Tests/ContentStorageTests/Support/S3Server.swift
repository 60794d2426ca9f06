import Foundation
import PurchaseModel
import PurchaseTestSupport

@testable import ContentStorage

/// A server with the protocol of Amazon S3, in another process that ends with this one.
struct S3Server: Sendable {
    struct Failed: Error {
        var output: String
    }

    /// The credentials of a user.
    struct User: Decodable, Sendable {
        var accessKeyID: String
        var secretAccessKey: String
        var sessionToken: String?

        var credentials: S3Credentials {
            get throws {
                try S3Credentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken)
            }
        }
    }

    private struct Announcement: Decodable {
        var port: Int
        var permanent: User
        var temporary: User
    }

    let url: HTTPURL
    /// A user with a permanent key.
    let permanent: User
    /// A user with temporary credentials.
    let temporary: User
    /// The server ends when its standard input is closed.
    private let input: Pipe

    /// The server of all tests.
    static var shared: S3Server {
        get async throws { try await started.value }
    }

    private static let started = Task { try await start() }

    private static func start() async throws -> S3Server {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = tests.appending(path: "../scripts/peers").standardizedFileURL
        process.arguments = [tests.appending(path: "Clients/s3_server.py").path]
        process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, FileHandle.nullDevice)
        try process.run()
        let handle = output.fileHandleForReading
        let line = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line = Data()
                while !line.contains(UInt8(ascii: "\n")) {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    line += data
                }
                continuation.resume(returning: line)
            }
        }
        guard let announcement = try? JSONDecoder().decode(Announcement.self, from: line) else {
            throw Failed(output: String(decoding: line, as: UTF8.self))
        }
        return S3Server(
            url: HTTPURL(loopbackPort: announcement.port), permanent: announcement.permanent, temporary: announcement.temporary,
            input: input)
    }

    /// Creates an empty bucket, and returns the configuration of a storage in it, whose parts have 5 MiB.
    func bucket() async throws -> S3Configuration {
        let configuration = try configuration(bucket: "bucket-\(UUID().uuidString.lowercased())")
        _ = try await S3Storage(configuration).client.exchange(S3Request("PUT"))
        return configuration
    }

    /// Returns the configuration of a storage in a bucket, whose parts have 5 MiB, with short delays between attempts.
    func configuration(bucket: String, user: User? = nil) throws -> S3Configuration {
        var configuration = try S3Configuration(
            bucket: bucket, region: "us-east-1", credentials: (user ?? permanent).credentials, endpoint: url, addressing: .path)
        configuration.partLength = UploadPlan.minimumPartLength
        configuration.retries.initialDelay = .milliseconds(1)
        return configuration
    }
}
