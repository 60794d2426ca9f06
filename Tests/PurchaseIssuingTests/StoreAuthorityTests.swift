import Crypto
import CryptoExtras
import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// Tests of an authority with one root for all data that a store signs.
@Suite struct StoreAuthorityTests {
    private let authority: CertificateAuthority
    private let other: CertificateAuthority

    init() throws {
        authority = try TestStores.authority()
        other = try TestStores.authority()
    }

    private func refusalReasons(
        _ authority: CertificateAuthority, under roots: CertificateAuthority
    ) async throws -> (signedData: Refusal.Reason?, receipt: Refusal.Reason?, transactionReceipt: Refusal.Reason?) {
        let roots = try TestStores.roots(of: roots)
        func reason(_ verify: () async throws(VerificationFailure) -> Void) async -> Refusal.Reason? {
            do {
                try await verify()
                return nil
            } catch {
                guard case .refused(let refusal) = error else { return .malformed }
                return refusal.reason
            }
        }
        let transaction = try SignedDataIssuer(authority: authority).sign(TransactionPayload.sample())
        let receipt = try ReceiptIssuer(authority: authority).issue(.sample())
        let content = TransactionReceiptContent(transaction: .sample(), appVersion: "1.0", device: .test)
        let transactionReceipt = try TransactionReceiptIssuer(authority: authority).issue(content)
        let signedData = SignedDataVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
        let receipts = ReceiptVerifier(roots: roots, BundleCheck(.test), EnvironmentCheck([.sandbox]))
        let transactionReceipts = TransactionReceiptVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
        return (
            await reason { () async throws(VerificationFailure) in _ = try await signedData.verify(transaction) },
            await reason { () async throws(VerificationFailure) in _ = try await receipts.verify(receipt) },
            await reason { () async throws(VerificationFailure) in _ = try transactionReceipts.verify(transactionReceipt) }
        )
    }

    @Test func `one root is trusted for signed data, receipts and transaction receipts`() async throws {
        #expect(try PEMDocument.parseMultiple(pemString: authority.rootsPEM).count == 1)
        let reasons = try await refusalReasons(authority, under: authority)
        #expect(reasons.signedData == nil && reasons.receipt == nil && reasons.transactionReceipt == nil)
    }

    @Test func `the root of another store with the same name and the same RSA keys is not trusted`() async throws {
        #expect(other.receiptChain.root.subject == authority.receiptChain.root.subject)
        #expect(other.receiptChain.leaf.publicKey == authority.receiptChain.leaf.publicKey)
        let reasons = try await refusalReasons(authority, under: other)
        #expect(reasons.signedData == .untrustedRoot && reasons.receipt == .untrustedRoot)
        #expect(reasons.transactionReceipt != nil)
    }

    @Test func `openssl accepts a receipt under the store's root, and not under another store's`() throws {
        let openssl = try OpenSSL()
        try openssl.write(ReceiptIssuer(authority: authority).issue(.sample()), to: "receipt")
        for (root, isValid) in [(authority, true), (other, false)] {
            try openssl.write(Array(root.rootsPEM.utf8), to: "root.pem")
            let outcome = try openssl.run(
                "cms", "-verify", "-binary", "-inform", "DER", "-in", "receipt", "-CAfile", "root.pem", "-attime",
                "\(Timestamp.testStart.milliseconds / 1000)", "-purpose", "any", "-out", "payload"
            )
            #expect(outcome.isSuccess == isValid, "\(outcome.text)")
        }
    }

    @Test func `openssl verifies the signer of transaction receipts under the root`() throws {
        let openssl = try OpenSSL()
        let certificate = try #require(authority.transactionReceipts?.certificate)
        try openssl.write(certificate, to: "certificate.der")
        try openssl.write(Array(authority.rootsPEM.utf8), to: "root.pem")
        #expect(try openssl.run("x509", "-inform", "DER", "-in", "certificate.der", "-out", "certificate.pem").isSuccess)
        #expect(try openssl.run("verify", "-auth_level", "0", "-CAfile", "root.pem", "certificate.pem").isSuccess)
    }

