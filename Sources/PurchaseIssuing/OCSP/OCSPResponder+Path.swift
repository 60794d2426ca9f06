import Foundation

extension OCSPResponder {
    /// The request in the path of a GET (RFC 6960, appendix A.1), which follows the responder's address and a slash.
    ///
    /// - Parameter path: The rest of the path without changes: base64, in which `/`, `+` and `=` may be percent-encoded.
    /// - Returns: The request in DER; nil if the path is not base64. ``respond(to:at:)`` checks whether the DER is a request.
    package static func request(inPath path: String) -> [UInt8]? {
        guard let text = path.removingPercentEncoding, let data = Data(base64Encoded: text), !data.isEmpty else { return nil }
        return Array(data)
    }
}
