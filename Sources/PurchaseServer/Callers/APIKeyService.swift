import Foundation
import FoundationExtras
import PurchaseModel
public import PurchaseStorage

/// Creates, lists and revokes the API keys of an app.
public struct APIKeyService: Sendable {
    private let app: BundleID
    private let storage: any PurchaseStorage
    private let clock: any WallClock

    init(app: BundleID, storage: any PurchaseStorage, clock: any WallClock) {
        self.app = app
        self.storage = storage
        self.clock = clock
    }

    /// Creates a key, and returns its record and its text, which the server can't show again.
    ///
    /// - Parameters:
    ///   - kind: The kind of the key.
    ///   - scopes: The operations that the key permits; nil for `APIKeyKind.defaultScopes`.
    ///   - name: The name of the key in lists; empty for none.
    /// - Throws: ``APIKeyError/scope(_:_:)`` for a scope that keys of the kind can't have, or `StorageError`.
    public func create(
        _ kind: APIKeyKind, scopes: Set<APIKeyScope>? = nil, name: String = ""
    ) async throws -> (record: APIKeyRecord, text: String) {
        let scopes = scopes ?? kind.defaultScopes
        if let scope = scopes.subtracting(kind.permittedScopes).min(by: { $0.rawValue < $1.rawValue }) {
            throw APIKeyError.scope(scope, kind)
        }
        guard name.utf8.count <= 200, IdentifierText.isValid(name) else { throw APIKeyError.name }
        let secret = BearerSecret(prefix: kind.prefix)
        let id = "key_" + Hexadecimal.encode(secret.digest.prefix(6))
        let record = APIKeyRecord(id: id, digest: secret.digest, kind: kind, scopes: scopes, name: name, createdAt: clock.now)
        try await storage.write(app) { try $0.put(record) }
        return (record, secret.text)
    }

    /// Returns all keys, oldest first.
    public func list() async throws -> [APIKeyRecord] {
        try await storage.read(app) { try $0.apiKeys() }
    }

    /// Revokes a key; each server process refuses the key after at most five seconds.
    ///
    /// - Returns: The revoked key; a repeated call does not change the date of the revocation.
    /// - Throws: ``APIKeyError/unknown(_:)`` for an unknown identifier.
    public func revoke(id: String) async throws -> APIKeyRecord {
        try await storage.write(app) { [clock] records in
            guard var key = try records.apiKeys().first(where: { $0.id == id }) else { throw APIKeyError.unknown(id) }
            if key.revokedAt == nil {
                key.revokedAt = clock.now
                try records.put(key)
            }
            return key
        }
    }
}

/// The reason why a change of the API keys failed.
public enum APIKeyError: Error, Hashable, Sendable {
    /// Keys of the given kind can't have the given scope.
    case scope(APIKeyScope, APIKeyKind)
    /// The name is longer than 200 bytes, or contains a control character.
    case name
    /// The app has no key with the given identifier.
    case unknown(String)
}

extension APIKeyError: CustomStringConvertible {
    /// The reason for the failure, and the correction.
    public var description: String {
        switch self {
        case .scope(let scope, let kind):
            let permitted = kind.permittedScopes.map(\.rawValue).sorted().joined(separator: ", ")
            return "A \(kind.rawValue) key can't have the scope \(scope.rawValue). Permitted scopes: \(permitted)."
        case .name: return "The name of the key is invalid. Use at most 200 bytes without control characters."
        case .unknown(let id): return "There is no key \(id). List the keys with: tillroll-server keys list"
        }
    }
}
