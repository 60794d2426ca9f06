import NIOSSL
import PurchaseIssuing
import PurchaseModel
import Synchronization

/// The certificates of the host's TLS server, each created when a client first requests its host name.
final class ServerCertificates: Sendable {
    /// A certificate chain and its private key, in NIOSSL's types.
    struct Identity: Sendable {
        var chain: [NIOSSLCertificateSource]
        var key: NIOSSLPrivateKeySource
        var issued: Timestamp
    }

    /// The maximum number of cached certificates; a full cache is emptied.
    private static let limit = 256
    /// The number of days after which a certificate is replaced, which is less than its validity period.
    private static let days: Int64 = 300
    /// The host names in the certificate for clients that send no server name (TLS SNI).
    private static let loopbackHosts = ["localhost", "127.0.0.1", "::1"]

    private let issuers: StoreIssuers
    private let clock: any WallClock
    // reason: the keys are host names in ASCII.
    private let cache = Mutex<[String: Identity]>([:])

    /// Creates an empty cache of certificates.
    ///
    /// - Parameters:
    ///   - issuers: The issuers with the certificate authority that issues the certificates.
    ///   - clock: The clock that dates the certificates. TLS clients check the dates, so the default is the machine's clock, not the
    ///     store's.
    init(issuers: StoreIssuers, clock: any WallClock = SystemWallClock()) {
        self.issuers = issuers
        self.clock = clock
    }

    /// The certificate for `localhost` and the loopback addresses.
    var defaultIdentity: Identity {
        get throws { try identity("", Self.loopbackHosts) }
    }

    /// The number of cached certificates.
    var count: Int { cache.withLock { $0.count } }

    /// Returns the TLS configuration with the certificate for the server name that a client requests (TLS SNI).
    ///
    /// For an invalid name, the certificate is ``defaultIdentity``, and the client decides whether to accept it.
    func override(for name: String?) throws -> NIOSSLContextConfigurationOverride {
        let identity =
            if let name = name?.lowercased(), let found = try? identity(name, [name]) { found } else { try defaultIdentity }
        var override = NIOSSLContextConfigurationOverride()
        override.certificateChain = identity.chain
        override.privateKey = identity.key
        return override
    }

    private func identity(_ name: String, _ hosts: [String]) throws -> Identity {
        let now = clock.now
        if let found = cache.withLock({ $0[name] }), now < found.issued.adding(days: Self.days) { return found }
        let issued = try issuers.authority.tlsIdentity(for: hosts, now: now)
        let identity = Identity(
            chain: try NIOSSLCertificate.fromPEMBytes(Array(issued.certificateChainPEM.utf8)).map { .certificate($0) },
            key: .privateKey(try NIOSSLPrivateKey(bytes: Array(issued.privateKeyPEM.utf8), format: .pem)),
            issued: now
        )
        cache.withLock { cache in
            if cache.count >= Self.limit { cache.removeAll() }
            cache[name] = identity
        }
        return identity
    }
}
