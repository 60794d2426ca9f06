import Crypto
import Foundation

/// The three parts of a compact JWS, decoded and not verified: `header.payload.signature` (RFC 7515, section 7.1).
package struct CompactForm {
    /// The maximum size of a JWS in bytes.
    ///
    /// A notification with two nested JWS has about 20,000 bytes.
    static let maximumSize = 512 << 10
    /// The maximum size of a JWS header in bytes of base64url.
    ///
    /// A header with three certificates has about 5,000 bytes.
    static let maximumHeader = 32 << 10

    /// The header as JSON.
    let header: [UInt8]
    /// The members of the header.
    let headerMembers: JSONScanner
    /// The payload as JSON.
    let payload: [UInt8]
    /// The members of the payload.
    let payloadMembers: JSONScanner
    /// The bytes of the signature.
    package let signature: [UInt8]

    private let text: [UInt8]
    private let signedCount: Int

    /// The JWS signing input: header and payload as encoded, with the dot between them (RFC 7515, section 5.2, step 8).
    package var signedText: ArraySlice<UInt8> { text[..<signedCount] }

    /// Parses a compact JWS, whose header and payload must be unambiguous JSON objects.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` or ``Refusal/Reason/tooLarge(limit:)`` with the place of the error.
    package init(_ compact: String) throws(Refusal) {
        guard compact.utf8.count <= Self.maximumSize else { throw Refusal(.tooLarge(limit: Self.maximumSize), at: "size") }
        text = Array(compact.utf8)
        // A compact JWS has exactly two dots (RFC 7515, section 7.1).
        guard let first = Self.dot(in: text, from: 0), let second = Self.dot(in: text, from: first + 1),
            Self.dot(in: text, from: second + 1) == nil
        else { throw Refusal(.malformed, at: "parts", "A compact JWS must have three parts, separated by dots.") }
        guard first <= Self.maximumHeader else { throw Refusal(.tooLarge(limit: Self.maximumHeader), at: "header") }
        signedCount = second
        // Decode and parse the header (RFC 7515, section 5.2, steps 2 to 4).
        header = try Self.decode(text, 0..<first, "header")
        do { headerMembers = try JSONScanner(header) } catch { throw error.refusal(in: "header") }
        // Decode the payload and the signature (RFC 7515, section 5.2, steps 6 and 7).
        payload = try Self.decode(text, first + 1..<second, "payload")
        signature = try Self.decode(text, second + 1..<text.count, "signature")
        do { payloadMembers = try JSONScanner(payload) } catch { throw error.refusal(in: "payload") }
    }

    /// The names of the members of the header.
    package var headerNames: [String] { headerMembers.members.map { headerMembers.text($0.name) } }

    /// Decodes a value from the header.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` with the place of the first member that is missing or has another type.
    package func decodeHeader<Header: Decodable>(_ type: Header.Type) throws(Refusal) -> Header {
        try PayloadDecoder.decode(type, from: headerMembers, in: "header")
    }

    /// Decodes a value from the payload.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` with the place of the first member that is missing or has another type.
    package func decodePayload<Payload: Decodable>(_ type: Payload.Type) throws(Refusal) -> Payload {
        try PayloadDecoder.decode(type, from: payloadMembers, in: "payload")
    }

    /// Decodes a part of the JWS, which must be base64url without line breaks, white space and padding (RFC 7515, section 2).
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when the part is not such base64url.
    private static func decode(_ text: [UInt8], _ range: Range<Int>, _ part: String) throws(Refusal) -> [UInt8] {
        guard let bytes = Base64URL.decode(text.span.extracting(range)) else {
            throw Refusal(
                .malformed, at: part, offset: range.lowerBound, "Invalid value: the parts of a JWS must be base64url without padding.")
        }
        return bytes
    }

    private static func dot(in text: [UInt8], from start: Int) -> Int? {
        text.first(UInt8(ascii: "."), in: start..<max(start, text.count))
    }
}

