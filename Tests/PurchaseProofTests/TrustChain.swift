import Crypto
import Foundation
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import X509

@testable import PurchaseIssuing
@testable import PurchaseProof

/// The certificates of signed data, for tests of trust.
struct TrustChain {
    /// The chain of an authority.
    enum Kind: CaseIterable {
        case receipts
        case signedData
    }

    /// Leaf, intermediate and root as DER.
    var encoded: [[UInt8]]
    /// The trusted roots.
    let roots: TrustedRoots

    init(_ kind: Kind, of authority: CertificateAuthority, in environments: Set<AppEnvironment> = [.sandbox]) throws {
        let chain =
            switch kind {
            case .receipts: authority.receiptChain
            case .signedData: authority.signedDataChain
            }
        encoded = try chain.certificates.map { try $0.derBytes }
        roots = try .apple(and: authority.rootsPEM, in: environments)
    }

    init(_ kind: Kind, with defects: AuthorityDefects = [], in environments: Set<AppEnvironment> = [.sandbox]) throws {
        try self.init(kind, of: TestAuthority.shared.defective(defects).authority, in: environments)
    }

    /// Returns `count` chains of P-256 keys with different leaves and the same intermediate and root.
    static func leaves(_ count: Int) throws -> (chains: [[[UInt8]]], roots: TrustedRoots) {
        let builder = CertificateBuilder(purpose: "Many", owner: "Tests", now: .testStart, algorithm: .ecdsaWithSHA256)
        let issuer = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let first = try SigningChain(
            builder, keys: (.init(P256.Signing.PrivateKey()), issuer, .init(P256.Signing.PrivateKey().publicKey)),
            unknownIssuer: { .init(P256.Signing.PrivateKey()) }, ocspURL: nil, defects: []
        )
        let chains = try (0..<count).map { number in
            let leaf = try builder.certificate(
                for: .init(P256.Signing.PrivateKey().publicKey), named: builder.name("Leaf \(number)"), by: first.intermediate.subject,
                key: issuer
            ) {
                Critical(KeyUsage(digitalSignature: true))
                CertificateBuilder.marker(Marker.leaf)
            }
            return try [leaf.derBytes, first.intermediate.derBytes, first.root.derBytes]
        }
        return (chains, try .apple(and: first.root.serializeAsPEM().pemString, in: [.sandbox]))
    }

    /// Verifies the chain.
    func verify(
        by roots: TrustedRoots? = nil, in environment: AppEnvironment = .sandbox, at time: Timestamp = .testStart, trace: Trace? = nil
    ) async throws(VerificationFailure) -> VerifiedChain {
        try await (roots ?? self.roots).verifyChain(
            encoded[0], through: Array(encoded.dropFirst()), in: environment, at: time, place: "x", trace: trace
        )
    }

    /// Returns the chain from the verified-chain cache, or nil if it is not cached.
    func cached(
        by roots: TrustedRoots? = nil, in environment: AppEnvironment = .sandbox, at time: Timestamp = .testStart
    ) -> VerifiedChain? {
        (roots ?? self.roots).cachedChain(in: environment, at: time) { $0.encoded == encoded }
    }
}

extension TrustedRoots {
    /// Verifies a chain for data that states its environment.
    func verifyChain(
        _ signer: [UInt8], through others: [[UInt8]], in environment: AppEnvironment, at time: Timestamp, place: String, trace: Trace?
    ) async throws(VerificationFailure) -> VerifiedChain {
        try await verifyChain(signer, through: others, in: .known(environment), at: time, place: place, trace: trace)
    }

    /// Returns a cached chain for data that states its environment.
    func cachedChain(in environment: AppEnvironment, at time: Timestamp, where matches: (VerifiedChain) -> Bool) -> VerifiedChain? {
        cachedChain(in: .known(environment), at: time, where: matches)
    }
}

extension Certificate {
    /// The certificate in DER.
    var derBytes: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(self)
            return serializer.serializedBytes
        }
    }
}
