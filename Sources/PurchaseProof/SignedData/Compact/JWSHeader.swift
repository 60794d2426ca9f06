/// The header of a JWS, as far as it matters here (RFC 7515, section 4.1).
///
/// Keys come from `x5c` only. `kid` and `typ` are hints without effect; members that bring or fetch another key, or that would
/// change how the rest is to be read, are refused.
struct JWSHeader {
    /// The texts of `x5c`: leaf, intermediate and root in base64; Xcode's certificate is alone.
    let certificates: [ArraySlice<UInt8>]

    /// `jwk`, `jku` and `x5u` (4.1.2, 4.1.3, 4.1.5) choose their own key, `crit` (4.1.11) demands what isn't understood here,
    /// `b64` (RFC 7797), `zip` and `enc` (RFC 7516) change what the payload is.
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
        // 4.1.1. An escaped spelling is another one, and none.
        guard let algorithm else { throw Refusal(.malformed, at: "header.alg") }
        guard members.text(algorithm) == #""ES256""# else {
            throw Refusal(.algorithm(Self.printable(members.text(algorithm))), at: "header.alg")
        }
        if let refused { throw Refusal(.algorithm(refused), at: "header.\(refused)") }
        // 4.1.6: strings, the signer's certificate first.
        guard let chain, bytes[chain.lowerBound] == UInt8(ascii: "[") else { throw Refusal(.malformed, at: "header.x5c") }
        certificates = try Self.strings(of: bytes, in: chain.lowerBound + 1..<chain.upperBound - 1)
        guard certificates.count == 3 || certificates.count == 1 else {
            throw Refusal(.chain, at: "header.x5c", "It has neither three certificates nor the single one of Xcode.")
        }
    }

    /// The first four strings of an array that is known to be JSON.
    private static func strings(of bytes: [UInt8], in elements: Range<Int>) throws(Refusal) -> [ArraySlice<UInt8>] {
        var strings: [ArraySlice<UInt8>] = []
        var place = elements.lowerBound
        while strings.count < 4, let start = bytes[place..<elements.upperBound].firstIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ",") })
        {
            guard bytes[start] == UInt8(ascii: "\""), let end = bytes.first(UInt8(ascii: "\""), in: start + 1..<elements.upperBound) else {
                throw Refusal(.malformed, at: "header.x5c[\(strings.count)]", "It is not a string of base64.")
            }
            strings.append(try plain(bytes, start + 1..<end, "header.x5c[\(strings.count)]"))
            place = end + 1
        }
        return strings
    }

    /// The text without the escapes of slashes: Foundation writes `\/`, and Xcode signs what Foundation writes.
    private static func plain(_ bytes: [UInt8], _ range: Range<Int>, _ place: @autoclosure () -> String) throws(Refusal) -> ArraySlice<
        UInt8
    > {
        let (escape, slash) = (UInt8(ascii: "\\"), UInt8(ascii: "/"))
        guard bytes.first(escape, in: range) != nil else { return bytes[range] }
        var plain: [UInt8] = []
        for index in range where bytes[index] != escape || bytes[index + 1] != slash {
            guard bytes[index] != escape else { throw Refusal(.malformed, at: place(), "It is not standard base64.") }
            plain.append(bytes[index])
        }
        return plain[...]
    }

    /// The name of an algorithm if it looks like one, so that an error carries nothing else of the data.
    private static func printable(_ json: String) -> String {
        let name = json.dropFirst().dropLast()
        let looksLikeOne =
            json.hasPrefix("\"") && (1...10).contains(name.utf8.count) && name.utf8.allSatisfy { $0 < 128 }
            && name.allSatisfy { $0.isLetter || $0.isNumber }
        return looksLikeOne ? String(name) : "unknown"
    }
}
