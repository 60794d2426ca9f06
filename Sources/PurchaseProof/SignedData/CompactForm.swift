import Crypto
import Foundation

/// The three parts of a compact JWS, decoded and not verified: `header.payload.signature` (RFC 7515, section 7.1).
struct CompactForm {
    /// The maximum size of a JWS in bytes.
    ///
    /// A notification with two nested JWS has about 20,000.
    static let maximumSize = 512 << 10
    /// The maximum length of a header in characters.
    ///
    /// A header with three certificates has about 5,000.
    static let maximumHeader = 32 << 10

    /// The header's JSON.
    let header: [UInt8]
    /// The header's members.
    let headerMembers: JSONScanner
    /// The payload's JSON.
    let payload: [UInt8]
    /// The payload's members.
    let payloadMembers: JSONScanner
    /// The bytes of the signature.
    let signature: [UInt8]

    private let text: [UInt8]
    private let signedCount: Int

    /// The JWS signing input: header and payload as encoded, with the dot between them (RFC 7515, section 5.2, step 8).
    var signedText: ArraySlice<UInt8> { text[..<signedCount] }

    init(_ compact: String) throws(Refusal) {
        guard compact.utf8.count <= Self.maximumSize else { throw Refusal(.tooLarge(limit: Self.maximumSize), at: "size") }
        text = Array(compact.utf8)
        // Section 7.1: exactly two dots.
        guard let first = Self.dot(in: text, from: 0), let second = Self.dot(in: text, from: first + 1),
            Self.dot(in: text, from: second + 1) == nil
        else { throw Refusal(.malformed, at: "parts", "A JWS must have three parts.") }
        guard first <= Self.maximumHeader else { throw Refusal(.tooLarge(limit: Self.maximumHeader), at: "header") }
        signedCount = second
        // Section 5.2, steps 2 to 4.
        header = try Self.decode(text, 0..<first, "header")
        do { headerMembers = try JSONScanner(header) } catch { throw error.refusal(in: "header") }
        // Steps 6 and 7.
        payload = try Self.decode(text, first + 1..<second, "payload")
        signature = try Self.decode(text, second + 1..<text.count, "signature")
        do { payloadMembers = try JSONScanner(payload) } catch { throw error.refusal(in: "payload") }
    }

    /// Decodes base64url without line breaks, white space or padding (section 2).
    private static func decode(_ text: [UInt8], _ range: Range<Int>, _ part: String) throws(Refusal) -> [UInt8] {
        guard let bytes = Base64URL.decode(text.span.extracting(range)) else {
            throw Refusal(.malformed, at: part, offset: range.lowerBound, "Invalid value: it must be base64url without padding.")
        }
        return bytes
    }

    private static func dot(in text: [UInt8], from start: Int) -> Int? {
        text.first(UInt8(ascii: "."), in: start..<max(start, text.count))
    }
}

/// A compact JWS of the App Store, parsed and not verified: ES256, with its chain in the header.
struct CompactJWS {
    /// The payload's JSON.
    let payload: [UInt8]
    /// The strings of `x5c`.
    private let certificates: [ArraySlice<UInt8>]
    private let signature: P256.Signing.ECDSASignature
    private let signedText: ArraySlice<UInt8>

    init(_ compact: String) throws(Refusal) {
        try self.init(CompactForm(compact))
    }

    init(_ form: CompactForm) throws(Refusal) {
        certificates = try JWSHeader(form.header, form.headerMembers).certificates
        // RFC 7518, section 3.4: r and s, 32 bytes each. A DER signature has about 71 bytes.
        guard form.signature.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: form.signature) else {
            throw Refusal(.malformed, at: "signature", "Invalid value: the signature must have the 64 bytes of r and s.")
        }
        self.signature = signature
        payload = form.payload
        signedText = form.signedText
    }

    /// Whether there is a single certificate, like Xcode's.
    var hasSingleCertificate: Bool { certificates.count == 1 }

    /// Whether the certificates are those of a chain, byte for byte.
    ///
    /// Bytes have one base64 encoding, so the texts are compared.
    func carries(_ chain: VerifiedChain) -> Bool {
        certificates.count == chain.base64.count && zip(certificates, chain.base64).allSatisfy { $0.holds($1) }
    }

    /// The certificates as DER, the signer's first.
    func encodedCertificates() throws(Refusal) -> [[UInt8]] {
        var encoded: [[UInt8]] = []
        for (index, text) in certificates.enumerated() {
            // RFC 7515, section 4.1.6: standard base64, with its padding. Foundation ignores stray bits.
            let text = Data(text)
            guard let der = Data(base64Encoded: text), !der.isEmpty, der.base64EncodedData() == text else {
                throw Refusal(.malformed, at: "header.x5c[\(index)]", "Invalid value: it must be standard base64.")
            }
            encoded.append(Array(der))
        }
        return encoded
    }

    /// Whether the signature is valid for a key.
    func isSigned(by key: SignerKey) -> Bool {
        guard case .p256(let key) = key else { return false }
        return key.isValidSignature(signature, for: signedText)
    }
}

