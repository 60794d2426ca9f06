import Foundation

extension OCSPResponder {
    /// Returns the OCSP request that the path of an HTTP GET request contains (RFC 6960, appendix A.1).
    ///
    /// - Parameter path: The part of the path after the responder's address and a slash, as received: base64, in which `/`, `+` and `=` may
    ///   be percent-encoded.
    /// - Returns: The decoded bytes; nil if the path is not base64. ``respond(to:at:)`` checks whether the bytes are an OCSP request.
    package static func request(inPath path: String) -> [UInt8]? {
        guard let text = path.removingPercentEncoding, let data = Data(base64Encoded: text), !data.isEmpty else { return nil }
        return Array(data)
    }
}
