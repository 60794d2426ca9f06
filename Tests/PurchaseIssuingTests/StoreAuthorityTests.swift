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

/// An authority whose one root vouches for all that a store signs.
@Suite struct StoreAuthorityTests {
    private let authority: CertificateAuthority
    private let other: CertificateAuthority

    init() throws {
        authority = try TestStores.authority()
        other = try TestStores.authority()
    }

    private func judge(
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

    @Test func `its one root vouches for signed data, receipts and transaction receipts`() async throws {
        #expect(try PEMDocument.parseMultiple(pemString: authority.rootsPEM).count == 1)
        let reasons = try await judge(authority, under: authority)
        #expect(reasons.signedData == nil && reasons.receipt == nil && reasons.transactionReceipt == nil)
    }

    @Test func `the root of another store of the same name and the same RSA keys vouches for nothing`() async throws {
        #expect(other.receiptChain.root.subject == authority.receiptChain.root.subject)
        #expect(other.receiptChain.leaf.publicKey == authority.receiptChain.leaf.publicKey)
        let reasons = try await judge(authority, under: other)
        #expect(reasons.signedData == .untrustedRoot && reasons.receipt == .untrustedRoot)
        #expect(reasons.transactionReceipt != nil)
    }

    @Test func `openssl accepts a receipt under the one root, and not under another store's`() throws {
        let openssl = try OpenSSL()
        try openssl.write(ReceiptIssuer(authority: authority).issue(.sample()), to: "receipt")
        for (root, isGood) in [(authority, true), (other, false)] {
            try openssl.write(Array(root.rootsPEM.utf8), to: "root.pem")
            let outcome = try openssl.run(
                "cms", "-verify", "-binary", "-inform", "DER", "-in", "receipt", "-CAfile", "root.pem", "-attime",
                "\(Timestamp.testStart.milliseconds / 1000)", "-purpose", "any", "-out", "payload"
            )
            #expect(outcome.isSuccess == isGood, "\(outcome.text)")
        }
    }

    @Test func `openssl finds that the root certified the signer of transaction receipts`() throws {
        let openssl = try OpenSSL()
        let certificate = try #require(authority.transactionReceipts?.certificate)
        try openssl.write(certificate, to: "certificate.der")
        try openssl.write(Array(authority.rootsPEM.utf8), to: "root.pem")
        #expect(try openssl.run("x509", "-inform", "DER", "-in", "certificate.der", "-out", "certificate.pem").isSuccess)
        #expect(try openssl.run("verify", "-auth_level", "0", "-CAfile", "root.pem", "certificate.pem").isSuccess)
    }

    @Test func `certificates have the kinds, the markers, the store's name and numbers of their own`() throws {
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

    @Test func `it goes on from its archive, which says what it is`() async throws {
        let archive = try authority.archive
        #expect(archive.contains("tillroll authority of one root, 1"))
        let revived = try CertificateAuthority(archive: archive)
        #expect(try revived.archive == archive)
        #expect(revived.rootsPEM == authority.rootsPEM)
        let reasons = try await judge(revived, under: authority)
        #expect(reasons.signedData == nil && reasons.receipt == nil && reasons.transactionReceipt == nil)
        _ = try revived.tlsIdentity(for: ["localhost"], now: .testStart)
        _ = try SignedDataIssuer(authority: revived, fault: .wrongRoot, now: .testStart)
        _ = try OCSPResponder(authority: revived)
    }

    @Test func `an archive that is damaged, of another form or of mixed parts is refused`() throws {
        let archive = try authority.archive
        let mixed = try JSONDecoder().decode([String: AnyPart].self, from: Data(archive.utf8))
        let others = try JSONDecoder().decode([String: AnyPart].self, from: Data(other.archive.utf8))
        for name in ["root", "signedDataIntermediate", "signedDataLeaf"] {
            var parts = mixed
            guard case .part(var part) = parts[name], case .part(let stranger) = others[name] else { throw IssuingError.noKey }
            part["key"] = stranger["key"]
            parts[name] = .part(part)
            let text = try String(decoding: JSONEncoder().encode(parts), as: UTF8.self)
            #expect(throws: IssuingError.notAnArchive) { try CertificateAuthority(archive: text) }
        }
        for text in ["{}", String(archive.dropLast(9)), archive.replacing("one root, 1", with: "one root, 2"), archive + archive] {
            #expect(throws: IssuingError.notAnArchive) { try CertificateAuthority(archive: text) }
        }
    }

    @Test func `at another address it has the same root, and certificates that say so`() async throws {
        let moved = try authority.asking(at: "http://127.0.0.1:9/ocsp")
        #expect(moved.rootsPEM == authority.rootsPEM)
        let access = try #require(try moved.signedDataChain.leaf.extensions.authorityInformationAccess)
        #expect(access.map(\.location) == [.uniformResourceIdentifier("http://127.0.0.1:9/ocsp")])
        let reasons = try await judge(moved, under: authority)
        #expect(reasons.signedData == nil && reasons.receipt == nil && reasons.transactionReceipt == nil)
        #expect(throws: IssuingError.noKey) { try TestAuthority.shared.authority.asking(at: nil) }
    }

    @Test func `stores of a process share RSA keys, which are made once`() throws {
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
