import Foundation

extension OCSPResponder {
    /// The request in the path of a GET (RFC 6960, appendix A.1): what follows the responder's address and a slash.
    ///
    /// - Parameter path: The rest of the path, as it came: base64, in which `/`, `+` and `=` may be percent-encoded.
    /// - Returns: The request in DER; nil when it is no base64. Whether it is a request, ``respond(to:at:)`` says.
    package static func request(inPath path: String) -> [UInt8]? {
        guard let text = path.removingPercentEncoding, let data = Data(base64Encoded: text), !data.isEmpty else { return nil }
        return Array(data)
    }
}
