import Configuration
import ContentStorage
import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

@Suite struct ContentConfigurationTests {
    private static let bucket = [
        "content-s3.bucket": "books", "content-s3.access-key-id": "AKIA", "content-s3.secret-access-key": "hunter2",
    ]

    private func read(_ values: [String: String]) throws -> ContentConfiguration {
        let pairs = values.map { (AbsoluteConfigKey(ConfigKey($0)), ConfigValue(.string($1), isSecret: false)) }
        let provider = InMemoryProvider(values: Dictionary(uniqueKeysWithValues: pairs))
        let configuration = try ContentConfiguration(ConfigurationScope(ConfigReader(provider: provider)))
        try configuration.validate(in: .production)
        return configuration
    }

    @Test func `content is in a folder, and the server sends it, by default`() throws {
        let configuration = try read(["content-folder": "/tmp"])
        guard case .folder("/tmp") = configuration.location else {
            Issue.record("\(configuration.location)")
            return
        }
        #expect(configuration.delivery == .direct && configuration.tokensPerDay == 50)
    }

    @Test func `content is in a bucket, whose secret can be in a file`() async throws {
        try await TemporaryFolder.with { folder in
            try Data("hunter2\n".utf8).write(to: folder.file("secret"))
            var values = Self.bucket
            values["content-s3.secret-access-key"] = nil
            values["content-s3.secret-access-key-file"] = folder.file("secret").path()
            values["content-s3.endpoint"] = "https://minio.example.com:9000"
            values["content-s3.region"] = "eu-central-1"
            values["content-s3.addressing"] = "Path"
            values["content-delivery"] = "presigned"
            values["content-tokens-per-day"] = "7"
            // An empty text removes the value of another source.
            values["content-folder"] = ""
            let configuration = try read(values)
            guard case .bucket(let bucket) = configuration.location else {
                Issue.record("\(configuration.location)")
                return
            }
            #expect(bucket.bucket == "books" && bucket.region == "eu-central-1" && bucket.addressing == .path)
            #expect(bucket.endpoint == "https://minio.example.com:9000")
            #expect(configuration.delivery == .presigned && configuration.tokensPerDay == 7)
            #expect(!"\(configuration)".contains("hunter2"))
        }
    }

    @Test(
        arguments: [
            ([:], "content-folder"), (["content-folder": "/nowhere"], "content-folder"),
            (bucket.merging(["content-folder": "/tmp"]) { $1 }, "content-folder"),
            (["content-folder": "/tmp", "content-delivery": "presigned"], "content-delivery"),
            (["content-folder": "/tmp", "content-delivery": "ftp"], "content-delivery"),
            (["content-folder": "/tmp", "content-delivery": "nginx"], "content-nginx-location"),
            (["content-folder": "/tmp", "content-delivery": "nginx", "content-nginx-location": "protected"], "content-nginx-location"),
            (["content-folder": "/tmp", "content-delivery": "nginx", "content-nginx-location": "/a b/"], "content-nginx-location"),
            (["content-folder": "/tmp", "content-delivery": "nginx", "content-nginx-location": "/a\r\nX: b/"], "content-nginx-location"),
            (["content-folder": "/tmp", "content-tokens-per-day": "0"], "content-tokens-per-day"),
            (["content-folder": "/tmp", "content-tokens-per-day": "many"], "content-tokens-per-day"),
            (["content-folder": "/tmp", "content-tokens-per-day": "99999999999999999999"], "content-tokens-per-day"),
            (["content-s3.region": "eu-central-1"], "content-s3.bucket"), (["content-s3.bucket": "books"], "content-s3.access-key-id"),
            (bucket.merging(["content-s3.bucket": "Books"]) { $1 }, "content-s3.bucket"),
            (bucket.merging(["content-s3.region": "EU!"]) { $1 }, "content-s3.region"),
            (bucket.merging(["content-s3.endpoint": "minio"]) { $1 }, "content-s3.endpoint"),
            (bucket.merging(["content-s3.endpoint": "https://a.b/path"]) { $1 }, "content-s3.endpoint"),
            (bucket.merging(["content-s3.endpoint": "http://10.0.0.1"]) { $1 }, "content-s3.addressing"),
            (bucket.merging(["content-s3.addressing": "host"]) { $1 }, "content-s3.addressing"),
            (bucket.merging(["content-s3.access-key-id": "a b"]) { $1 }, "content-s3.access-key-id"),
            (bucket.merging(["content-s3.secret-access-key-file": "/tmp/a"]) { $1 }, "content-s3.secret-access-key"),
            (
                ["content-s3.bucket": "b12", "content-s3.access-key-id": "a", "content-s3.secret-access-key-file": "/nowhere/secret"],
                "content-s3.secret-access-key-file"
            ),
            (bucket.merging(["content-s3.endpoint": "http://a.b", "content-delivery": "presigned"]) { $1 }, "content-s3.endpoint"),
        ] as [([String: String], String)])
    func `an error names the key and contains no secret`(_ values: [String: String], _ key: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(values) }
        #expect(error?.key == key)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func `unknown keys name the nearest one, and secrets of the file are marked`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder.file("configuration.json")
            try Data(#"{"content-s3":{"buckt":"a"}}"#.utf8).write(to: file)
            #expect(throws: ConfigurationError.unknownKey("content-s3.buckt", nearest: "content-s3.bucket")) {
                try ServerConfigurationFile.provider(path: file.path())
            }
            try Data(#"{"content-s3":{"secret-access-key":"hunter2"},"content-tokens-per-day":5}"#.utf8).write(to: file)
            let provider = try ServerConfigurationFile.provider(path: file.path())
            #expect(!"\(provider.debugDescription)".contains("hunter2"))
            #expect(try ConfigurationScope(ConfigReader(provider: provider)).text("content-tokens-per-day") == "5")
            #expect(throws: ConfigurationError.unknownKey("TILLROLL_CONTENT_S3_REGIO", nearest: "TILLROLL_CONTENT_S3_REGION")) {
                try ConfigurationKeys.check(["TILLROLL_CONTENT_S3_REGIO": "a"])
            }
        }
    }

    @Test(arguments: ["Mein Buch.txt", "Bücher.txt", ".hidden", "a/b", "..", "a..b", ""])
    func `a file of the catalog must be a key of the storage`(_ name: String) {
        #expect(throws: ConfigurationError.fileName("book")) {
            try PurchaseServerConfiguration.validate([ServerProduct(id: "book", file: name)])
        }
    }
}
