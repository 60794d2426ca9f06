import Foundation

/// A genuine compact JWS whose payload or certificates can be replaced.
///
/// With a replacement, only the signature is invalid.
public struct JWSEnvelope: Sendable {
    private let header: Substring
    private let payload: Substring
    private let signature: Substring

    /// Splits a compact JWS into its parts.
    ///
    /// Returns nil unless the text has three parts.
    public init?(_ compact: String) {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        (header, payload, signature) = (parts[0], parts[1], parts[2])
    }

    /// Returns the JWS with another payload.
    public func wrapping(payload: String) -> [UInt8] {
        Array("\(header).\(Self.base64URL(Data(payload.utf8))).\(signature)".utf8)
    }

    /// Returns the JWS with other certificates in the header.
    public func wrapping(certificates: [[UInt8]]) -> [UInt8] {
        let chain = certificates.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
        let header = Self.base64URL(Data(#"{"alg":"ES256","x5c":[\#(chain)]}"#.utf8))
        return Array("\(header).\(payload).\(signature)".utf8)
    }

    /// The certificates in the header.
    public var certificates: [[UInt8]] {
        struct Header: Decodable {
            let x5c: [String]
        }
        let text = String(header).replacing("-", with: "+").replacing("_", with: "/")
        let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let json = Data(base64Encoded: padded), let header = try? JSONDecoder().decode(Header.self, from: json) else { return [] }
        return header.x5c.compactMap { Data(base64Encoded: $0).map(Array.init) }
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
