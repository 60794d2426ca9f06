package import ContentStorage
import Foundation
package import PurchaseModel

/// A server with the protocol of Amazon S3, in another process that ends with this one.
package struct S3Server: Sendable {
    /// The error that the server did not start.
    package struct Failed: Error {
        /// The output of the server.
        package var output: String
    }

    /// The credentials of a user.
    package struct User: Decodable, Sendable {
        package var accessKeyID: String
        package var secretAccessKey: String
        package var sessionToken: String?

        /// Creates a user, whom the server need not know.
        package init(accessKeyID: String, secretAccessKey: String, sessionToken: String?) {
            self.accessKeyID = accessKeyID
            self.secretAccessKey = secretAccessKey
            self.sessionToken = sessionToken
        }

        package var credentials: S3Credentials {
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

    /// The base URL of the server.
    package let url: HTTPURL
    /// A user with a permanent key.
    package let permanent: User
    /// A user with temporary credentials.
    package let temporary: User
    /// The server ends when its standard input is closed.
    private let input: Pipe

    /// The server of all tests.
    package static var shared: S3Server {
        get async throws { try await started.value }
    }

    private static let started = Task { try await start() }

    private static func start() async throws -> S3Server {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
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
    package func bucket() async throws -> S3Configuration {
        let configuration = try configuration(bucket: "bucket-\(UUID().uuidString.lowercased())")
        try await S3Storage(configuration).createBucket()
        return configuration
    }

    /// Returns the configuration of a storage in a bucket, whose parts have 5 MiB, with short delays between attempts.
    package func configuration(bucket: String, user: User? = nil) throws -> S3Configuration {
        var configuration = try S3Configuration(
            bucket: bucket, region: "us-east-1", credentials: (user ?? permanent).credentials, endpoint: url, addressing: .path)
        configuration.partLength = UploadPlan.minimumPartLength
        configuration.retries.initialDelay = .milliseconds(1)
        return configuration
    }
}
