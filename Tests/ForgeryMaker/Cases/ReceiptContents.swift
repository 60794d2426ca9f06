import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1

extension ForgeryFactory {
    /// Receipts whose content is not what it must be, however well it is signed.
    ///
    /// The store would have to sign them. That has happened by mistake, and it is what a second reader makes of the same bytes.
    func receiptContents() throws -> [Forgery] {
        [
            try .receipt(
                "empty-content", .refused(.malformed, at: "receipt"), what: "The signed content has no bytes.",
                why: "A signature over empty content can be valid, but a receipt without attributes is not."
            ) { try container([]).encoded },
            try .receipt(
                "bytes-after-content", .refused(.malformed, at: "receipt"), what: "Bytes follow the set within the signed content.",
                why: "Parsers disagree about the end of the content."
            ) { try container(ReceiptIssuer(authority: store).payload(of: Self.content) + [0x05, 0x00]).encoded },
            try .receipt(
                "two-bundles", .refused(.malformed, at: "receipt.2"), what: "Attribute 2 is repeated, with another app first.",
                why: "One parser uses the first value and another the last."
            ) { try receiptWithAttributes { $0.insert(try EncodedAttribute(.bundleID, "com.example.other"), at: 0) } },
            try .receipt(
                "two-creation-dates", .refused(.malformed, at: "receipt.12"), what: "Attribute 12 is repeated.",
                why: "The chain could be verified at one date, and the age at the other."
            ) { try receiptWithAttributes { $0.append(try EncodedAttribute(.creationDate, ascii: "2024-12-24T00:00:00Z")) } },
            try .receipt(
                "padded-attribute-number", .refused(.malformed, at: "receipt"),
                what: "A second bundle identifier has the type 00 02, which is 2 with a leading zero.",
                why: "Code that compares encoded types does not find the repeated attribute."
            ) {
                // Written by hand, since the encoder writes no number so.
                let other = BER.element(0x04, try EncodedAttribute(.bundleID, "com.example.other").octets)
                let padded = BER.element(0x30, [0x02, 0x02, 0x00, 0x02, 0x02, 0x01, 0x01] + other)
                let attributes = try Self.content.attributes(random: .system).flatMap { try BER.encoded($0) }
                return try container(BER.element(0x31, padded + attributes)).encoded
            },
            try .receipt(
                "no-bundle", .refused(.malformed, at: "receipt.2"), what: "The bundle identifier is missing.",
                why: "In some languages, two missing values are equal."
            ) { try receiptWithAttributes { $0.remove(2) } },
            try .receipt(
                "no-creation-date", .refused(.malformed, at: "receipt.12"), what: "The creation date is missing.",
                why: "The chain would be verified at the current date, or not at all."
            ) { try receiptWithAttributes { $0.remove(12) } },
            try .receipt(
                "empty-creation-date", .refused(.malformed, at: "receipt.12"), what: "The creation date is an empty string.",
                why: "Other dates may be empty, but the chain is verified at the creation date."
            ) { try receiptWithAttributes { $0.set(12, [0x16, 0x00]) } },
            try .receipt(
                "garbage-creation-date", .refused(.malformed, at: "receipt.12"), what: "The creation date is 2025-02-30T99:99:99Z.",
                why: "A lenient parser reads a date in March, and verifies the chain at that date."
            ) { try receiptWithAttributes { $0.set(12, try EncodedAttribute(.creationDate, ascii: "2025-02-30T99:99:99Z").octets) } },
            try .receipt(
                "creation-date-in-9999", .refused(.validity, at: "SignedData.certificates"), what: "The creation date is in the year 9999.",
                why: "No certificate is valid at that date, and computations with such dates overflow."
            ) { try receiptWithAttributes { $0.set(12, try EncodedAttribute(.creationDate, ascii: "9999-12-31T23:59:59Z").octets) } },
            try .receipt(
                "quantity-zero", .refused(.malformed, at: "receipt.17[0].1701"), what: "A purchase has the quantity 0.",
                why: "Code that ignores the quantity delivers a product that was not purchased."
            ) { try receiptWithPurchaseAttributes { $0.set(1701, [0x02, 0x01, 0x00]) } },
            try .receipt(
                "quantity-negative", .refused(.malformed, at: "receipt.17[0].1701"), what: "A purchase has the quantity -1.",
                why: "Added to an unsigned balance, a negative quantity becomes a huge one."
            ) { try receiptWithPurchaseAttributes { $0.set(1701, [0x02, 0x01, 0xFF]) } },
            try .receipt(
                "quantity-too-long", .refused(.malformed, at: "receipt.17[0].1701"), what: "A purchase has a quantity of nine bytes, 2^64.",
                why: "Truncated to 64 bits, the quantity is 0. Multiplied by a price, it overflows."
            ) { try receiptWithPurchaseAttributes { $0.set(1701, [0x02, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0]) } },
            try .receipt(
                "no-product", .refused(.malformed, at: "receipt.17[0].1702"), what: "A purchase has no product identifier.",
                why: "Code may deliver nothing, or a default that includes everything."
            ) { try receiptWithPurchaseAttributes { $0.remove(1702) } },
            try .receipt(
                "two-transaction-numbers", .refused(.malformed, at: "receipt.17[0].1703"),
                what: "A purchase has two transaction identifiers.",
                why: "Code that counts each identifier once counts the purchase twice."
            ) { try receiptWithPurchaseAttributes { $0.append(try EncodedAttribute(.transactionID, "2000000000000099")) } },
            try .receipt(
                "transaction-number-not-utf8", .refused(.malformed, at: "receipt.17[0].1703"),
                what: "A transaction identifier has the byte FF, which is invalid in UTF-8.",
                why: "With replacement characters, many different identifiers become the same one."
            ) { try receiptWithPurchaseAttributes { $0.set(1703, [0x0C, 0x03, 0x31, 0xFF, 0x32]) } },
            try .receipt(
                "purchase-not-a-set", .refused(.malformed, at: "receipt.17[0]"), what: "A purchase is a string instead of a set.",
                why: "Code that skips unreadable values returns a receipt without the purchase, or with half of it."
            ) {
                try receiptWithAttributes { attributes in
                    attributes.append(EncodedAttribute(.purchase, raw: try EncodedAttribute(.bundleID, "all of them").octets))
                    attributes.removeAll { $0.number == 17 && $0.octets.first == 0x31 }
                }
            },
        ]
    }

