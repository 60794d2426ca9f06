import NIOSSL
import PurchaseIssuing
import PurchaseModel
import Synchronization

/// The certificates of a TLS server, made for each name when it is asked for the first time.
final class ServerCertificates: Sendable {
    /// What NIOSSL needs of a certificate.
    struct Identity: Sendable {
        var chain: [NIOSSLCertificateSource]
        var key: NIOSSLPrivateKeySource
        var made: Timestamp
    }

    /// How many names are remembered; then it begins anew.
    private static let limit = 256
    /// How many days a certificate is used, which is less than it is good for.
    private static let days: Int64 = 300
    /// The server's own names, for clients that ask for none.
    private static let ownHosts = ["localhost", "127.0.0.1", "::1"]

    private let issuers: StoreIssuers
    private let clock: any WallClock
    private let known = Mutex<[String: Identity]>([:])

    /// Certificates are dated by `clock`, that of clients.
    init(issuers: StoreIssuers, clock: any WallClock = SystemWallClock()) {
        self.issuers = issuers
        self.clock = clock
    }

    /// The certificate for the server's own names.
    var own: Identity {
        get throws { try identity("", Self.ownHosts) }
    }

    /// How many names are remembered.
    var count: Int { known.withLock { $0.count } }

    /// The certificate for the name that a client asks for.
    ///
    /// What is no name gets the server's own certificate, and the client decides.
    func override(for name: String?) throws -> NIOSSLContextConfigurationOverride {
        let identity =
            if let name = name?.lowercased(), let found = try? identity(name, [name]) { found } else { try own }
        var override = NIOSSLContextConfigurationOverride()
        override.certificateChain = identity.chain
        override.privateKey = identity.key
        return override
    }

    private func identity(_ name: String, _ hosts: [String]) throws -> Identity {
        let now = clock.now
        if let found = known.withLock({ $0[name] }), now < found.made.adding(days: Self.days) { return found }
        let made = try issuers.authority.tlsIdentity(for: hosts, now: now)
        let identity = Identity(
            chain: try NIOSSLCertificate.fromPEMBytes(Array(made.certificateChainPEM.utf8)).map { .certificate($0) },
            key: .privateKey(try NIOSSLPrivateKey(bytes: Array(made.privateKeyPEM.utf8), format: .pem)),
            made: now
        )
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[name] = identity
        }
        return identity
    }
}
