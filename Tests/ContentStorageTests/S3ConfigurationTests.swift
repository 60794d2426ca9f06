import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import ContentStorage

/// Configurations, addresses and secrets.
@Suite struct S3ConfigurationTests {
    private static func configuration(
        _ endpoint: HTTPURL?, _ addressing: S3Addressing, bucket: String = "bucket"
    ) throws -> S3Configuration {
        try S3Configuration(
            bucket: bucket, region: "eu-central-1", credentials: Sample.credentials, endpoint: endpoint, addressing: addressing)
    }

    @Test(
        arguments: [
            (
                nil, S3Addressing.virtualHosted, "https://bucket.s3.eu-central-1.amazonaws.com", "bucket.s3.eu-central-1.amazonaws.com",
                "/a/%28b%29"
            ),
            (nil, .path, "https://s3.eu-central-1.amazonaws.com", "s3.eu-central-1.amazonaws.com", "/bucket/a/%28b%29"),
            ("http://127.0.0.1:9000", .path, "http://127.0.0.1:9000", "127.0.0.1:9000", "/bucket/a/%28b%29"),
            ("http://[::1]:9000/", .path, "http://[::1]:9000", "[::1]:9000", "/bucket/a/%28b%29"),
            ("https://minio.example:443", .virtualHosted, "https://bucket.minio.example", "bucket.minio.example", "/a/%28b%29"),
            ("http://minio.example:80/", .path, "http://minio.example", "minio.example", "/bucket/a/%28b%29"),
            ("https://minio.example:80", .path, "https://minio.example:80", "minio.example:80", "/bucket/a/%28b%29"),
        ] as [(HTTPURL?, S3Addressing, String, String, String)])
    func `the address of an object follows from the endpoint and the addressing`(
        _ endpoint: HTTPURL?, _ addressing: S3Addressing, _ origin: String, _ host: String, _ path: String
    ) throws {
        let address = try Self.configuration(endpoint, addressing).address
        #expect(address.origin == origin && address.host == host && address.path(of: "a/(b)") == path)
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:9000", S3Addressing.virtualHosted, "bucket", S3ConfigurationError.addressWithVirtualHost),
            ("http://[::1]:9000", .virtualHosted, "bucket", .addressWithVirtualHost),
            ("https://s3.example", .virtualHosted, "my.bucket", .dottedBucketWithVirtualHost),
            ("https://s3.example/path", .path, "bucket", .endpointWithPath),
            ("https://s3.example/?a=b", .path, "bucket", .endpointWithPath),
            ("https://s3.example", .path, "ab", .invalidBucketName),
            ("https://s3.example", .path, String(repeating: "b", count: 64), .invalidBucketName),
            ("https://s3.example", .path, "Bucket", .invalidBucketName),
            ("https://s3.example", .path, "a/b", .invalidBucketName),
            ("https://s3.example", .path, "a..b", .invalidBucketName),
            ("https://s3.example", .path, "-ab", .invalidBucketName),
            ("https://s3.example", .path, "a.-b", .invalidBucketName),
            ("https://s3.example", .path, "192.168.0.1", .invalidBucketName),
            ("https://s3.example", .path, "bücket", .invalidBucketName),
            ("https://s3.example", .path, "a?b", .invalidBucketName),
        ] as [(HTTPURL, S3Addressing, String, S3ConfigurationError)])
    func `an address that can't work is refused`(
        _ endpoint: HTTPURL, _ addressing: S3Addressing, _ bucket: String, _ error: S3ConfigurationError
    ) {
        #expect(throws: error) { try Self.configuration(endpoint, addressing, bucket: bucket) }
        #expect(!error.description.isEmpty)
    }

    @Test(arguments: ["", "EU", "a/b", "a b", "a.b", String(repeating: "r", count: 65)]) func `a region is a name`(_ region: String) {
        #expect(throws: S3ConfigurationError.invalidRegion) {
            try S3Configuration(bucket: "bucket", region: region, credentials: Sample.credentials)
        }
    }

    @Test(
        arguments: [
            ("", "s", nil), ("a", "", nil), ("a", "s", ""), ("a b", "s", nil), ("a", "s\r\nx: y", nil), ("a", "s", "é"), ("a/b", "s", nil),
            ("a,b", "s", nil), ("a", String(repeating: "s", count: 8_193), nil),
        ] as [(String, String, String?)])
    func `credentials that could add a header are refused`(_ key: String, _ secret: String, _ token: String?) {
        #expect(throws: S3ConfigurationError.invalidCredentials) {
            try S3Credentials(accessKeyID: key, secretAccessKey: secret, sessionToken: token)
        }
    }

    @Test func `no description contains a credential`() async throws {
        let credentials = try S3Credentials(accessKeyID: "AKIDSECRET", secretAccessKey: "SECRETKEY", sessionToken: "TOKENSECRET")
        let configuration = try S3Configuration(bucket: "bucket", region: "us-east-1", credentials: credentials)
        let storage = S3Storage(configuration)
        let transport = RecordingTransport { _, _ in
            .error(403, "AKIDSECRET", "The key AKIDSECRET and the signature of SECRETKEY do not match.")
        }
        let recorded = S3Storage(configuration, transport: transport, clock: ManualClock(), timer: InstantTimer())
        let error = await #expect(throws: ContentStorageError.self) { try await recorded.delete("a") }
        let request = try #require(transport.all.first)
        #expect(request.headers["authorization"]?.contains("AKIDSECRET") == true)
        for value in [credentials, configuration, storage, storage.client, request, error as Any, storage.client.signature] as [Any] {
            var text = "\(value) " + String(reflecting: value)
            dump(value, to: &text)
            #expect(!text.contains("SECRET") && !text.contains("Signature="), "\(type(of: value))")
        }
    }
}
