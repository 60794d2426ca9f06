/// A request of a storage, without its signature.
struct S3Request: Sendable {
    var method: String
    /// The key of the object; nil for a request about the bucket.
    var key: ContentKey?
    var query = S3Query()
    /// The headers by their names in lower case, without those of the signature.
    var headers: [String: String] = [:]
    var body: S3TransportRequest.Body?
    /// The SHA-256 of the body in lower-case hexadecimal; nil for a body that the signature does not cover.
    var payload: String? = SignatureV4.emptyPayload
    /// The additional time limit for the bytes of the body.
    var transferTime: Duration = .zero

    init(_ method: String, _ key: ContentKey? = nil, query: [(String, String)] = [], headers: [String: String] = [:]) {
        self.method = method
        self.key = key
        self.query = S3Query(query)
        self.headers = headers
    }
}

extension SignatureV4 {
    /// The SHA-256 of no bytes.
    static let emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
}