/// A compact JWS in the form of the App Store's, parsed and not verified: signed with ES256, with its certificates in the header.
struct CompactJWS {
    /// The payload as JSON.
    let payload: [UInt8]
    /// The strings of the header's member `x5c`, which are certificates in base64.
    private let certificates: [ArraySlice<UInt8>]
    private let signature: P256.Signing.ECDSASignature
    private let signedText: ArraySlice<UInt8>

    init(_ compact: String) throws(Refusal) {
        try self.init(CompactForm(compact))
    }

    init(_ form: CompactForm) throws(Refusal) {
        certificates = try JWSHeader(form.header, form.headerMembers).certificates
        // An ES256 signature is r and s with 32 bytes each (RFC 7518, section 3.4). A signature in DER has about 71 bytes.
        guard form.signature.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: form.signature) else {
            throw Refusal(.malformed, at: "signature", "Invalid value: the signature must have the 64 bytes of r and s.")
        }
        self.signature = signature
        payload = form.payload
        signedText = form.signedText
    }

    /// Whether the header contains a single certificate, as in signed data from Xcode.
    var hasSingleCertificate: Bool { certificates.count == 1 }

    /// Returns whether the header contains exactly the certificates of a chain, in the order of the chain.
    ///
    /// The method compares the base64 texts without decoding them, because a certificate has only one valid encoding in base64.
    func carries(_ chain: VerifiedChain) -> Bool {
        certificates.count == chain.base64.count && zip(certificates, chain.base64).allSatisfy { $0.holds($1) }
    }

    /// Returns the certificates of the header as DER; the signer's certificate is the first.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when a certificate is not standard base64.
    func encodedCertificates() throws(Refusal) -> [[UInt8]] {
        var encoded: [[UInt8]] = []
        for (index, text) in certificates.enumerated() {
            // Certificates are standard base64 with padding (RFC 7515, section 4.1.6). Foundation ignores unused bits at the end of the
            // base64, so the encoding of the decoded bytes is compared with the text.
            let text = Data(text)
            guard let der = Data(base64Encoded: text), !der.isEmpty, der.base64EncodedData() == text else {
                throw Refusal(.malformed, at: "header.x5c[\(index)]", "Invalid value: a certificate in x5c must be standard base64.")
            }
            encoded.append(Array(der))
        }
        return encoded
    }

    /// Returns whether the signature is valid for a public key; false for a key that is not a P-256 key.
    func isSigned(by key: SignerKey) -> Bool {
        guard case .p256(let key) = key else { return false }
        return key.isValidSignature(signature, for: signedText)
    }
}

/// The header of a JWS in the form of the App Store's (RFC 7515, section 4.1).
///
/// The member `alg` must be `ES256`. The signing key is that of the first certificate in `x5c`; `kid` and `typ` have no effect. Members
/// that select another key, or that change the meaning of other members or of the payload, are refused.
struct JWSHeader {
    /// The strings of the member `x5c`: leaf, intermediate and root in base64, or the single certificate of Xcode.
    let certificates: [ArraySlice<UInt8>]

    /// The names of header members that are refused.
    ///
    /// The members `jwk`, `jku` and `x5u` (RFC 7515) select another key, `crit` (RFC 7515) requires extensions that are not supported, and
    /// `b64` (RFC 7797), `zip` and `enc` (RFC 7516) change the meaning of the payload.
    private static let refused: Set<String> = ["jwk", "jku", "x5u", "crit", "b64", "zip", "enc"]

