import CryptoExtras
import Foundation
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing
@testable import PurchaseModel
@testable import PurchaseProof

/// Tests of receipts of single transactions, as in iOS 6 and earlier.
@Suite struct ReceiptTransactionTests {
    private let issuer: TransactionReceiptIssuer
    private let verifier: TransactionReceiptVerifier

    init() throws {
        issuer = try TransactionReceiptIssuer(authority: TestAuthority.shared.authority)
        verifier = TransactionReceiptVerifier(roots: try TestAuthority.shared.roots, bundleID: .test, environments: [.sandbox])
    }

    private func content(_ transaction: TransactionPayload = .sample()) -> TransactionReceiptContent {
        TransactionReceiptContent(transaction: transaction, appVersion: "1.0", device: .test)
    }

    private func receipt() throws -> PurchaseIssuing.TransactionReceipt {
        try issuer.receipt(for: content().purchaseInfo, in: .sandbox)
    }

    /// Returns a validly signed receipt for a property list.
    private func signed(_ list: String) throws -> [UInt8] {
        try issuer.receipt(for: Array(list.utf8), in: .sandbox).encoded
    }

    @Test func `an issued transaction receipt is verified with the same content`() throws {
        var transaction = TransactionPayload.sample(
            id: "2000000000000002", original: "2000000000000001", quantity: 3, expires: .testStart.adding(days: 30))
        transaction.originalPurchaseDate = .testStart.adding(days: -30)
        transaction.webOrderLineItemId = "2000000000000007"
        var content = content(transaction)
        content.itemID = 534_185_042
        let bytes = try issuer.issue(content)
        let receipt = try verifier.verify(bytes)
        let payload = receipt.payload
        #expect(receipt.original == bytes)
        #expect(receipt.claimedEnvironment == .sandbox)
        #expect(payload.bundleID == .test)
        #expect(payload.appVersion == "1.0")
        #expect(payload.productID == "com.example.monkeyshop.credits5")
        #expect(payload.transactionID == "2000000000000002")
        #expect(payload.originalTransactionID == "2000000000000001")
        #expect(payload.quantity == 3)
        #expect(payload.purchaseDate == .testStart)
        #expect(payload.originalPurchaseDate == .testStart.adding(days: -30))
        #expect(payload.expiresDate == .testStart.adding(days: 30))
        #expect(payload.webOrderLineItemID == "2000000000000007")
        #expect(payload.itemID == 534_185_042)
        #expect(payload["unique-identifier"] == "00112233445566778899aabbccddeeff")
        #expect(payload.uniqueVendorIdentifier == "00112233-4455-6677-8899-AABBCCDDEEFF")
        #expect(payload["purchase-date"] == "2025-01-31 12:34:56 Etc/GMT")
        #expect(payload["purchase-date-pst"] == "2025-01-31 04:34:56 America/Los_Angeles")
        #expect(payload["original-purchase-date"] == "2025-01-01 12:34:56 Etc/GMT")
        #expect(payload["original-purchase-date-pst"] == "2025-01-01 04:34:56 America/Los_Angeles")
        #expect(payload["expires-date-formatted"] == "2025-03-02 12:34:56 Etc/GMT")
        #expect(payload["expires-date-formatted-pst"] == "2025-03-02 04:34:56 America/Los_Angeles")
    }

    @Test func `newer members are read, unknown members are kept, and a date may be text only`() throws {
        let payload = try verifier.verify(
            signed(
                """
                { bid = "com.example.monkeyshop"; "product-id" = p; "transaction-id" = "1"; "purchase-date" = "2012-07-12 12:54:35 Etc/GMT";
                "app-item-id" = "450542233"; "version-external-identifier" = 9051236; "is-trial-period" = "false";
                "is-in-intro-offer-period" = "true"; "in-app-ownership-type" = "FAMILY_SHARED"; "cancellation-date-ms" = "5";
                "later" = "a \\"b\\" \\\\ \\U00e9 \\n"; }
                """)
        ).payload
        #expect(payload.purchaseDate.milliseconds == 1_342_097_675_000)
        #expect(payload.originalPurchaseDate == payload.purchaseDate)
        #expect(payload.originalTransactionID == "1")
        #expect(payload.quantity == 1)
        #expect(payload.appAppleID == 450_542_233)
        #expect(payload.versionExternalID == 9_051_236)
        #expect(payload.isTrialPeriod == false)
        #expect(payload.isInIntroOfferPeriod == true)
        #expect(payload.ownershipType == "FAMILY_SHARED")
        #expect(payload.cancellationDate == Timestamp(milliseconds: 5))
        #expect(payload.expiresDate == nil)
        #expect(payload["later"] == "a \"b\" \\ é \n")
        #expect(payload.entries.count == 11)
    }

