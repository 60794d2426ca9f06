import CryptoExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension Workshop {
    /// Receipts that are signed, but by nobody who may.
    func receiptChains() throws -> [Forgery] {
        let place = "SignedData.certificates"
        return [
            try .receipt(
                "stranger", .refused(.untrustedRoot, at: place), what: "A stranger's authority signed it, with markers and all.",
                why: "Making such a chain takes a minute. Readers that check it against the root in the file believe anybody."
            ) { try receipt(by: stranger, ownRoot: true) },
            try .receipt(
                "own-root-same-names", .refused(.untrustedRoot, at: place),
                what: "A stranger's chain whose three certificates have the store's names.",
                why: "Names are not keys: whoever compares the root's name, or pins it by name, is deceived."
            ) { try receipt(by: impostor, ownRoot: true) },
            try .receipt(
                "genuine-root-pasted", .refused(.chain, at: "\(place)[1]"),
                what: "A stranger's leaf and intermediate with the store's names, and the store's genuine root beside them.",
                why: "Whoever looks whether the pinned root is in the file, and not whether it signed, is deceived."
            ) { try receipt(by: impostor) },
            try .receipt(
                "self-signed", .refused(.untrustedRoot, at: place),
                what: "The only certificate is one that signed itself, with the marker.",
                why: "Code that lets single certificates pass because Xcode's come alone believes anybody."
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
                why: "Under the same root hang the certificates of every developer; without the marker any of them could sign receipts."
            ) { try receipt(by: defective(.noLeafMarker)) },
            try .receipt(
                "no-intermediate-marker", .refused(.marker, at: "\(place)[1]"), what: "The intermediate lacks its marker.",
                why: "The root has other intermediates, whose customers must not sign receipts."
            ) { try receipt(by: defective(.noIntermediateMarker)) },
            try .receipt(
                "swapped-markers", .refused(.marker, at: "\(place)[0]"), what: "Leaf and intermediate carry each other's marker.",
                why: "Looking for both markers anywhere in the chain is not enough."
            ) { try receipt(by: defective(.swappedMarkers)) },
            try .receipt(
                "leaf-as-authority", .refused(.chain, at: "\(place)[1]"),
                what: "A genuine leaf's key certified another leaf, which signed; there are four certificates.",
                why: "Every owner of a leaf could make more of them. Code that follows signatures without basic constraints accepts it."
            ) { try leafAsAuthority(isLeft: false) },
            try .receipt(
                "leaf-in-place-of-intermediate", .refused(.chain, at: "\(place)[1]"),
                what: "The same with the intermediate left out: there are three, and the genuine leaf stands in its place.",
                why: "Counting to three is no check of the links."
            ) { try leafAsAuthority(isLeft: true) },
            try .receipt(
                "intermediate-no-authority", .refused(.chain, at: "\(place)[1]"),
                what: "The intermediate's basic constraints say that it is no authority.",
                why: "The classic hole of certificate checking: any certificate could issue others."
            ) { try receipt(by: defective(.intermediateNoAuthority)) },
            try .receipt(
                "intermediate-may-not-certify", .refused(.chain, at: "\(place)[1]"),
                what: "The intermediate's key usage does not allow it to certify.",
                why: "A key for lists of revoked certificates must not make signers."
            ) { try receipt(by: defective(.intermediateMayNotCertify)) },
            try .receipt(
                "leaf-may-not-sign", .refused(.chain, at: "\(place)[0]"), what: "The leaf's key is for encryption, not for signatures.",
                why: "Certificates say what their keys are for; a stolen key for one thing must not do for another."
            ) { try receipt(by: defective(.leafMayNotSign)) },
            try .receipt(
                "unknown-critical-extension", .refused(.chain, at: "\(place)[0]"),
                what: "The leaf has a critical extension that nobody knows.",
                why: "Critical means: whoever does not understand it must not use the certificate. It could limit what it is for."
            ) { try receipt(by: defective(.unknownCriticalExtension)) },
            try .receipt(
                "two-intermediates", .refused(.chain, at: "\(place)[1]"),
                what: "Two intermediates stand between leaf and root, both with the marker and both allowed by the root.",
                why: "The real chain has exactly three; longer ones let whoever has an intermediate appoint others."
            ) { try receipt(by: defective(.longChain)) },
            try .receipt(
                "leaf-of-other-intermediate", .refused(.chain, at: "\(place)[0]"),
                what: "The leaf names the genuine intermediate as its issuer, whose key did not sign it.",
                why: "Linking certificates by names alone accepts it."
            ) { try receipt(by: defective(.strangersLeaf)) },
            try .receipt(
                "leaf-expired", .refused(.validity, at: "\(place)[0]"),
                what: "The leaf expired the day before the receipt says it was made.",
                why: "A key that leaked after its time would sign for ever."
            ) { try receipt(by: defective(.expiredLeaf)) },
            try .receipt(
                "leaf-not-yet-valid", .refused(.validity, at: "\(place)[0]"),
                what: "The leaf became valid the day after the receipt says it was made; today it is valid.",
                why: "Whoever judges by today's date misses a receipt that was dated back."
            ) { try receipt(by: defective(.notYetValidLeaf)) },
            try .receipt(
                "intermediate-expired", .refused(.validity, at: "\(place)[1]"),
                what: "The intermediate expired the day before the receipt says it was made; the leaf had not.",
                why: "Every link must have been valid, not only the first."
            ) { try receipt(by: defective(.expiredIntermediate)) },
            try .receipt(
                "root-expired", .refused(.validity, at: "\(place)[2]"),
                what: "The trusted root itself had expired the day before the receipt says it was made.",
                why: "A root's end is the promise of when its key may be given up."
            ) { try receipt(by: expired, ownRoot: true) }.asking { $0.roots = [RootName.expiredReceipts] },
            try .receipt(
                "no-certificates", .refused(.malformed, at: "SignedData.certificates"), what: "No certificate is in the file.",
                why: "With nobody to check against, some code checks nothing."
            ) { try receipt { $0.certificates = nil } },
            try .receipt(
                "junk-certificate", .refused(.malformed, at: "SignedData.certificates"),
                what: "A fourth certificate is no certificate: a SEQUENCE of one NULL.",
                why: "Certificate parsers met in C are where files like this one crash."
            ) { try receipt { $0.certificates?.append([0x30, 0x02, 0x05, 0x00]) } },
            try .receipt(
                "six-certificates", .refused(.tooLarge(limit: 5), at: "SignedData.certificates"),
                what: "Three certificates of strangers come with the chain.",
                why: "Each further certificate makes the search for a chain dearer; without a limit that is an attack by itself."
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
