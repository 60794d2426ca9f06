import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import ContentStorage

/// Signature Version 4, with the examples of Amazon's documentation, which botocore confirms.
@Suite struct SignatureTests {
    /// 2013-05-24T00:00:00Z
    private static let date = Timestamp(milliseconds: 1_369_353_600_000)
    private static let host = "examplebucket.s3.amazonaws.com"

    private static func signer(token: String? = nil) throws -> SignatureV4 {
        let credentials = try S3Credentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", sessionToken: token)
        return SignatureV4(credentials: credentials, region: "us-east-1")
    }

    /// A request and its signature.
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var method = "GET"
        var path = "/"
        var query: [(String, String)] = []
        var headers: [String: String] = [:]
        var payload = SignatureV4.emptyPayload
        var token: String?
        var signature: String

        var testDescription: String { name }
    }

    private static let examples = [
        // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
        Example(
            name: "GET Object", path: "/test.txt", headers: ["range": "bytes=0-9"],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            name: "PUT Object", method: "PUT", path: "/test%24file.text",
            headers: ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            payload: SignatureV4.digest(of: Data("Welcome to Amazon S3.".utf8)),
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            name: "GET Bucket Lifecycle", query: [("lifecycle", "")],
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            name: "List Objects", query: [("prefix", "J"), ("max-keys", "2")],
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        // Signatures of botocore 1.44.5.
        Example(
            name: "a session token", path: "/test.txt", headers: ["range": "bytes=0-9"], token: "AQoDYXdzEJr/+=token",
            signature: "84acfe45128d7368b28dd1d253595941f0ee23fe9c44ba807fdec3efea6bf4b9"),
        Example(
            name: "an unsigned part with special characters", method: "PUT", path: S3Encoding.path("/a/b !'()*~.txt"),
            query: [("uploadId", "x/+="), ("partNumber", "2")], headers: ["content-type": "application/pdf"],
            payload: SignatureV4.unsignedPayload, signature: "1e2f324889662ea8f58d4a44685d5ebbbc1c73314c5e0c57b19d9e641a56b7c9"),
    ]

    @Test(arguments: examples) func `a request has the signature of Amazon's documentation and of botocore`(_ example: Example) throws {
        let subject = SignatureV4.Subject(
            method: example.method, path: example.path, query: S3Query(example.query),
            headers: example.headers.merging(["host": Self.host]) { $1 })
        let headers = try Self.signer(token: example.token).headers(of: subject, payload: example.payload, at: Self.date)
        let names =
            (Array(example.headers.keys) + ["host", "x-amz-content-sha256", "x-amz-date"]
            + (example.token == nil ? [] : ["x-amz-security-token"]))
            .sorted()
        #expect(
            headers["authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=\(names.joined(separator: ";")),Signature=\(example.signature)")
        #expect(headers["x-amz-date"] == "20130524T000000Z" && headers["x-amz-security-token"] == example.token)
    }

    @Test(
        arguments: [
            // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
            (nil, "", "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"),
            // The signature of botocore 1.44.5.
            (
                "AQoDYXdzEJr/+=token", "&X-Amz-Security-Token=AQoDYXdzEJr%2F%2B%3Dtoken",
                "4961101f965fa1917523500493ac2c73387226c2ec71824882e92cef295a90de"
            ),
        ] as [(String?, String, String)])
    func `a presigned URL has the signature of Amazon's documentation and of botocore`(
        _ token: String?, _ parameter: String, _ signature: String
    ) throws {
        let credentials = try Self.signer(token: token).credentials
        let endpoint: HTTPURL = "https://s3.amazonaws.com"
        let configuration = try S3Configuration(
            bucket: "examplebucket", region: "us-east-1", credentials: credentials, endpoint: endpoint)
        let url = S3Storage(configuration, clock: ManualClock(Self.date)).presignedURL(for: "test.txt", expiresIn: .seconds(86_400))
        #expect(
            url.text == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z"
                + "&X-Amz-Expires=86400\(parameter)&X-Amz-SignedHeaders=host&X-Amz-Signature=\(signature)")
        #expect(url.expires == Self.date.adding(days: 1))
        #expect("\(url)" == "https://examplebucket.s3.amazonaws.com/test.txt?…" && !String(reflecting: url).contains("Signature"))
    }

    @Test(arguments: [
        (Duration.zero, Int64(1)), (.seconds(-5), 1), (.milliseconds(1_999), 1), (.seconds(604_800), 604_800), (.seconds(604_801), 604_800),
        (.seconds(Int64.max), 604_800),
    ])
    func `a presigned URL is valid for one second to seven days`(_ lifetime: Duration, _ seconds: Int64) throws {
        let storage = try Sample.storage { _, _ in nil }.storage
        let url = storage.presignedURL(for: "a", expiresIn: lifetime)
        #expect(url.text.contains("&X-Amz-Expires=\(seconds)&") && url.expires == Timestamp.testStart.wholeSeconds.adding(seconds: seconds))
    }

    @Test(arguments: [
        ("a/b", "a/b", "a%2Fb"), ("a b+c", "a%20b%2Bc", "a%20b%2Bc"), ("~-._", "~-._", "~-._"), ("é", "%C3%A9", "%C3%A9"),
        ("!'()*", "%21%27%28%29%2A", "%21%27%28%29%2A"), ("%", "%25", "%25"), ("", "", ""),
    ])
    func `unreserved characters only are not encoded`(_ text: String, _ path: String, _ parameter: String) {
        #expect(S3Encoding.path(text) == path && S3Encoding.parameter(text) == parameter)
    }

    @Test func `a query is in the order of its encoded names`() {
        let query = S3Query([("b", "2"), ("a", "z"), ("uploads", ""), ("a", "+"), ("B", "1")])
        #expect(query.text == "B=1&a=%2B&a=z&b=2&uploads=")
    }
}