    init(_ bytes: [UInt8], _ members: JSONScanner) throws(Refusal) {
        var algorithm: Range<Int>?
        var chain: Range<Int>?
        var refused: String?
        for member in members.members {
            switch members.text(member.name) {
            case "alg": algorithm = member.value
            case "x5c": chain = member.value
            case let name where Self.refused.contains(name): refused = refused ?? name
            case let name where ["kid", "typ"].contains(name):
                guard bytes[member.value.lowerBound] == UInt8(ascii: "\"") else { throw Refusal(.malformed, at: "header.\(name)") }
            default: break
            }
        }
        // The member `alg` is required (RFC 7515, section 4.1.1). Its value is compared as JSON, so escapes in it are not accepted.
        guard let algorithm else { throw Refusal(.malformed, at: "header.alg") }
        guard members.text(algorithm) == #""ES256""# else {
            throw Refusal(.algorithm(Self.printable(members.text(algorithm))), at: "header.alg")
        }
        if let refused { throw Refusal(.algorithm(refused), at: "header.\(refused)") }
        // The member `x5c` is an array of strings, and the signer's certificate is the first (RFC 7515, section 4.1.6).
        guard let chain, bytes[chain.lowerBound] == UInt8(ascii: "[") else { throw Refusal(.malformed, at: "header.x5c") }
        certificates = try Self.strings(of: bytes, in: chain.lowerBound + 1..<chain.upperBound - 1)
        guard certificates.count == 3 || certificates.count == 1 else {
            throw Refusal(
                .chain, at: "header.x5c",
                "The member x5c of the JWS header must contain three certificates, or the single certificate of Xcode.")
        }
    }

    /// Returns the first four strings of a JSON array; the caller accepts at most three.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the header, which are known to be valid JSON.
    ///   - elements: The range between the brackets of the array.
    /// - Throws: ``Refusal/Reason/malformed`` when an element is not a string, or has an escape other than `\/`.
    private static func strings(of bytes: [UInt8], in elements: Range<Int>) throws(Refusal) -> [ArraySlice<UInt8>] {
        var strings: [ArraySlice<UInt8>] = []
        var place = elements.lowerBound
        while strings.count < 4, let start = bytes[place..<elements.upperBound].firstIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ",") })
        {
            guard bytes[start] == UInt8(ascii: "\""), let end = bytes.first(UInt8(ascii: "\""), in: start + 1..<elements.upperBound) else {
                throw Refusal(
                    .malformed, at: "header.x5c[\(strings.count)]", "Invalid value: a certificate in x5c must be a JSON string of base64.")
            }
            strings.append(try plain(bytes, start + 1..<end, "header.x5c[\(strings.count)]"))
            place = end + 1
        }
        return strings
    }

    /// Returns the characters of a JSON string of base64, in which a slash can be escaped as `\/`.
    ///
    /// Foundation escapes slashes in JSON, and Xcode signs the JSON that Foundation writes.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when the string has any other escape.
    private static func plain(_ bytes: [UInt8], _ range: Range<Int>, _ place: @autoclosure () -> String) throws(Refusal) -> ArraySlice<
        UInt8
    > {
        let (escape, slash) = (UInt8(ascii: "\\"), UInt8(ascii: "/"))
        guard bytes.first(escape, in: range) != nil else { return bytes[range] }
        var plain: [UInt8] = []
        for index in range where bytes[index] != escape || bytes[index + 1] != slash {
            guard bytes[index] != escape else {
                throw Refusal(.malformed, at: place(), "Invalid value: a certificate in x5c must be standard base64.")
            }
            plain.append(bytes[index])
        }
        return plain[...]
    }

    /// Returns the name of an algorithm from its JSON, or `unknown` unless the name consists of at most ten letters and digits.
    ///
    /// The name becomes part of a refusal, which must not contain arbitrary data.
    private static func printable(_ json: String) -> String {
        let name = json.dropFirst().dropLast()
        let isPrintable =
            json.hasPrefix("\"") && (1...10).contains(name.utf8.count) && name.utf8.allSatisfy { $0 < 128 }
            && name.allSatisfy { $0.isLetter || $0.isNumber }
        return isPrintable ? String(name) : "unknown"
    }
}
