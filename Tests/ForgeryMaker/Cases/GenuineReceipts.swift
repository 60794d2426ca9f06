import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension ForgeryFactory {
    /// Receipts that must be believed: a verifier that refuses them locks out paying customers.
    func genuineReceipts() throws -> [Forgery] {
        [
            try .receipt(
                "genuine", .verified, what: "A genuine sandbox receipt with two purchases, in DER, signed with SHA-256.",
                why: "A verifier that refuses everything would pass every other case."
            ) { try receipt(saying: Self.longerContent) },
            try .receipt(
                "genuine-sha1", .verified, what: "The chain and the content are signed with SHA-1, like all receipts until 2023.",
                why: "Devices that were never updated still have such receipts of paid purchases."
            ) { try receipt(by: defective([], generation: .sha1)) },
            try .receipt(
                "genuine-empty", .verified, what: "The receipt lists no purchases.",
                why: "Every download of the app has such a receipt. It proves the download and that there were no purchases."
            ) {
                var content = Self.content
                content.purchases = []
                return try receipt(saying: content)
            },
            try .receipt(
                "genuine-leaf-expired-since", .verified,
                what: "The signer's certificate has expired, but it was valid on the receipt's creation date.",
                why: "When a leaf expired on 2015-11-11, apps that verified it at the current date reported every copy as damaged."
            ) {
                var content = Self.content
                content.creationDate = Self.now.adding(days: -10)
                let authority = try defective(.expiredLeaf)
                return try receipt(payload: ReceiptIssuer(authority: authority).payload(of: content), by: authority)
            },
            try .receipt(
                "genuine-leaf-last", .verified, what: "The certificates have the order root, intermediate, leaf.",
                why: "CMS certificates are a set. Code that takes the first one as the signer's fails or verifies the wrong one."
            ) { try receipt { $0.certificates?.reverse() } },
            try .receipt(
                "genuine-without-root", .verified, what: "The receipt omits the root, which the verifier has.",
                why: "The root in a receipt proves nothing. Trust comes from the verifier's copy of the root."
            ) { try receipt { $0.certificates?.removeLast() } },
            try .receipt(
                "genuine-stranger-among-certificates", .verified, what: "A foreign root accompanies the chain as a fourth certificate.",
                why: "Additional certificates are allowed. They must not be trusted, and must not prevent finding the chain."
            ) { try receipt { $0.certificates?.append(contentsOf: try receiptChain(stranger).suffix(1)) } },
            try .receipt(
                "genuine-decoy-intermediate", .verified,
                what: "A foreign intermediate with the same name and another key precedes the genuine one.",
                why: "A search that compares names only and stops at the first invalid link refuses a genuine receipt."
            ) { try receipt { $0.certificates?.insert(try receiptChain(impostor)[1], at: 1) } },
            try .receipt(
                "genuine-ber", .verified,
                what:
                    "The container is in BER: lengths are indefinite and the content has chunks of 100 bytes. The signed content is the same.",
                why: "Xcode's receipts are in BER. A parser for DER only refuses them or reads past their end."
            ) {
                try rawReceipt(layer: BER.indefinite) { container in
                    let payload = try ReceiptIssuer(authority: store).payload(of: Self.content)
                    container = try RawContainer(self.container(payload))
                    let chunks = stride(from: 0, to: payload.count, by: 100).flatMap { start in
                        BER.element(0x04, Array(payload[start..<min(start + 100, payload.count)]))
                    }
                    container.string = BER.indefinite(0x24, chunks)
                }
            },
            try .receipt(
                "genuine-padded-lengths", .verified, what: "The lengths of the outer elements have four bytes where two are sufficient.",
                why: "BER allows longer lengths, and they change no signed byte. A parser must not misread the zeros."
            ) { try rawReceipt(layer: BER.padded) { _ in } },
            try .receipt(
                "genuine-unsorted", .verified, what: "The attributes are unsorted, so the signed set is not DER.",
                why: "Xcode does not sort attributes, and the signature covers the octets as they are."
            ) {
                let attributes = try Self.content.attributes(random: .system)
                return try container(EncodedAttribute.encodeUnsorted(attributes.reversed())).encoded
            },
            try .receipt(
                "genuine-unknown-attribute", .verified, what: "The receipt has an attribute of the unknown type 9999.",
                why: "Apple adds attributes without notice. A parser that refuses unknown attributes then refuses every receipt."
            ) { try receiptWithAttributes { $0.append(EncodedAttribute(number: 9999, raw: [1, 2, 3])) } },
            try .receipt(
                "genuine-unknown-type", .verified, what: "Attribute 0 has the unknown receipt type TestFlight2030.",
                why: "Refusing an unknown type locks customers out. An unknown type must never count as production either."
            ) { try receiptWithAttributes { $0[0] = try EncodedAttribute(.receiptType, "TestFlight2030") } },
            try .receipt(
                "genuine-same-purchase-twice", .verified, what: "The same purchase is listed twice, with identical bytes.",
                why: "The receipt is genuine. Code that adds up credits must count a transaction identifier once."
            ) {
                var content = Self.content
                content.purchases = [content.purchases[0], content.purchases[0]]
                return try receipt(saying: content)
            },
            try .receipt(
                "genuine-fractional-dates", .verified, what: "A date has fractions of a second and an offset in place of Z.",
                why: "Real receipts have such dates, which a strict date parser refuses."
            ) {
                try receiptWithAttributes { attributes in
                    attributes.set(12, try EncodedAttribute(.creationDate, ascii: "2025-01-31T13:34:56.789+0100").octets)
                }
            },
            try .receipt(
                "genuine-on-this-device", .verified, what: "The hash matches the device of the verification.",
                why: "The counterpart of the two cases with another hash."
            ) { try receipt() }.withVerification { $0.device = DeviceID.test.rawValue },
            try .receipt(
                "genuine-volume-purchase", .verified, what: "A volume purchase that expires in a month.",
                why: "The counterpart of the expired volume purchase."
            ) { try volumePurchase(until: Self.now.adding(days: 30)) }.withVerification { $0.time = Self.now.description },
            try .receipt(
                "genuine-xcode", .verified,
                what: "A receipt of StoreKit testing, with a certificate that is trusted for Xcode's environment.",
                why: "Developers test with these receipts. A verifier that requires three certificates and markers refuses all of them."
            ) { try xcodeReceipt(by: xcode) }.withVerification { ($0.roots, $0.environments) = ([RootName.xcodeReceipts], ["Xcode"]) },
        ]
    }

    /// A receipt of the store's for a payload, with one of its authorities.
    func receipt(payload: [UInt8], by authority: CertificateAuthority) throws -> [UInt8] {
        try container(payload, by: authority).encoded
    }

    /// A receipt of an organization.
    func volumePurchase(until end: Timestamp) throws -> [UInt8] {
        var content = Self.content
        content.volumePurchaser = "Example School"
        content.expirationDate = end
        return try receipt(saying: content)
    }
}
