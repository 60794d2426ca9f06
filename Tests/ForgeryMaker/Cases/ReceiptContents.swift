import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1

extension Workshop {
    /// Receipts whose content is not what it must be, however well it is signed.
    ///
    /// The store would have to sign them. That has happened by mistake, and it is what a second reader makes of the same bytes.
    func receiptContents() throws -> [Forgery] {
        [
            try .receipt(
                "empty-content", .refused(.malformed, at: "receipt"), what: "The content has no bytes, and is signed.",
                why: "A signature over nothing is a signature; a receipt that says nothing is none."
            ) { try container([]).encoded },
            try .receipt(
                "bytes-after-content", .refused(.malformed, at: "receipt"), what: "Within the signed content, bytes follow the set.",
                why: "Where one reader stops, another goes on."
            ) { try container(ReceiptIssuer(authority: store).payload(of: Self.content) + [0x05, 0x00]).encoded },
            try .receipt(
                "two-bundles", .refused(.malformed, at: "receipt.2"), what: "Attribute 2 is there twice, with another app first.",
                why: "One reader takes the first and another the last."
            ) { try receiptSaying { $0.insert(try EncodedAttribute(.bundleID, "com.example.other"), at: 0) } },
            try .receipt(
                "two-creation-dates", .refused(.malformed, at: "receipt.12"), what: "Attribute 12 is there twice.",
                why: "The chain would be judged at one date, and the age by the other."
            ) { try receiptSaying { $0.append(try EncodedAttribute(.creationDate, ascii: "2024-12-24T00:00:00Z")) } },
            try .receipt(
                "padded-attribute-number", .refused(.malformed, at: "receipt"),
                what: "A second bundle hides under the number 00 02, which is 2 with a zero in front.",
                why: "The duplicate is not seen by whoever compares the encodings of numbers."
            ) {
                // Written by hand, since the encoder writes no number so.
                let other = BER.element(0x04, try EncodedAttribute(.bundleID, "com.example.other").octets)
                let padded = BER.element(0x30, [0x02, 0x02, 0x00, 0x02, 0x02, 0x01, 0x01] + other)
                let attributes = try Self.content.attributes(random: .system).flatMap { try BER.encoded($0) }
                return try container(BER.element(0x31, padded + attributes)).encoded
            },
            try .receipt(
                "no-bundle", .refused(.malformed, at: "receipt.2"), what: "The bundle identifier is missing.",
                why: "Nothing compared with nothing is equal, in some languages."
            ) { try receiptSaying { $0.remove(2) } },
            try .receipt(
                "no-creation-date", .refused(.malformed, at: "receipt.12"), what: "The creation date is missing.",
                why: "Then the chain would be judged now, or never."
            ) { try receiptSaying { $0.remove(12) } },
            try .receipt(
                "empty-creation-date", .refused(.malformed, at: "receipt.12"), what: "The creation date is an empty text.",
                why: "Other dates may be empty; the one that the chain is judged by may not."
            ) { try receiptSaying { $0.set(12, [0x16, 0x00]) } },
            try .receipt(
                "garbage-creation-date", .refused(.malformed, at: "receipt.12"), what: "The creation date is 2025-02-30T99:99:99Z.",
                why: "Lenient parsers roll it over into March, and judge the chain then."
            ) { try receiptSaying { $0.set(12, try EncodedAttribute(.creationDate, ascii: "2025-02-30T99:99:99Z").octets) } },
            try .receipt(
                "creation-date-in-9999", .refused(.validity, at: "SignedData.certificates"), what: "It was made in the year 9999.",
                why: "No certificate is valid then; libraries that compute with such dates overflow."
            ) { try receiptSaying { $0.set(12, try EncodedAttribute(.creationDate, ascii: "9999-12-31T23:59:59Z").octets) } },
            try .receipt(
                "quantity-zero", .refused(.malformed, at: "receipt.17[0].1701"), what: "A purchase has the quantity 0.",
                why: "Nothing was bought, and yet there is a purchase."
            ) { try receiptListing { $0.set(1701, [0x02, 0x01, 0x00]) } },
            try .receipt(
                "quantity-negative", .refused(.malformed, at: "receipt.17[0].1701"), what: "A purchase has the quantity -1.",
                why: "Added to an unsigned balance it makes somebody rich."
            ) { try receiptListing { $0.set(1701, [0x02, 0x01, 0xFF]) } },
            try .receipt(
                "quantity-too-long", .refused(.malformed, at: "receipt.17[0].1701"), what: "A quantity has nine bytes, 2^64.",
                why: "Cut to 64 bits it is 0, and multiplied by a price it overflows."
            ) { try receiptListing { $0.set(1701, [0x02, 0x09, 0x01, 0, 0, 0, 0, 0, 0, 0, 0]) } },
            try .receipt(
                "no-product", .refused(.malformed, at: "receipt.17[0].1702"), what: "A purchase names no product.",
                why: "Nothing to give, or the default, which may be everything."
            ) { try receiptListing { $0.remove(1702) } },
            try .receipt(
                "two-transaction-numbers", .refused(.malformed, at: "receipt.17[0].1703"), what: "A purchase has two transaction numbers.",
                why: "Counted once under each, it is worth double."
            ) { try receiptListing { $0.append(try EncodedAttribute(.transactionID, "2000000000000099")) } },
            try .receipt(
                "transaction-number-not-utf8", .refused(.malformed, at: "receipt.17[0].1703"),
                what: "A transaction number holds the byte FF, which no UTF-8 has.",
                why: "Repaired to a replacement character, many different numbers become the same one."
            ) { try receiptListing { $0.set(1703, [0x0C, 0x03, 0x31, 0xFF, 0x32]) } },
            try .receipt(
                "purchase-not-a-set", .refused(.malformed, at: "receipt.17[0]"), what: "A purchase is a text instead of a set.",
                why: "Readers that skip what they can't read show a receipt without the purchase, or with half of it."
            ) {
                try receiptSaying { attributes in
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
                why: "The attacker buys one thing in an app of his own, and shows it everywhere."
            ) { try receiptSaying { $0.set(2, try EncodedAttribute(.bundleID, "com.example.other").octets) } },
            try .receipt(
                "bundle-of-other-case", .refused(.foreignBundle("com.example.MonkeyShop"), at: "receipt.2"),
                what: "The bundle identifier differs in upper and lower case only.",
                why: "Another app, which a comparison without regard to case lets in."
            ) { try receiptSaying { $0.set(2, try EncodedAttribute(.bundleID, "com.example.MonkeyShop").octets) } },
            try .receipt(
                "bundle-with-zero-byte", .refused(.foreignBundle("com.example.monkeyshop\0.other"), at: "receipt.2"),
                what: "After our bundle identifier comes a zero byte, and then more.",
                why: "To code in C the text ends at the zero."
            ) { try receiptSaying { $0.set(2, try EncodedAttribute(.bundleID, "com.example.monkeyshop\0.other").octets) } },
            try .receipt(
                "bundle-with-kelvin-sign", .refused(.foreignBundle("com.example.\u{212A}iosk"), at: "receipt.2"),
                what: "In place of the K of com.example.Kiosk stands the sign for kelvin, U+212A.",
                why: "Unicode calls the two texts equal, and so do comparisons that normalize, Swift's among them."
            ) { try receiptSaying { $0.set(2, try EncodedAttribute(.bundleID, "com.example.\u{212A}iosk").octets) } }.asking {
                $0.bundleID = "com.example.Kiosk"
            },
            try .receipt(
                "sandbox-in-production", .refused(.foreignEnvironment("Sandbox"), at: "receipt.0"),
                what: "A genuine receipt of the sandbox, where only production is accepted.",
                why: "In the sandbox everything is free."
            ) { try receipt() }.asking { ($0.environments, $0.appAppleID) = (["Production"], 1_234_567_890) },
            try .receipt(
                "production-under-local-root", .refused(.untrustedRoot, at: "SignedData.certificates"),
                what: "It says that it is from production; the root that leads to it counts for the sandbox only.",
                why: "Whoever runs a test store could print receipts of real purchases."
            ) {
                var content = Self.content
                content.environment = .production
                return try receipt(saying: content)
            }.asking { $0.environments = ["Sandbox", "Production"] },
            try .receipt(
                "xcode-not-accepted", .refused(.untrustedRoot, at: "SignedData.certificates"),
                what: "A receipt in Xcode's form by a certificate that was not configured.",
                why: "The key ships with every Xcode, or is made at home: anybody can sign so."
            ) { try xcodeReceipt(by: xcode) }.asking { $0.environments = ["Sandbox", "Xcode"] },
            try .receipt(
                "xcode-other-certificate", .refused(.chain, at: "SignedData.certificates[0]"),
                what: "Xcode's certificate is configured; this one has its names and another key.",
                why: "Testing is opened to one certificate, not to all that look like it."
            ) { try xcodeReceipt(by: xcodeImpostor) }.asking { ($0.roots, $0.environments) = ([RootName.xcodeReceipts], ["Xcode"]) },
            try .receipt(
                "xcode-claims-sandbox", .refused(.untrustedRoot, at: "SignedData.certificates"),
                what: "Xcode's certificate is configured and signed it, but it says that it is from the sandbox.",
                why: "What is open to everybody for tests would open the sandbox, where App Review and testers buy."
            ) { try xcodeReceipt(by: xcode, environment: .sandbox) }.asking {
                ($0.roots, $0.environments) = ([RootName.receipts, RootName.xcodeReceipts], ["Sandbox", "Xcode"])
            },
            try .receipt(
                "xcode-in-sandbox", .refused(.foreignEnvironment("Xcode"), at: "receipt.0"),
                what: "A genuine receipt of StoreKit testing, where only the sandbox is accepted.",
                why: "That a root is known does not mean that its environment is wanted."
            ) { try xcodeReceipt(by: xcode) }.asking { $0.roots = [RootName.receipts, RootName.xcodeReceipts] },
            try .receipt(
                "other-device", .refused(.foreignDevice, at: "receipt.5"), what: "Its hash is of another device.",
                why: "One receipt, copied to every phone of a forum."
            ) {
                var content = Self.content
                content.device = "ffeeddcc-bbaa-9988-7766-554433221100"
                return try receipt(saying: content)
            }.asking { $0.device = DeviceID.test.rawValue },
            try .receipt(
                "device-hash-over-text", .refused(.foreignDevice, at: "receipt.5"),
                what: "The hash is over the text of the bundle identifier, not over its encoding with tag and length.",
                why: "The usual mistake in code that checks; a check that accepts both accepts two hashes for a device."
            ) {
                try receiptSaying { attributes in
                    let guid: [UInt8] = DeviceID.test.bytes ?? []
                    let opaque: [UInt8] = attributes.first(where: { $0.number == 4 })?.octets ?? []
                    let text = Array(BundleID.test.rawValue.utf8)
                    attributes.set(5, DeviceHash.bytes(guid: guid, opaqueValue: opaque, bundleOctets: text))
                }
            }.asking { $0.device = DeviceID.test.rawValue },
            try .receipt(
                "other-version", .refused(.foreignVersion("1.0"), at: "receipt.3"), what: "A genuine receipt for version 1.0 of the app.",
                why: "A cracked old version keeps its receipt."
            ) { try receipt() }.asking { $0.appVersion = "2.0" },
            try .receipt(
                "volume-purchase-expired", .refused(.expired(Self.now.adding(days: -1)), at: "receipt.21"),
                what: "A volume purchase whose validity ended yesterday.", why: "Organizations take licenses back by letting them end."
            ) { try volumePurchase(until: Self.now.adding(days: -1)) }.asking { $0.time = Self.now.description },
            try .receipt(
                "too-old", .refused(.tooOld(Self.now), at: "receipt.12"), what: "It was made two days ago, where one hour is allowed.",
                why: "A receipt from before the refund, kept and shown again."
            ) { try receipt() }.asking { ($0.time, $0.maximumAge) = (Self.now.adding(days: 2).description, 3600) },
        ]
    }
}
