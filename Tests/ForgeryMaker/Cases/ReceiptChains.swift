import CryptoExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension ForgeryFactory {
    /// Receipts that are signed by a signer without permission.
    func receiptChains() throws -> [Forgery] {
        let place = "SignedData.certificates"
        return [
            try .receipt(
                "stranger", .refused(.untrustedRoot, at: place), what: "A foreign authority with all markers signed the receipt.",
                why: "Creating such a chain takes a minute. A verifier that trusts the root in the receipt accepts it."
            ) { try receipt(by: stranger, ownRoot: true) },
            try .receipt(
                "own-root-same-names", .refused(.untrustedRoot, at: place),
                what: "The three certificates of a foreign chain have the store's names.",
                why: "A verifier that compares the name of the root instead of the key accepts the chain."
            ) { try receipt(by: impostor, ownRoot: true) },
            try .receipt(
                "genuine-root-pasted", .refused(.chain, at: "\(place)[1]"),
                what: "A foreign leaf and intermediate have the store's names, and accompany the store's genuine root.",
                why: "A verifier that checks only the presence of the pinned root accepts the chain."
            ) { try receipt(by: impostor) },
            try .receipt(
                "self-signed", .refused(.untrustedRoot, at: place),
                what: "The only certificate is self-signed and has the marker.",
                why: "Code that accepts single certificates because Xcode's receipts have one accepts any signer."
            ) {
                try receipt { container in
                    let key = Certificate.PrivateKey(strangersKeys.receiptLeaf)
                    let own = try receiptChain(stranger)[0]
                    let alone = try certificate(like: own, for: key.publicKey, by: own, key: key)
                    let names = try issuerAndSerial(of: alone)
                    container.certificates = [alone]
                    container.signers[0].issuer = names.issuer
                    container.signers[0].serialNumber = names.serial
                    container.signers[0].signature = try signature(of: container.payload ?? [], by: strangersKeys.receiptLeaf)
                }
            },
            try .receipt(
                "no-leaf-marker", .refused(.marker, at: "\(place)[0]"), what: "The leaf lacks the marker for receipts.",
                why: "The same root issues the certificates of all developers. Without the marker, any of them could sign receipts."
            ) { try receipt(by: defective(.leafWithoutMarker)) },
            try .receipt(
                "no-intermediate-marker", .refused(.marker, at: "\(place)[1]"), what: "The intermediate lacks its marker.",
                why: "The root has other intermediates, whose leaves must not sign receipts."
            ) { try receipt(by: defective(.intermediateWithoutMarker)) },
            try .receipt(
                "swapped-markers", .refused(.marker, at: "\(place)[0]"), what: "The leaf and the intermediate have each other's marker.",
                why: "The presence of both markers anywhere in the chain is not sufficient."
            ) { try receipt(by: defective(.swappedMarkers)) },
            try .receipt(
                "leaf-as-authority", .refused(.chain, at: "\(place)[1]"),
                what: "A genuine leaf issued another leaf, which signed the receipt. There are four certificates.",
                why: "Without a check of basic constraints, every owner of a leaf can issue further leaves."
            ) { try leafAsAuthority(isLeft: false) },
            try .receipt(
                "leaf-in-place-of-intermediate", .refused(.chain, at: "\(place)[1]"),
                what: "A genuine leaf replaces the intermediate, and issued the leaf that signed the receipt.",
                why: "Counting three certificates does not verify the links."
            ) { try leafAsAuthority(isLeft: true) },
            try .receipt(
                "intermediate-no-authority", .refused(.chain, at: "\(place)[1]"),
                what: "The basic constraints of the intermediate state that it is not a CA.",
                why: "Without this check, any certificate could issue others."
            ) { try receipt(by: defective(.intermediateIsNotCA)) },
            try .receipt(
                "intermediate-may-not-certify", .refused(.chain, at: "\(place)[1]"),
                what: "The key usage of the intermediate does not include signing certificates.",
                why: "A key for revocation lists must not issue signers."
            ) { try receipt(by: defective(.intermediateWithoutKeyCertSign)) },
            try .receipt(
                "leaf-may-not-sign", .refused(.chain, at: "\(place)[0]"), what: "The leaf's key is for encryption, not for signatures.",
                why: "A certificate limits the use of its key. A stolen key for one purpose must not serve another."
            ) { try receipt(by: defective(.leafWithoutDigitalSignature)) },
            try .receipt(
                "unknown-critical-extension", .refused(.chain, at: "\(place)[0]"),
                what: "The leaf has an unknown critical extension.",
                why: "A verifier must refuse a certificate with an unknown critical extension, which may limit the certificate's use."
            ) { try receipt(by: defective(.unknownCriticalExtension)) },
            try .receipt(
                "two-intermediates", .refused(.chain, at: "\(place)[1]"),
                what: "Two intermediates with the marker, both allowed by the root, are between the leaf and the root.",
                why: "The real chain has three certificates. In a longer one, an intermediate could issue other intermediates."
            ) { try receipt(by: defective(.twoIntermediates)) },
            try .receipt(
                "leaf-of-other-intermediate", .refused(.chain, at: "\(place)[0]"),
                what: "The leaf names the genuine intermediate as the issuer, but the intermediate's key did not sign it.",
                why: "A verifier that links certificates by name only accepts the chain."
            ) { try receipt(by: defective(.leafSignedByUnknownIssuer)) },
            try .receipt(
                "leaf-expired", .refused(.validity, at: "\(place)[0]"),
                what: "The leaf expired the day before the receipt's creation date.",
                why: "Otherwise, a key that leaks after expiration could sign forever."
            ) { try receipt(by: defective(.expiredLeaf)) },
            try .receipt(
                "leaf-not-yet-valid", .refused(.validity, at: "\(place)[0]"),
                what: "The leaf became valid the day after the receipt's creation date, and is valid today.",
                why: "A verifier that uses the current date accepts a backdated receipt."
            ) { try receipt(by: defective(.notYetValidLeaf)) },
            try .receipt(
                "intermediate-expired", .refused(.validity, at: "\(place)[1]"),
                what: "The intermediate expired the day before the receipt's creation date, and the leaf did not.",
                why: "Every certificate must be valid, not only the leaf."
            ) { try receipt(by: defective(.expiredIntermediate)) },
            try .receipt(
                "root-expired", .refused(.validity, at: "\(place)[2]"),
                what: "The trusted root expired the day before the receipt's creation date.",
                why: "The key of an expired root may no longer be protected."
            ) { try receipt(by: expired, ownRoot: true) }.withVerification { $0.roots = [RootName.expiredReceipts] },
            try .receipt(
                "no-certificates", .refused(.malformed, at: "SignedData.certificates"), what: "The receipt contains no certificates.",
                why: "Some code skips verification when there are no certificates."
            ) { try receipt { $0.certificates = nil } },
            try .receipt(
                "junk-certificate", .refused(.malformed, at: "SignedData.certificates"),
                what: "The fourth certificate is invalid: a SEQUENCE with one NULL.",
                why: "Certificate parsers in C have crashed on such files."
            ) { try receipt { $0.certificates?.append([0x30, 0x02, 0x05, 0x00]) } },
            try .receipt(
                "six-certificates", .refused(.tooLarge(limit: 5), at: "SignedData.certificates"),
                what: "Three foreign certificates accompany the chain.",
                why: "Each certificate adds to the cost of finding the chain. Without a limit, that is a denial of service."
            ) { try receipt { $0.certificates?.append(contentsOf: try receiptChain(stranger)) } },
        ]
    }

    /// A receipt signed by a leaf that a genuine leaf certified.
    ///
    /// - Parameter isLeft: Whether the intermediate is left out.
    private func leafAsAuthority(isLeft: Bool) throws -> [UInt8] {
        let chain = try receiptChain(store)
        let evil = try certificate(
            like: receiptChain(stranger)[0], for: .init(strangersKeys.receiptLeaf.publicKey), by: chain[0], key: .init(keys.receiptLeaf)
        )
        return try receipt { container in
            let names = try issuerAndSerial(of: evil)
            container.certificates = isLeft ? [evil, chain[0], chain[2]] : [evil] + chain
            container.signers[0].issuer = names.issuer
            container.signers[0].serialNumber = names.serial
            container.signers[0].signature = try signature(of: container.payload ?? [], by: strangersKeys.receiptLeaf)
        }
    }
}
