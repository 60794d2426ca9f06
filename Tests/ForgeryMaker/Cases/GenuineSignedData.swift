import Crypto
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension ForgeryFactory {
    /// What the device calls itself in cases about devices.
    static let deviceVerificationID = UUID(uuid: (0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0x4C, 0xDE, 0x8F, 1, 2, 3, 4, 5, 6, 7))

    /// JWS that must be believed: a verifier that refuses them locks out paying customers.
    func genuineSignedData() throws -> [Forgery] {
        [
            try .jws(
                "genuine-transaction", .verified, what: "A genuine sandbox transaction: ES256 with three certificates.",
                why: "A verifier that refuses everything would pass every other case."
            ) { try sign(transaction()) },
            try .jws(
                "genuine-renewal-info", .renewalInfo, .verified, what: "Genuine renewal information, which has no bundle identifier.",
                why: "A verifier that requires a bundle identifier refuses all renewal information."
            ) { try sign(json(RenewalInfoPayload.sample())) },
            try .jws(
                "genuine-app-transaction", .appTransaction, .verified,
                what: "A genuine app transaction, with the signing date in receiptCreationDate.",
                why: "Code that requires signedDate refuses the app transaction, or verifies it at the current date."
            ) { try sign(appTransaction()) },
            try .jws(
                "genuine-notification", .notification, .verified,
                what: "A genuine notification with a transaction and renewal information, all three signed.",
                why: "The counterpart of the notifications with invalid nested data."
            ) {
                try notification(transaction: sign(transaction()), renewalInfo: sign(json(RenewalInfoPayload.sample())))
            },
            try .jws(
                "genuine-leaf-expired-since", .verified,
                what: "The leaf has expired, but it was valid on the signing date that the payload states.",
                why: "Transaction histories go back for years, and leaves are valid for two years."
            ) {
                try sign(transaction { $0.signedDate = Self.now.adding(days: -10) }, by: defective(.expiredLeaf))
            },
            try .jws(
                "genuine-unknown-values", .verified,
                what: "The payload has an unknown member, an unknown type and an unknown offer.",
                why: "Apple adds values without notice. A decoder with closed enumerations then refuses them."
            ) {
                try sign(
                    transaction(
                        #""type":"Consumable""#, #""type":"Leased","offerType":77,"offerDiscountType":"PAY_LATER","novelty":{"a":[1,null]}"#
                    )
                )
            },
            try .jws(
                "genuine-fractional-dates", .verified, what: "A date has fractions of a millisecond.",
                why: "Xcode writes such dates, which a decoder of integers refuses."
            ) { try sign(transaction(#""purchaseDate":1738326896000"#, #""purchaseDate":1738326896000.7251"#)) },
            try .jws(
                "genuine-header-hints", .verified, what: "The header has kid and typ, which have no effect.",
                why: "Apple's JWS had these members until 2022, and Xcode's JWS still have them."
            ) { try transactionHeaded { ($0.keyID, $0.type) = ("../../../dev/null", "JWT") } },
            try .jws(
                "genuine-strangers-root-in-x5c", .verified,
                what: "The leaf and the intermediate are genuine. The third certificate is an unused foreign root.",
                why:
                    "Trust comes from the verifier's copy of the root. Refusing the JWS is also allowed, for verifiers that pin the root in x5c."
            ) { try transactionHeaded { $0.certificates?[2] = try signedDataChain(stranger)[2] } },
            try .jws(
                "genuine-negated-s", .verified,
                what: "The second number of the signature is replaced by its negative, which requires no key.",
                why: "ECDSA has two encodings of each signature. A replay check by the bytes of a JWS accepts the second one."
            ) { try transaction(signature: { octets in try negated(Array(ecdsa(octets).rawRepresentation)) }) },
            try .jws(
                "genuine-on-this-device", .verified, what: "The JWS is bound to the device of the verification.",
                why: "The counterpart of the JWS for another device."
            ) {
                let deviceBinding = DeviceBinding(nonce: UUID(), deviceVerificationID: Self.deviceVerificationID)
                return try SignedDataIssuer(authority: store).sign(TransactionPayload.sample(), for: deviceBinding).compact
            }.withVerification { $0.deviceVerificationID = Self.deviceVerificationID.uuidString },
            try .jws(
                "genuine-xcode", .verified, what: "A JWS of StoreKit testing, with a certificate that is trusted for Xcode's environment.",
                why: "Developers test with these JWS. A verifier that requires three certificates refuses all of them."
            ) { try xcodeJWS(by: xcode) }.withVerification { ($0.roots, $0.environments) = ([RootName.xcodeSignedData], ["Xcode"]) },
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
