import CryptoExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension Workshop {
    /// Receipts whose signature is not one of their content by their signer.
    func receiptSignatures() throws -> [Forgery] {
        let refused = Forgery.Expectation.refused(.signature, at: "SignerInfo.signature")
        return [
            try .receipt(
                "changed-product", refused, what: "A product identifier was replaced by another of the same length after signing.",
                why: "Credits for a dollar become the dearest ones, where only the chain is checked."
            ) { try receipt().replacing("credits5", with: "credits9") },
            try .receipt(
                "changed-bundle", refused, what: "The bundle identifier was replaced by ours after signing; the receipt was another app's.",
                why: "A receipt of a free app of the attacker's own becomes one of ours."
            ) {
                var content = Self.content
                content.bundleID = "com.example.monkeyshoq"
                return try receipt(saying: content).replacing("monkeyshoq", with: "monkeyshop")
            },
            try .receipt(
                "changed-signature", refused, what: "One bit of the signature is wrong.",
                why: "The simplest test of whether the signature is checked at all."
            ) { try receipt { $0.signers[0].signature[100] ^= 1 } },
            try .receipt(
                "truncated-signature", refused, what: "The signature has 255 bytes instead of 256.",
                why: "Code that compares as many bytes as came accepts short ones, in the end none."
            ) { try receipt { $0.signers[0].signature.removeLast() } },
            try .receipt(
                "long-signature", refused, what: "A zero byte stands before the signature, which is the same number.",
                why: "One signature must have one spelling, or the same receipt passes as two."
            ) { try receipt { $0.signers[0].signature.insert(0, at: 0) } },
            try .receipt(
                "empty-signature", refused, what: "The signature has no bytes.",
                why: "An empty signature has passed for a missing one, and a missing one for none to check."
            ) { try receipt { $0.signers[0].signature = [] } },
            try .receipt(
                "swapped-content", refused, what: "The content is that of another genuine receipt, with a purchase more.",
                why: "Both halves are genuine; only together they are not."
            ) {
                let other = try ReceiptIssuer(authority: store).payload(of: Self.longerContent)
                return try receipt { $0.payload = other }
            },
            try .receipt(
                "added-purchase", refused, what: "A purchase was added to the content and all lengths were put right.",
                why: "What every receipt editor does first."
            ) {
                var attributes = try Self.content.attributes(random: .system)
                var container = try container(EncodedAttribute.encode(attributes))
                attributes.append(try EncodedAttribute(.purchase, set: Self.longerContent.purchases[1].attributes))
                container.payload = try EncodedAttribute.encode(attributes)
                return try container.encoded
            },
            try .receipt(
                "other-key", refused, what: "Another key signed than the one of the genuine leaf that it comes with.",
                why: "Anybody can copy the three certificates out of a genuine receipt."
            ) { try receipt { $0.signers[0].signature = try signature(of: $0.payload ?? [], by: strangersKeys.receiptLeaf) } },
            try .receipt(
                "signed-by-intermediate", .refused(.chain, at: "SignedData.certificates[0]"),
                what: "The signer is said to be the intermediate, and its key signed.",
                why: "Whoever may certify signers may not sign purchases by itself: the roles are kept apart by markers."
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
                what: "In place of the leaf lies a copy with the same names and number, for the attacker's key and signed by it.",
                why: "A reader that finds the signer by name and number and believes what it found accepts it."
            ) {
                try receipt { container in
                    container.certificates?[0] = try mimickedLeaf()
                    container.signers[0].signature = try signature(of: container.payload ?? [], by: strangersKeys.receiptLeaf)
                }
            },
            try .receipt(
                "two-leaves-of-one-number", .refused(.malformed, at: "SignerInfo.issuerAndSerialNumber"),
                what: "The genuine leaf and the attacker's copy of it are both there; the attacker's key signed.",
                why: "The chain is checked with one of them and the signature with the other."
            ) {
                try receipt { container in
                    container.certificates?.insert(try mimickedLeaf(), at: 1)
                    container.signers[0].signature = try signature(of: container.payload ?? [], by: strangersKeys.receiptLeaf)
                }
            },
        ]
    }

    /// A certificate with names and number of the store's leaf, for a stranger's key and signed by it.
    func mimickedLeaf() throws -> [UInt8] {
        let key = Certificate.PrivateKey(strangersKeys.receiptLeaf)
        return try certificate(like: receiptChain(store)[0], for: key.publicKey, key: key)
    }
}
