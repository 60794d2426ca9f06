import Crypto
import Foundation
import PurchaseModel
import Synchronization

/// The HMAC keys of an app's download tokens: the current key, and the previous key, whose tokens remain valid.
///
/// The keys are one secret in the database, so that all servers with the same database accept the same tokens.
final class DownloadTokenKeys: Sendable {
    /// The name of the keys among the app's secrets.
    static let secretName = "download-token-key"
    private static let keyLength = 32
    /// The number of keys whose tokens the server accepts.
    private static let limit = 2

    private let secrets: SecretService
    /// The issuers with the keys that were read last, the current key first.
    private let known: Mutex<[DownloadTokenIssuer]>

    /// Reads the keys of an app; the first call by any server with the same database creates a key.
    init(_ secrets: SecretService) async throws {
        self.secrets = secrets
        known = Mutex([])
        _ = try await secrets.secret(Self.secretName) { Data(DownloadTokenIssuer.newKey()) }
        _ = try await read()
    }

    /// Returns the issuer with the current key, which another process may have changed.
    func current() async throws -> DownloadTokenIssuer {
        guard let issuer = try await read().first else { throw SecretError.damaged }
        return issuer
    }

    /// Verifies a download token for a product of the app, and returns its claims.
    ///
    /// - Throws: ``ContentRefusal``, as `DownloadTokenIssuer.verify(_:for:at:)` does.
    func verify(_ token: String, for product: ProductID, at now: Timestamp) async throws -> DownloadClaims {
        guard let id = DownloadTokenIssuer.keyID(of: token) else { throw ContentRefusal.tokenRefused }
        var issuer = known.withLock { $0.first { $0.keyID == id } }
        if issuer == nil { issuer = try await read().first { $0.keyID == id } }
        guard let issuer else { throw ContentRefusal.tokenRefused }
        return try issuer.verify(token, for: product, at: now)
    }

    /// Creates a new current key; the tokens of the previous key remain valid.
    func rotate() async throws {
        try await secrets.replace(Self.secretName) { earlier in
            Data(DownloadTokenIssuer.newKey()) + (earlier?.prefix(Self.keyLength * (Self.limit - 1)) ?? Data())
        }
        _ = try await read()
    }

    private func read() async throws -> [DownloadTokenIssuer] {
        let bytes = [UInt8](try await secrets.secret(Self.secretName) ?? Data())
        guard !bytes.isEmpty, bytes.count.isMultiple(of: Self.keyLength) else { throw SecretError.damaged }
        let issuers = stride(from: 0, to: bytes.count, by: Self.keyLength).map { start in
            DownloadTokenIssuer(key: Array(bytes[start..<start + Self.keyLength]))
        }
        known.withLock { $0 = issuers }
        return issuers
    }
}