    /// Genuine receipts for somebody or something else.
    func receiptChecks() throws -> [Forgery] {
        [
            try .receipt(
                "other-app", .refused(.foreignBundle("com.example.other"), at: "receipt.2"), what: "A genuine receipt of another app.",
                why: "An attacker can purchase an item in one app and present the receipt to all apps."
            ) { try receiptWithAttributes { $0.set(2, try EncodedAttribute(.bundleID, "com.example.other").octets) } },
            try .receipt(
                "bundle-of-other-case", .refused(.foreignBundle("com.example.MonkeyShop"), at: "receipt.2"),
                what: "The bundle identifier differs in case only.",
                why: "A case-insensitive comparison accepts another app."
            ) { try receiptWithAttributes { $0.set(2, try EncodedAttribute(.bundleID, "com.example.MonkeyShop").octets) } },
            try .receipt(
                "bundle-with-zero-byte", .refused(.foreignBundle("com.example.monkeyshop\0.other"), at: "receipt.2"),
                what: "A zero byte and further text follow this app's bundle identifier.",
                why: "In C, the string ends at the zero byte."
            ) { try receiptWithAttributes { $0.set(2, try EncodedAttribute(.bundleID, "com.example.monkeyshop\0.other").octets) } },
            try .receipt(
                "bundle-with-kelvin-sign", .refused(.foreignBundle("com.example.\u{212A}iosk"), at: "receipt.2"),
                what: "The Kelvin sign, U+212A, replaces the K of com.example.Kiosk.",
                why: "The strings are canonically equivalent, so that a comparison with normalization, such as Swift's, is true."
            ) { try receiptWithAttributes { $0.set(2, try EncodedAttribute(.bundleID, "com.example.\u{212A}iosk").octets) } }
            .withVerification {
                $0.bundleID = "com.example.Kiosk"
            },
            try .receipt(
                "sandbox-in-production", .refused(.foreignEnvironment("Sandbox"), at: "receipt.0"),
                what: "A genuine sandbox receipt, where only production is accepted.",
                why: "Purchases in the sandbox are free."
            ) { try receipt() }.withVerification { ($0.environments, $0.appAppleID) = (["Production"], 1_234_567_890) },
            try .receipt(
                "production-under-local-root", .refused(.untrustedRoot, at: "SignedData.certificates"),
                what: "The receipt claims production, but its root is trusted for the sandbox only.",
                why: "Otherwise, a test store could issue receipts of production purchases."
            ) {
                var content = Self.content
                content.environment = .production
                return try receipt(saying: content)
            }.withVerification { $0.environments = ["Sandbox", "Production"] },
            try .receipt(
                "xcode-not-accepted", .refused(.untrustedRoot, at: "SignedData.certificates"),
                what: "A receipt in Xcode's form with a certificate that is not configured.",
                why: "Anyone can create such a certificate, or use the key of an Xcode installation."
            ) { try xcodeReceipt(by: xcode) }.withVerification { $0.environments = ["Sandbox", "Xcode"] },
            try .receipt(
                "xcode-other-certificate", .refused(.chain, at: "SignedData.certificates[0]"),
                what: "The certificate has the names of the configured Xcode certificate and another key.",
                why: "Only the configured certificate is trusted, not every certificate with its names."
            ) { try xcodeReceipt(by: xcodeImpostor) }.withVerification {
                ($0.roots, $0.environments) = ([RootName.xcodeReceipts], ["Xcode"])
            },
            try .receipt(
                "xcode-claims-sandbox", .refused(.untrustedRoot, at: "SignedData.certificates"),
                what: "The configured Xcode certificate signed a receipt that claims the sandbox.",
                why: "A certificate for local tests must not count in the sandbox, where App Review and testers purchase."
            ) { try xcodeReceipt(by: xcode, environment: .sandbox) }.withVerification {
                ($0.roots, $0.environments) = ([RootName.receipts, RootName.xcodeReceipts], ["Sandbox", "Xcode"])
            },
            try .receipt(
                "xcode-in-sandbox", .refused(.foreignEnvironment("Xcode"), at: "receipt.0"),
                what: "A genuine receipt of StoreKit testing, where only the sandbox is accepted.",
                why: "A trusted root does not make its environment an accepted one."
            ) { try xcodeReceipt(by: xcode) }.withVerification { $0.roots = [RootName.receipts, RootName.xcodeReceipts] },
            try .receipt(
                "other-device", .refused(.foreignDevice, at: "receipt.5"), what: "The hash is that of another device.",
                why: "Otherwise, one receipt could be copied to any number of devices."
            ) {
                var content = Self.content
                content.device = "ffeeddcc-bbaa-9988-7766-554433221100"
                return try receipt(saying: content)
            }.withVerification { $0.device = DeviceID.test.rawValue },
            try .receipt(
                "device-hash-over-text", .refused(.foreignDevice, at: "receipt.5"),
                what: "The hash covers the text of the bundle identifier instead of its encoding with tag and length.",
                why: "This is a common mistake in verifiers. A verifier that accepts both forms accepts two hashes for a device."
            ) {
                try receiptWithAttributes { attributes in
                    let guid: [UInt8] = DeviceID.test.bytes ?? []
                    let opaque: [UInt8] = attributes.first(where: { $0.number == 4 })?.octets ?? []
                    let text = Array(BundleID.test.rawValue.utf8)
                    attributes.set(5, DeviceHash.bytes(guid: guid, opaqueValue: opaque, bundleOctets: text))
                }
            }.withVerification { $0.device = DeviceID.test.rawValue },
            try .receipt(
                "other-version", .refused(.foreignVersion("1.0"), at: "receipt.3"), what: "A genuine receipt for version 1.0 of the app.",
                why: "A modified old version of an app keeps its receipt."
            ) { try receipt() }.withVerification { $0.appVersion = "2.0" },
            try .receipt(
                "volume-purchase-expired", .refused(.expired(Self.now.adding(days: -1)), at: "receipt.21"),
                what: "A volume purchase that expired yesterday.", why: "Organizations revoke licenses by letting them expire."
            ) { try volumePurchase(until: Self.now.adding(days: -1)) }.withVerification { $0.time = Self.now.description },
            try .receipt(
                "too-old", .refused(.tooOld(Self.now), at: "receipt.12"),
                what: "The receipt was created two days ago, where one hour is allowed.",
                why: "A customer could keep a receipt from before a refund and present it again."
            ) { try receipt() }.withVerification { ($0.time, $0.maximumAge) = (Self.now.adding(days: 2).description, 3600) },
        ]
    }
}
