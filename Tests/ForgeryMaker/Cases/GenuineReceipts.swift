import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension Workshop {
    /// Receipts that must be believed: whoever refuses them locks out people who paid.
    func genuineReceipts() throws -> [Forgery] {
        [
            try .receipt(
                "genuine", .verified, what: "Nothing is wrong: a sandbox receipt with two purchases, in DER, signed with SHA-256.",
                why: "A verifier that refuses everything would pass every other case."
            ) { try receipt(saying: Self.longerContent) },
            try .receipt(
                "genuine-sha1", .verified, what: "Chain and content are signed with SHA-1, as all receipts were until 2023.",
                why: "Receipts of devices that were never updated are still signed so, and their owners paid."
            ) { try receipt(by: defective([], generation: .sha1)) },
            try .receipt(
                "genuine-empty", .verified, what: "It lists no purchase.",
                why: "Everybody who downloaded the app has such a receipt; it proves that, and that nothing was bought."
            ) {
                var content = Self.content
                content.purchases = []
                return try receipt(saying: content)
            },
            try .receipt(
                "genuine-leaf-expired-since", .verified,
                what: "The signer's certificate has expired, but it was valid on the creation date that the receipt states.",
                why: "Apps that judged certificates by today's date called every copy damaged on 2015-11-11, when a leaf expired."
            ) {
                var content = Self.content
                content.creationDate = Self.now.adding(days: -10)
                let authority = try defective(.expiredLeaf)
                return try receipt(payload: ReceiptIssuer(authority: authority).payload(of: content), by: authority)
            },
            try .receipt(
                "genuine-leaf-last", .verified, what: "The certificates come in the order root, intermediate, leaf.",
                why: "CMS calls them a set. Code that takes the first one for the signer's breaks, or checks the wrong one."
            ) { try receipt { $0.certificates?.reverse() } },
            try .receipt(
                "genuine-without-root", .verified, what: "The root is left out of the file; the verifier knows it anyway.",
                why: "The root of the file proves nothing: trust comes from the verifier's own copy."
            ) { try receipt { $0.certificates?.removeLast() } },
            try .receipt(
                "genuine-stranger-among-certificates", .verified, what: "A fourth certificate lies beside the chain, a stranger's root.",
                why: "Superfluous certificates are allowed and must not be believed; they must not confuse the search for the chain."
            ) { try receipt { $0.certificates?.append(contentsOf: try receiptChain(stranger).suffix(1)) } },
            try .receipt(
                "genuine-decoy-intermediate", .verified,
                what: "Before the intermediate lies a stranger's with the same name and another key.",
                why: "A search that follows names only and gives up at the first bad link refuses a good receipt."
            ) { try receipt { $0.certificates?.insert(try receiptChain(impostor)[1], at: 1) } },
            try .receipt(
                "genuine-ber", .verified,
                what: "The container is written in BER: lengths are indefinite and the content comes in chunks of 100 bytes; what is "
                    + "signed is the same.",
                why: "Xcode's receipts are written so. Parsers that know DER only refuse them or read past their end."
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
                "genuine-padded-lengths", .verified, what: "The lengths of the outer layers have four bytes where two would do.",
                why: "BER allows it and it changes nothing that is signed; a reader must not take the zeros for something else."
            ) { try rawReceipt(layer: BER.padded) { _ in } },
            try .receipt(
                "genuine-unsorted", .verified, what: "The attributes are in no order, so the signed set is not DER.",
                why: "Xcode does not sort, and the signature is over the octets as they are."
            ) {
                let attributes = try Self.content.attributes(random: .system)
                return try container(EncodedAttribute.encodeUnsorted(attributes.reversed())).encoded
            },
            try .receipt(
                "genuine-unknown-attribute", .verified, what: "An attribute of number 9999 is among the others.",
                why: "Apple adds attributes without notice. Readers that refuse what they do not know stop working that day."
            ) { try receiptSaying { $0.append(EncodedAttribute(number: 9999, raw: [1, 2, 3])) } },
            try .receipt(
                "genuine-unknown-type", .verified, what: "Attribute 0 holds a type of receipt that nobody has seen, TestFlight2030.",
                why: "An unknown type was refused once and locked people out; it must never count as production either."
            ) { try receiptSaying { $0[0] = try EncodedAttribute(.receiptType, "TestFlight2030") } },
            try .receipt(
                "genuine-same-purchase-twice", .verified, what: "The same purchase is listed twice, byte for byte.",
                why: "The store signed it, so it is genuine. Whoever adds up credits must count a transaction id once."
            ) {
                var content = Self.content
                content.purchases = [content.purchases[0], content.purchases[0]]
                return try receipt(saying: content)
            },
            try .receipt(
                "genuine-fractional-dates", .verified, what: "The dates have fractions of a second and an offset in place of Z.",
                why: "Both are seen in real receipts; a strict date parser refuses them."
            ) {
                try receiptSaying { attributes in
                    attributes.set(12, try EncodedAttribute(.creationDate, ascii: "2025-01-31T13:34:56.789+0100").octets)
                }
            },
            try .receipt(
                "genuine-on-this-device", .verified, what: "Its hash fits the device that is asked about.",
                why: "The twin of the two cases with another hash."
            ) { try receipt() }.asking { $0.device = DeviceID.test.rawValue },
            try .receipt(
                "genuine-volume-purchase", .verified, what: "A volume purchase whose validity ends in a month.",
                why: "The twin of the expired one."
            ) { try volumePurchase(until: Self.now.adding(days: 30)) }.asking { $0.time = Self.now.description },
            try .receipt(
                "genuine-xcode", .verified, what: "StoreKit testing made it, and its certificate is trusted for that.",
                why: "Developers test with these; whoever asks for three certificates and markers here refuses all of them."
            ) { try xcodeReceipt(by: xcode) }.asking { ($0.roots, $0.environments) = ([RootName.xcodeReceipts], ["Xcode"]) },
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
