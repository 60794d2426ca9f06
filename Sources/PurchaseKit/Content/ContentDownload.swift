import ContentManifest
import Foundation
import FoundationExtras
import PurchaseModel
import ServerProtocol
import Wire

/// A version of a content item that is downloaded with a download token.
struct ContentDownload: Sendable {
    let file: String
    /// The length of the file in bytes.
    let length: Int64
    /// The SHA-256 of the file, in lower-case hexadecimal.
    let sha256: String
    /// The name of the version; nil if the server does not name versions.
    let version: String?
    /// The SHA-256 of the manifest's JSON, in lower-case hexadecimal; nil if the content has no manifest.
    let manifest: String?
    private let token: String
    /// The paths of the content and of its manifest.
    private let path: String
    private let manifestPath: String
    private let query: String

    /// Creates the download of an item's current version.
    ///
    /// - Throws: ``ContentError/refused(code:message:)`` if the content has no such item, ``ContentError/damaged`` if the response of the
    ///   server is not usable.
    init(_ token: DownloadToken, product: ProductID, item: ContentItemName?) throws(ContentError) {
        // Validate the token, which becomes part of a header field, and the hash, which becomes part of a file name.
        guard !token.token.isEmpty, token.token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .damaged }
        self.token = token.token
        path = ServerEndpoints.content.path(["product": product.rawValue])
        manifestPath = ServerEndpoints.contentManifest.path(["product": product.rawValue])
        let found = item.map { name in token.items.first { $0.item == name } } ?? token.items.first
        if let found, let version = found.versions.first {
            (file, length, sha256) = (version.fileName, version.length, version.sha256)
            (self.version, manifest) = (version.version.rawValue, version.manifest)
            // Name the version in the request, because the current version can change after the token was issued.
            query = "?item=\(Self.encoded(found.item.rawValue))&version=\(Self.encoded(version.version.rawValue))"
        } else {
            guard item == nil else { throw .refused(code: "content.no-item", message: "The content has no such item.") }
            (file, length, sha256) = (token.file, token.length, token.sha256)
            (version, manifest, query) = (nil, nil, "")
        }
        guard ContentDigest(hexadecimal: sha256) != nil, length >= 0 else { throw .damaged }
    }

    func request(to server: HTTPURL, after offset: Int64) -> TransportRequest {
        var request = authorized(server.base + path + query)
        request.headers.merge(ResumedRange.fields(after: offset, of: "\"\(sha256)\"")) { _, new in new }
        return request
    }

    /// Returns the request for a range of the bytes.
    func request(to server: HTTPURL, range: Range<Int64>) -> TransportRequest {
        var request = authorized(server.base + path + query)
        request.headers["Range"] = Self.field(range)
        request.headers["If-Range"] = "\"\(sha256)\""
        return request
    }

    func manifestRequest(to server: HTTPURL) -> TransportRequest {
        authorized(server.base + manifestPath + query)
    }

    private func authorized(_ url: String) -> TransportRequest {
        TransportRequest(method: "GET", url: url, headers: ["Authorization": "Bearer \(token)"])
    }

    private static func field(_ range: Range<Int64>) -> String { "bytes=\(range.lowerBound)-\(range.upperBound - 1)" }

    /// Returns the request to the address to which the server redirects, without the token.
    ///
    /// The request has no `If-Range`, because a bucket's entity tags differ from those of the server. The hash of the content detects bytes
    /// of another version.
    ///
    /// - Parameter range: The value of the field `Range`; nil for all bytes.
    /// - Throws: ``ContentError/refused(code:message:)`` for an invalid address, or for `http` if the server's address has `https`.
    func redirected(to location: String, from server: HTTPURL, range: String?) throws(ContentError) -> TransportRequest {
        guard let url = HTTPURL(location), url.isSecure || !server.isSecure else {
            throw .refused(code: "content.redirection", message: "The server redirects the download to an address that is not secure.")
        }
        return TransportRequest(method: "GET", url: url.text, headers: range.map { ["Range": $0] } ?? [:])
    }

    private static func encoded(_ text: String) -> String {
        var unreserved = CharacterSet(charactersIn: "-._~")
        unreserved.formUnion(CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z")))
        unreserved.formUnion(CharacterSet(charactersIn: "0"..."9"))
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