/// The relevant members of a JWS header (RFC 7515, section 4.1).
///
/// Keys come from `x5c` only. `kid` and `typ` have no effect. Members that contain or refer to another key, or that change the meaning of
/// the rest, are refused.
struct JWSHeader {
    /// The strings of `x5c`: leaf, intermediate and root in base64, or Xcode's single certificate.
    let certificates: [ArraySlice<UInt8>]

    /// `jwk`, `jku` and `x5u` (4.1.2, 4.1.3, 4.1.5) select another key, `crit` (4.1.11) requires unsupported extensions,
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
        // 4.1.1. An escaped spelling is not accepted.
        guard let algorithm else { throw Refusal(.malformed, at: "header.alg") }
        guard members.text(algorithm) == #""ES256""# else {
            throw Refusal(.algorithm(Self.printable(members.text(algorithm))), at: "header.alg")
        }
        if let refused { throw Refusal(.algorithm(refused), at: "header.\(refused)") }
        // 4.1.6: strings, the signer's certificate first.
        guard let chain, bytes[chain.lowerBound] == UInt8(ascii: "[") else { throw Refusal(.malformed, at: "header.x5c") }
        certificates = try Self.strings(of: bytes, in: chain.lowerBound + 1..<chain.upperBound - 1)
        guard certificates.count == 3 || certificates.count == 1 else {
            throw Refusal(.chain, at: "header.x5c", "The header must have three certificates, or the single one of Xcode.")
        }
    }

    /// The first four strings of an array that is known to be JSON.
    private static func strings(of bytes: [UInt8], in elements: Range<Int>) throws(Refusal) -> [ArraySlice<UInt8>] {
        var strings: [ArraySlice<UInt8>] = []
        var place = elements.lowerBound
        while strings.count < 4, let start = bytes[place..<elements.upperBound].firstIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ",") })
        {
            guard bytes[start] == UInt8(ascii: "\""), let end = bytes.first(UInt8(ascii: "\""), in: start + 1..<elements.upperBound) else {
                throw Refusal(.malformed, at: "header.x5c[\(strings.count)]", "Invalid value: it must be a string of base64.")
            }
            strings.append(try plain(bytes, start + 1..<end, "header.x5c[\(strings.count)]"))
            place = end + 1
        }
        return strings
    }

    /// The text without escapes of slashes: Foundation writes `\/`, and Xcode signs Foundation's output.
    private static func plain(_ bytes: [UInt8], _ range: Range<Int>, _ place: @autoclosure () -> String) throws(Refusal) -> ArraySlice<
        UInt8
    > {
        let (escape, slash) = (UInt8(ascii: "\\"), UInt8(ascii: "/"))
        guard bytes.first(escape, in: range) != nil else { return bytes[range] }
        var plain: [UInt8] = []
        for index in range where bytes[index] != escape || bytes[index + 1] != slash {
            guard bytes[index] != escape else { throw Refusal(.malformed, at: place(), "Invalid value: it must be standard base64.") }
            plain.append(bytes[index])
        }
        return plain[...]
    }

    /// The name of an algorithm if it is alphanumeric, so that an error contains no other data.
    private static func printable(_ json: String) -> String {
        let name = json.dropFirst().dropLast()
        let isPrintable =
            json.hasPrefix("\"") && (1...10).contains(name.utf8.count) && name.utf8.allSatisfy { $0 < 128 }
            && name.allSatisfy { $0.isLetter || $0.isNumber }
        return isPrintable ? String(name) : "unknown"
    }
}

extension DecodingError {
    /// The place in the payload, such as `payload.commitmentInfo.commitmentPrice`.
    var place: String {
        switch self {
        case .keyNotFound(let key, let context): Self.place(context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): Self.place(context.codingPath)
        @unknown default: "payload"
        }
    }

    // The keys are names of the decoded types, never text of the data.
    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce("payload") { place, key in place + (key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)") }
    }
}