    @Test(arguments: ["bid", "product-id", "transaction-id", "purchase-date"])
    func `a receipt without a required member is refused`(missing: String) throws {
        let members = ["bid = b", "\"product-id\" = p", "\"transaction-id\" = 1", "\"purchase-date-ms\" = 5"].filter {
            !$0.contains(missing)
        }
        #expect(throws: VerificationFailure.refused(.malformed, at: "purchase-info.\(missing)")) {
            try verifier.verify(signed("{\(members.joined(separator: ";"))}"))
        }
    }

    @Test(arguments: [
        ("quantity", "0"), ("quantity", "-1"), ("quantity", "1.5"), ("expires-date", "soon"), ("item-id", "99999999999999999999"),
        ("original-purchase-date", "\"2012-07-12 12:54:35 America/Los_Angeles\""), ("is-trial-period", "maybe"),
    ])
    func `an invalid member is refused at its place`(name: String, value: String) throws {
        let list = "{bid=b;\"product-id\"=p;\"transaction-id\"=1;\"purchase-date-ms\"=5;\"\(name)\"=\(value);}"
        #expect(throws: VerificationFailure.refused(.malformed, at: "purchase-info.\(name)")) { try verifier.verify(signed(list)) }
    }

    @Test(arguments: [
        "", "{", "}", "{}x", "{a}", "{a=}", "{a=b", "{a=b;;}", "{a=b;a=c;}", "{\"a=b;}", "{a=\"b;}", "{a=\"\\x\";}", "{a=\"\\U12\";}",
        "{a=\"\\Ud800\";}", "{a=(b);}", "{a={b=c;};}", "(a)", "a=b;", "{a=\"\u{0}", "{a=b c;}",
    ])
    func `text that is not a property list of strings is refused`(text: String) {
        #expect(throws: ParseError.self) { try PropertyListReader.read(Array(text.utf8)) }
    }

    @Test func `a list has up to 256 members, and a receipt up to 64 KiB`() throws {
        let members = (0...256).map { "a\($0)=b;" }
        #expect(try PropertyListReader.read(Array("{\(members.dropLast().joined())}".utf8)).count == 256)
        #expect(throws: ParseError.self) { try PropertyListReader.read(Array("{\(members.joined())}".utf8)) }
        #expect(throws: VerificationFailure.refused(.tooLarge(limit: 65_536), at: "size")) {
            try verifier.verify([UInt8](repeating: 0x20, count: 65_537))
        }
    }

    static let changes: [(Refusal.Reason, String, @Sendable (inout PurchaseIssuing.TransactionReceipt) -> Void)] = [
        (
            .signature, "signature",
            { $0.purchaseInfo = Array(String(decoding: $0.purchaseInfo, as: UTF8.self).replacing("credits5", with: "credits9").utf8) }
        ),
        (.signature, "signature", { $0.signature[0] ^= 1 }),
        (.malformed, "signature.version", { $0.version = 1 }),
        (.malformed, "signature.version", { $0.version = 5 }),
        (.malformed, "signature.certificate", { $0.version = 3 }),
        (.malformed, "signature.certificate", { $0.statedCertificateLength = 1 }),
        (.malformed, "signature.certificate", { $0.tail = [0] }),
        (
            .malformed, "signature",
            {
                $0.certificate = []
                $0.signature = []
            }
        ),
        (.untrustedRoot, "signature.certificate", { $0.environment = nil }),
        (.untrustedRoot, "signature.certificate", { $0.environment = "Xcode" }),
    ]

    @Test(arguments: changes.indices)
    func `a changed receipt is refused at the place that differs`(index: Int) throws {
        let (reason, place, change) = Self.changes[index]
        var receipt = try receipt()
        change(&receipt)
        #expect(throws: VerificationFailure.refused(reason, at: place)) { try verifier.verify(receipt.encoded) }
    }

    @Test func `a receipt of another root, app or environment is refused`() throws {
        let stranger = try TransactionReceiptIssuer(authority: TestAuthority.other.authority).issue(content())
        #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "signature.certificate")) { try verifier.verify(stranger) }
        let bytes = try receipt().encoded
        let roots = try TestAuthority.shared.roots
        #expect(throws: VerificationFailure.refused(.foreignBundle(.test), at: "purchase-info.bid")) {
            try TransactionReceiptVerifier(roots: roots, bundleID: "com.example.other", environments: [.sandbox]).verify(bytes)
        }
        #expect(throws: VerificationFailure.refused(.foreignEnvironment("Sandbox"), at: "receipt.environment")) {
            try TransactionReceiptVerifier(roots: roots, bundleID: .test, environments: [.production]).verify(bytes)
        }
    }

    @Test func `the certificates are verified at the purchase date, or at the beginning of the signer's validity`() throws {
        let start = Timestamp.testStart.adding(days: -365)
        _ = try verifier.verify(issuer.issue(content(.sample(date: start.adding(days: -1000)))))
        let (_, explanation) = verifier.explain(try issuer.issue(content(.sample(date: start.adding(days: -1000)))))
        #expect(explanation.steps[1].observed.hasSuffix("verified at \(start)"))
        let end = start.adding(days: 20 * 365)
        _ = try verifier.verify(issuer.issue(content(.sample(date: end))))
        #expect(throws: VerificationFailure.refused(.validity, at: "signature.certificate")) {
            try verifier.verify(issuer.issue(content(.sample(date: end.adding(seconds: 1)))))
        }
    }

    @Test func `each signature version requires its marker`() throws {
        let keys = try AuthorityKeys()
        let authority = try CertificateAuthority(name: "Tests", now: .testStart, keys: keys, defects: [])
        let builder = CertificateBuilder(purpose: "Receipt", owner: "Tests", now: .testStart, algorithm: .sha256WithRSAEncryption)
        let roots = try TrustedRoots.apple(and: authority.rootsPEM, in: [.sandbox])
        let verifier = TransactionReceiptVerifier(roots: roots, bundleID: .test, environments: [.sandbox])
        for (version, digest, marker, isGood) in [
            (3, ReceiptDigest.sha1, Marker.leaf, true), (4, .sha256, Marker.leaf, true), (4, .sha1, Marker.leaf, false),
            (4, .sha256, [1, 2, 840, 113635, 100, 6, 5, 1], false), (4, .sha256, Marker.intermediate, false),
        ] as [(UInt8, ReceiptDigest, ASN1ObjectIdentifier, Bool)] {
            let certificate = try builder.certificate(
                for: .init(keys.receiptLeaf.publicKey), named: builder.name("Transactions"), by: authority.receiptChain.root.subject,
                key: .init(keys.receiptRoot)
            ) {
                Critical(KeyUsage(digitalSignature: true))
                CertificateBuilder.marker(marker)
            }.derBytes
            let list = content().purchaseInfo
            let receipt = PurchaseIssuing.TransactionReceipt(
                purchaseInfo: list, version: version, signature: try digest.signature(of: [version] + list, by: keys.receiptLeaf),
                certificate: certificate, environment: "Sandbox"
            )
            #expect(((try? verifier.verify(receipt.encoded)) != nil) == isGood, "version \(version) with \(digest) and \(marker)")
        }
    }

    @Test func `a signer that names an authority as issuer without its signature is refused`() throws {
        let keys = try AuthorityKeys()
        let builder = CertificateBuilder(purpose: "Receipt", owner: "Tests", now: .testStart, algorithm: .sha256WithRSAEncryption)
        let root = TestAuthority.shared.authority.receiptChain.root
        var receipt = try receipt()
        receipt.certificate = try builder.certificate(
            for: .init(keys.transactionReceiptLeaf.publicKey), named: builder.name("Transactions"), by: root.subject,
            key: .init(keys.receiptRoot)
        ) {
            CertificateBuilder.marker([1, 2, 840, 113635, 100, 6, 5, 1])
        }.derBytes
        receipt.signature = try ReceiptDigest.sha1.signature(of: [2] + receipt.purchaseInfo, by: keys.transactionReceiptLeaf)
        #expect(throws: VerificationFailure.refused(.chain, at: "signature.certificate")) { try verifier.verify(receipt.encoded) }
    }

    @Test(arguments: [
        (AppleIntermediates.iTunesStore, "447AD65484610F20FDC33804C8597A1E208FBE4EF9C5653485CC7D3DF730C016"),
        (AppleIntermediates.wwdr2008, "64B302913F11CA1B6806093B76CADE7F7B123BE0C04924FDA87F5F4E8647F051"),
        (AppleIntermediates.wwdr2013, "CE057691D730F89CA25E916F7335F4C8A15713DCD273A658C024023F8EB809C2"),
        (AppleIntermediates.wwdrG7, "0F570D750237 3A2102E2106FAAA8FA4844944A07EE676198484F4D6CE15BEA47"),
        (AppleIntermediates.wwdrG5, "53FD008278E5A595FE1E908AE9C5E5675F26243264A5A6438C023E3CE2870760"),
    ])
    func `Apple's intermediates have the published fingerprints`(base64: String, fingerprint: String) {
        let found = RootFingerprint(of: AppleIntermediates.der(base64)).description.replacing(":", with: "")
        #expect(found == fingerprint.replacing(" ", with: ""))
        #expect(AppleIntermediates.all.count == 5)
    }

    @Test func `every truncation is refused, and a changed byte is refused or leaves the payload unchanged`() throws {
        let bytes = try receipt().encoded
        let expected = try verifier.verify(bytes)
        for count in bytes.indices {
            #expect(throws: VerificationFailure.self, "\(count) bytes") { try verifier.verify(Array(bytes[..<count])) }
        }
        var random = SeededRandom(seed: 5)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            guard let receipt = try? verifier.verify(changed) else { continue }
            #expect(receipt.payload == expected.payload, "byte \(place) became \(changed[place])")
        }
    }
}
