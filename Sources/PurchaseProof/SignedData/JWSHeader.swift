/// The header of a JWS, as far as it matters here.
struct JWSHeader: Decodable {
    /// The signature algorithm that it names.
    let algorithm: String
    /// Leaf, intermediate and root, each in base64.
    let certificates: [String]
    /// The first member that tries to bring or fetch another key, or that must not be ignored.
    let refusedMember: String?

    private enum CodingKeys: String, CodingKey {
        case alg
        case x5c
        case jwk
        case jku
        case x5u
        case crit
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let refused: [CodingKeys] = [.jwk, .jku, .x5u, .crit]
        refusedMember = refused.first { container.contains($0) }?.rawValue
        algorithm = try container.decode(String.self, forKey: .alg)
        // Absent with algorithms that are refused anyway, whose name makes the better error.
        certificates = try container.decodeIfPresent([String].self, forKey: .x5c) ?? []
    }
}
