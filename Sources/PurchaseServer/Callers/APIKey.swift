import Crypto
public import Foundation
public import PurchaseModel
import PurchaseProof

/// An operation that an API key permits.
public enum APIKeyScope: String, Codable, Hashable, Sendable, CaseIterable {
    /// Submit proofs of purchase, create anonymous customers, and read the catalog and the verification keys.
    case submitPurchases = "purchases:submit"
    /// Read a customer's entitlements, balances and statement.
    case readCustomers = "customers:read"
    /// Debit a customer's balance.
    case debit = "customers:debit"
    /// Grant credits and entitlements to a customer, and revoke granted entitlements.
    case grant = "customers:grant"
    /// Sign promotional offers and the eligibility for introductory offers.
    case signOffers = "offers:sign"
    /// Create customers with identifiers of the backend, sign them in, issue customer tokens, and delete customers.
    case manageCustomers = "customers:manage"
    /// Change the catalog and the API keys.
    case administer = "server:administer"
}

/// The kind of an API key, which the prefix of the key states.
public enum APIKeyKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A key that is part of an app, and therefore not a secret. Requests about a customer require a customer token in addition to the key.
    case publishable
    /// A key of a backend, which can act for every customer of its app.
    case secret
    /// A key of an operator, which has every scope.
    case admin

    /// The first characters of keys of this kind.
    public var prefix: String {
        switch self {
        case .publishable: "pk_"
        case .secret: "sk_"
        case .admin: "ak_"
        }
    }

    /// The scopes that keys of this kind can have.
    public var permittedScopes: Set<APIKeyScope> {
        switch self {
        case .publishable: [.submitPurchases, .readCustomers, .debit, .signOffers]
        case .secret: [.submitPurchases, .readCustomers, .debit, .grant, .signOffers, .manageCustomers]
        case .admin: Set(APIKeyScope.allCases)
        }
    }

    /// The scopes of a key that was created without a list of scopes.
    ///
    /// A publishable key needs explicitly listed scopes for debits and for signed offers: a debit usually pays for a backend's delivery,
    /// and a signed offer grants a discount.
    public var defaultScopes: Set<APIKeyScope> {
        self == .publishable ? [.submitPurchases, .readCustomers] : permittedScopes
    }
}

/// A random bearer secret, such as an API key or a customer token, and the digest by which the server finds it.
///
/// The server stores the digest only, so a copy of the database contains no usable secret.
struct BearerSecret: Hashable, Sendable {
    /// The maximum length of the text in bytes.
    private static let limit = 100

    /// The complete text, such as `sk_…`.
    let text: String

    /// The SHA-256 of the text.
    ///
    /// A slow password hash would add no protection, because the secret has 256 random bits.
    var digest: Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// Creates a new secret with 256 random bits.
    init(prefix: String) {
        let random = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        text = prefix + Base64URL.encode(random)
    }

    /// Reads a secret from a header; nil for an empty text, a text of more than 100 bytes, or a text with invalid characters.
    init?(_ text: String) {
        guard (1...Self.limit).contains(text.utf8.count), IdentifierText.isValid(text) else { return nil }
        self.text = text
    }
}

extension BearerSecret: CustomStringConvertible, CustomReflectable {
    /// A fixed text, so that the secret appears in no log.
    var description: String { "a bearer secret" }

    /// No children, so that the secret appears in no dump.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// A stored API key, without its secret.
public struct APIKeyRecord: Hashable, Sendable {
    /// The identifier by which commands and logs name the key, such as `key_4f1c9a2b8d03`.
    public let id: String
    /// The SHA-256 of the key.
    public let digest: Data
    /// The kind of the key.
    public let kind: APIKeyKind
    /// The operations that the key permits.
    public let scopes: Set<APIKeyScope>
    /// The name that the operator gave the key; empty for none.
    public let name: String
    /// The date when the key was created.
    public let createdAt: Timestamp
    /// The date when the key was revoked; nil for a valid key.
    public var revokedAt: Timestamp?

    /// Creates a record.
    public init(
        id: String, digest: Data, kind: APIKeyKind, scopes: Set<APIKeyScope>, name: String, createdAt: Timestamp,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.digest = digest
        self.kind = kind
        self.scopes = scopes
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}
