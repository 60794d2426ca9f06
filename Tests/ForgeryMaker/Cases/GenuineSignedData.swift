import Crypto
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension Workshop {
    /// What the device calls itself in cases about devices.
    static let deviceVerificationID = UUID(uuid: (0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0x4C, 0xDE, 0x8F, 1, 2, 3, 4, 5, 6, 7))

    /// JWS that must be believed: whoever refuses them locks out people who paid.
    func genuineSignedData() throws -> [Forgery] {
        [
            try .jws(
                "genuine-transaction", .verified, what: "Nothing is wrong: a transaction in the sandbox, ES256 with three certificates.",
                why: "A verifier that refuses everything would pass every other case."
            ) { try sign(transaction()) },
            try .jws(
                "genuine-renewal-info", .renewalInfo, .verified, what: "Nothing is wrong: renewal information, which names no app.",
                why: "Whoever asks for a bundle identifier here refuses all of them."
            ) { try sign(json(RenewalInfoPayload.sample())) },
            try .jws(
                "genuine-app-transaction", .appTransaction, .verified,
                what: "Nothing is wrong: an app transaction, dated by receiptCreationDate.",
                why: "It has no signedDate; code that asks for one refuses it, or judges it now."
            ) { try sign(appTransaction()) },
            try .jws(
                "genuine-notification", .notification, .verified,
                what: "Nothing is wrong: a notification with a transaction and renewal information, all three signed.",
                why: "The twin of the notifications with something else inside."
            ) {
                try notification(transaction: sign(transaction()), renewalInfo: sign(json(RenewalInfoPayload.sample())))
            },
            try .jws(
                "genuine-leaf-expired-since", .verified,
                what: "The leaf has expired, but it was valid on the date on which the payload says that it was signed.",
                why: "Histories go back for years, and leaves last two."
            ) {
                try sign(transaction { $0.signedDate = Self.now.adding(days: -10) }, by: defective(.expiredLeaf))
            },
            try .jws(
                "genuine-unknown-values", .verified,
                what: "The payload has a member, a type and an offer that nobody has seen yet.",
                why: "Apple adds values without notice. Decoders with closed enumerations stop working that day."
            ) {
                try sign(
                    transaction(
                        #""type":"Consumable""#, #""type":"Leased","offerType":77,"offerDiscountType":"PAY_LATER","novelty":{"a":[1,null]}"#
                    )
                )
            },
            try .jws(
                "genuine-fractional-dates", .verified, what: "Dates have fractions of a millisecond.",
                why: "Xcode writes them so; a decoder of whole numbers refuses them."
            ) { try sign(transaction(#""purchaseDate":1738326896000"#, #""purchaseDate":1738326896000.7251"#)) },
            try .jws(
                "genuine-header-hints", .verified, what: "The header has kid and typ, which have no effect.",
                why: "Apple wrote them until 2022 and Xcode still does."
            ) { try transactionHeaded { ($0.keyID, $0.type) = ("../../../dev/null", "JWT") } },
            try .jws(
                "genuine-strangers-root-in-x5c", .verified,
                what: "Leaf and intermediate are genuine; the third certificate is a stranger's root, which nobody needs.",
                why: "The root in the header is not signed and proves nothing; the verifier's own copy does. Refusing it is allowed, too, "
                    + "as a verifier must that takes roots from the header by their fingerprint."
            ) { try transactionHeaded { $0.certificates?[2] = try signedDataChain(stranger)[2] } },
            try .jws(
                "genuine-negated-s", .verified, what: "The signature's second number is replaced by its negative, which anybody can do.",
                why: "ECDSA has two spellings of each signature. Whoever keys a replay table by the bytes of a JWS is passed by."
            ) { try transaction(signature: { octets in try negated(Array(ecdsa(octets).rawRepresentation)) }) },
            try .jws(
                "genuine-on-this-device", .verified, what: "It is bound to the device that is asked about.",
                why: "The twin of the one for another device."
            ) {
                let seal = DeviceSeal(nonce: UUID(), deviceVerificationID: Self.deviceVerificationID)
                return try SignedDataIssuer(authority: store).sign(TransactionPayload.sample(), for: seal).compact
            }.asking { $0.deviceVerificationID = Self.deviceVerificationID.uuidString },
            try .jws(
                "genuine-xcode", .verified, what: "StoreKit testing made it, and its certificate is trusted for that.",
                why: "Developers test with these; whoever asks for three certificates here refuses all of them."
            ) { try xcodeJWS(by: xcode) }.asking { ($0.roots, $0.environments) = ([RootName.xcodeSignedData], ["Xcode"]) },
        ]
    }

    /// The signature with `s` replaced by `n - s`.
    private func negated(_ signature: [UInt8]) throws -> [UInt8] {
        // The order of P-256.
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        var negative = signature
        var borrow = 0
        for place in (0..<32).reversed() {
            let difference = Int(order[place]) - Int(signature[32 + place]) - borrow
            negative[32 + place] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        return negative
    }
}
