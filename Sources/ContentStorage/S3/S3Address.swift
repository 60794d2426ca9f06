import Foundation
import PurchaseModel

/// The address of a bucket.
struct S3Address: Hashable, Sendable {
    /// The scheme, the host and the port, without a path.
    let origin: String
    /// The value of the `Host` header: the host, and the port if it is not the default port of the scheme.
    let host: String
    /// The path of the bucket without a trailing slash: empty with virtual-hosted addressing.
    let path: String

    init(_ bucket: String, at endpoint: HTTPURL, _ addressing: S3Addressing) throws(S3ConfigurationError) {
        guard let parts = URLComponents(string: endpoint.text, encodingInvalidCharacters: false), let server = parts.percentEncodedHost
        else { throw .endpointWithPath }
        guard parts.percentEncodedPath.isEmpty || parts.percentEncodedPath == "/", !endpoint.hasQuery else { throw .endpointWithPath }
        let name: String
        switch addressing {
        case .path:
            name = server
            path = "/\(bucket)"
        case .virtualHosted:
            guard !Self.isIPAddress(server) else { throw .addressWithVirtualHost }
            guard !endpoint.isSecure || !bucket.contains(".") else { throw .dottedBucketWithVirtualHost }
            name = "\(bucket).\(server)"
            path = ""
        }
        let defaultPort = endpoint.isSecure ? 443 : 80
        host = parts.port.map { $0 == defaultPort ? name : "\(name):\($0)" } ?? name
        origin = "\(endpoint.isSecure ? "https" : "http")://\(host)"
    }

    private static func isIPAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// The percent-encoded path of an object; of the bucket if the key is nil.
    func path(of key: ContentKey?) -> String {
        "\(path)/\(key.map { S3Encoding.path($0.text) } ?? "")"
    }
}