    @Test func `certificates have their key types, markers and the store's name, and unique serial numbers`() throws {
        let store = try TestStores.authority(named: "Store 7")
        let (receipts, data) = (store.receiptChain, store.signedDataChain)
        let certificates = [data.root, data.intermediate, data.leaf, receipts.intermediate, receipts.leaf]
        #expect(receipts.root == data.root)
        #expect(certificates.allSatisfy { $0.subject.description.contains("Store 7") && $0.issuer.description.contains("Store 7") })
        #expect(certificates.allSatisfy { !$0.subject.description.contains("Apple") })
        #expect(Set(certificates.map(\.subject)).count == 5 && Set(certificates.map(\.serialNumber)).count == 5)
        #expect(P384.Signing.PublicKey(data.root.publicKey) != nil && P384.Signing.PublicKey(data.intermediate.publicKey) != nil)
        #expect(P256.Signing.PublicKey(data.leaf.publicKey) != nil)
        for chain in [receipts, data] {
            #expect(chain.leaf.extensions[oid: Marker.leaf] != nil && chain.intermediate.extensions[oid: Marker.intermediate] != nil)
            for certificate in [chain.leaf, chain.intermediate] {
                let access = try #require(try certificate.extensions.authorityInformationAccess)
                #expect(access.map(\.location) == [.uniformResourceIdentifier(TestStores.ocspURL)])
            }
        }
        for certificate in certificates {
            #expect(Timestamp(certificate.notValidBefore) == .testStart.adding(days: -365))
            #expect(Timestamp(certificate.notValidAfter) == .testStart.adding(days: 19 * 365))
        }
    }

    @Test func `an authority is restored from an archive that names its format`() async throws {
        let archive = try authority.archive
        #expect(archive.contains("tillroll authority of one root, 1"))
        let restored = try CertificateAuthority(archive: archive)
        #expect(try restored.archive == archive)
        #expect(restored.rootsPEM == authority.rootsPEM)
        let reasons = try await refusalReasons(restored, under: authority)
        #expect(reasons.signedData == nil && reasons.receipt == nil && reasons.transactionReceipt == nil)
        _ = try restored.tlsIdentity(for: ["localhost"], now: .testStart)
        _ = try SignedDataIssuer(authority: restored, fault: .wrongRoot, now: .testStart)
        _ = try OCSPResponder(authority: restored)
    }

    @Test func `an archive that is damaged, in another format or with mixed parts is refused`() throws {
        let archive = try authority.archive
        let mixed = try JSONDecoder().decode([String: AnyPart].self, from: Data(archive.utf8))
        let others = try JSONDecoder().decode([String: AnyPart].self, from: Data(other.archive.utf8))
        for name in ["root", "signedDataIntermediate", "signedDataLeaf"] {
            var parts = mixed
            guard case .part(var part) = parts[name], case .part(let foreignPart) = others[name] else { throw IssuingError.missingKey }
            part["key"] = foreignPart["key"]
            parts[name] = .part(part)
            let text = try String(decoding: JSONEncoder().encode(parts), as: UTF8.self)
            #expect(throws: IssuingError.invalidArchive) { try CertificateAuthority(archive: text) }
        }
        for text in ["{}", String(archive.dropLast(9)), archive.replacing("one root, 1", with: "one root, 2"), archive + archive] {
            #expect(throws: IssuingError.invalidArchive) { try CertificateAuthority(archive: text) }
        }
    }

    @Test func `a changed OCSP address keeps the root and is in the certificates`() async throws {
        let moved = try authority.replacingOCSPURL(with: "http://127.0.0.1:9/ocsp")
        #expect(moved.rootsPEM == authority.rootsPEM)
        let access = try #require(try moved.signedDataChain.leaf.extensions.authorityInformationAccess)
        #expect(access.map(\.location) == [.uniformResourceIdentifier("http://127.0.0.1:9/ocsp")])
        let reasons = try await refusalReasons(moved, under: authority)
        #expect(reasons.signedData == nil && reasons.receipt == nil && reasons.transactionReceipt == nil)
        #expect(throws: IssuingError.missingKey) { try TestAuthority.shared.authority.replacingOCSPURL(with: nil) }
    }

    @Test func `stores in one process share one set of RSA keys`() throws {
        let (one, two) = try (ReceiptKeys.shared, ReceiptKeys.shared)
        #expect(one.leaf.derRepresentation == two.leaf.derRepresentation)
        #expect(try ReceiptKeys().leaf.derRepresentation != one.leaf.derRepresentation)
    }

    /// A member of an archive.
    private enum AnyPart: Codable {
        case part([String: String])
        case text(String)
        case number(Int64)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let part = try? container.decode([String: String].self) {
                self = .part(part)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .number(try container.decode(Int64.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .part(let part): try container.encode(part)
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }
}
