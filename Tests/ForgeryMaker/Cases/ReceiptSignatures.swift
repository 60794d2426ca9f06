import CryptoExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension ForgeryFactory {
    /// Receipts whose signature is not one of their content by their signer.
    func receiptSignatures() throws -> [Forgery] {
        let refused = Forgery.Expectation.refused(.signature, at: "SignerInfo.signature")
        return [
            try .receipt(
                "changed-product", refused, what: "A product identifier was replaced by another of the same length after signing.",
                why: "A verifier that checks only the chain accepts more credits than were purchased."
            ) { try receipt().replacing("credits5", with: "credits9") },
            try .receipt(
                "changed-bundle", refused, what: "The bundle identifier of another app's receipt was replaced by this app's after signing.",
                why: "Otherwise, a receipt of any free app could become a receipt of this app."
            ) {
                var content = Self.content
                content.bundleID = "com.example.monkeyshoq"
                return try receipt(saying: content).replacing("monkeyshoq", with: "monkeyshop")
            },
            try .receipt(
                "changed-signature", refused, what: "One bit of the signature is wrong.",
                why: "This case shows whether the signature is verified at all."
            ) { try receipt { $0.signers[0].signature[100] ^= 1 } },
            try .receipt(
                "truncated-signature", refused, what: "The signature has 255 bytes instead of 256.",
                why: "Code that compares only the available bytes accepts short signatures, and finally an empty one."
            ) { try receipt { $0.signers[0].signature.removeLast() } },
            try .receipt(
                "long-signature", refused, what: "A zero byte precedes the signature, which leaves its number unchanged.",
                why: "A signature must have one encoding. Otherwise, the same receipt counts as two."
            ) { try receipt { $0.signers[0].signature.insert(0, at: 0) } },
            try .receipt(
                "empty-signature", refused, what: "The signature has no bytes.",
                why: "Some code treats an empty signature as a missing one, and skips verification when it is missing."
            ) { try receipt { $0.signers[0].signature = [] } },
            try .receipt(
                "swapped-content", refused, what: "The content is that of another genuine receipt with an additional purchase.",
                why: "The content and the signature are genuine, but do not belong together."
            ) {
                let other = try ReceiptIssuer(authority: store).payload(of: Self.longerContent)
                return try receipt { $0.payload = other }
            },
            try .receipt(
                "added-purchase", refused, what: "A purchase was added to the content, and all lengths were corrected.",
                why: "This is what a receipt editor does."
            ) {
                var attributes = try Self.content.attributes(random: .system)
                var container = try container(EncodedAttribute.encode(attributes))
                attributes.append(try EncodedAttribute(.purchase, set: Self.longerContent.purchases[1].attributes))
                container.payload = try EncodedAttribute.encode(attributes)
                return try container.encoded
            },
            try .receipt(
                "other-key", refused, what: "The receipt has the genuine leaf, but another key signed it.",
                why: "Anyone can copy the three certificates of a genuine receipt."
            ) { try receipt { $0.signers[0].signature = try signature(of: $0.payload ?? [], by: strangersKeys.receiptLeaf) } },
            try .receipt(
                "signed-by-intermediate", .refused(.chain, at: "SignedData.certificates[0]"),
                what: "The receipt names the intermediate as the signer, and the intermediate's key signed it.",
                why: "An intermediate issues signers, but may not sign purchases. Markers separate the two roles."
            ) {
                try receipt { container in
                    let intermediate = try issuerAndSerial(of: receiptChain(store)[1])
                    container.signers[0].issuer = intermediate.issuer
                    container.signers[0].serialNumber = intermediate.serial
                    container.signers[0].signature = try signature(of: container.payload ?? [], by: keys.receiptIntermediate)
                    // The number of the intermediate that came, which the store's own chain has.
                    container.certificates = try receiptChain(store)
                }
            },
            try .receipt(
                "mimicked-leaf", .refused(.chain, at: "SignedData.certificates[0]"),
                what: "A copy with the same names and serial number replaces the leaf. The copy has the attacker's key, which signed it.",
                why: "A verifier that finds the signer by name and serial number and trusts the result accepts the receipt."
            ) {
                try receipt { container in
                    container.certificates?[0] = try impersonatedLeaf()
                    container.signers[0].signature = try signature(of: container.payload ?? [], by: strangersKeys.receiptLeaf)
                }
            },
            try .receipt(
                "two-leaves-of-one-number", .refused(.malformed, at: "SignerInfo.issuerAndSerialNumber"),
                what: "The receipt has the genuine leaf and the attacker's copy of the leaf. The attacker's key signed the receipt.",
                why: "A verifier could use one of them for the chain and the other for the signature."
            ) {
                try receipt { container in
                    container.certificates?.insert(try impersonatedLeaf(), at: 1)
                    container.signers[0].signature = try signature(of: container.payload ?? [], by: strangersKeys.receiptLeaf)
                }
            },
        ]
    }

    /// A certificate with names and number of the store's leaf, for a stranger's key and signed by it.
    func impersonatedLeaf() throws -> [UInt8] {
        let key = Certificate.PrivateKey(strangersKeys.receiptLeaf)
        return try certificate(like: receiptChain(store)[0], for: key.publicKey, key: key)
    }
}
