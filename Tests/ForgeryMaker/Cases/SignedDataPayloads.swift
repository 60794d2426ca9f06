import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension Workshop {
    /// JWS whose payload can be read in two ways, or in none.
    func signedDataPayloads() throws -> [Forgery] {
        [
            try .jws(
                "two-bundles", .refused(.malformed, at: "payload.bundleId"), what: "The payload has bundleId twice, another app's first.",
                why: "One parser takes the first and another the last: the one that checks need not be the one that acts."
            ) { try sign(transaction(#"{"bundleId""#, #"{"bundleId":"com.example.other","bundleId""#)) },
            try .jws(
                "two-bundles-escaped", .refused(.malformed, at: "payload"), what: #"The second one is spelled bundle\u0049d."#,
                why: "To one parser it is the same name, to another one it is not."
            ) { try sign(transaction(#"{"bundleId""#, #"{"bundle\u0049d":"com.example.other","bundleId""#)) },
            try .jws(
                "two-inner-members", .refused(.malformed, at: "payload.commitmentInfo.commitmentPrice"),
                what: "An object inside the payload has a member twice.", why: "Duplicates are looked for at the top, if at all."
            ) {
                let info = #""commitmentInfo":{"commitmentPrice":1,"commitmentPrice":99},"currency""#
                return try sign(transaction(#""currency""#, info))
            },
            try .jws(
                "payload-not-json", .refused(.malformed, at: "payload"), what: "The payload is a property list.",
                why: "Signed and genuine, and nothing that can be read."
            ) { try sign("<plist><dict/></plist>") },
            try .jws(
                "payload-array", .refused(.malformed, at: "payload"), what: "The payload is an array that holds the transaction.",
                why: "Code that looks up names in whatever comes reads nothing, and compares nothing with nothing."
            ) { try sign("[" + transaction() + "]") },
            try .jws(
                "payload-followed", .refused(.malformed, at: "payload"), what: "A second object follows the first one.",
                why: "Where one parser stops, another goes on."
            ) { try sign(transaction() + "{}") },
            try .jws(
                "payload-empty", .refused(.malformed, at: "payload"), what: "The payload is empty.",
                why: "A signature over nothing is a signature."
            ) { try sign("") },
            try .jws(
                "payload-not-utf8", .refused(.malformed, at: "payload"), what: "The payload is in UTF-16.",
                why: "JSON on the wire is UTF-8; parsers that guess can be made to guess."
            ) {
                let utf16 = try transaction().utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
                return try SignedDataIssuer(authority: store).sign(json: utf16)
            },
            try .jws(
                "payload-deep", .refused(.tooLarge(limit: 16), at: "payload.deep" + String(repeating: "[0]", count: 15)),
                what: "A member holds 500 arrays, each in the next.",
                why: "Parsers that call themselves for each level run out of stack."
            ) {
                let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
                return try sign(transaction(#""currency""#, #""deep":\#(deep),"currency""#))
            },
            try .jws(
                "payload-many-members", .refused(.tooLarge(limit: 256), at: "payload"), what: "The payload has 300 members more.",
                why: "Looking for duplicates costs the square of their number; without a limit that is an attack by itself."
            ) {
                let members = (0..<300).map { #""m\#($0)":0,"# }.joined()
                return try sign(transaction(#"{"bundleId""#, "{" + members + #""bundleId""#))
            },
            try .jws(
                "no-signed-date", .refused(.malformed, at: "payload.signedDate"), what: "The payload does not say when it was signed.",
                why: "The chain would be judged now: good today and bad tomorrow. And nobody could say which of two is the newer one."
            ) { try sign(transaction(#","signedDate":1738326896000"#, "")) },
            try .jws(
                "app-transaction-without-date", .appTransaction, .refused(.malformed, at: "payload.receiptCreationDate"),
                what: "An app transaction without receiptCreationDate, which is its date of signing.", why: "The same."
            ) { try sign(appTransaction().replacing(#""receiptCreationDate":1738326896000,"#, with: "")) },
            try .jws(
                "signed-date-text", .refused(.malformed, at: "payload.signedDate"), what: "The date of signing is a text.",
                why: "Languages that convert by themselves make 2025 milliseconds of it."
            ) { try sign(transaction(#""signedDate":1738326896000"#, #""signedDate":"2025-01-31""#)) },
            try .jws(
                "signed-in-1969", .refused(.validity, at: "header.x5c"), what: "It says that it was signed in 1969, before zero.",
                why: "Negative times overflow where times have no sign."
            ) { try sign(transaction { $0.signedDate = Timestamp(milliseconds: -86_400_000) }) },
            try .jws(
                "signed-in-3000", .refused(.validity, at: "header.x5c"), what: "It says that it was signed in the year 3000.",
                why: "No certificate is valid then, and a newer statement would never come: it would be the last word for ever."
            ) { try sign(transaction { $0.signedDate = Timestamp(milliseconds: 32_503_680_000_000) }) },
            try .jws(
                "signed-date-huge", .refused(.malformed, at: "payload.signedDate"), what: "The date of signing is 1e300.",
                why: "Converted without looking it ends the process, or becomes any number."
            ) { try sign(transaction(#""signedDate":1738326896000"#, #""signedDate":1e300"#)) },
            try .jws(
                "no-bundle", .refused(.malformed, at: "payload.bundleId"), what: "The payload names no app.",
                why: "Nothing compared with nothing is equal, in some languages."
            ) { try sign(transaction(#""bundleId":"com.example.monkeyshop","#, "")) },
            try .jws(
                "quantity-negative", .refused(.malformed, at: "payload.quantity"), what: "The quantity is -5.",
                why: "Added to an unsigned balance it makes somebody rich."
            ) { try sign(transaction(#""quantity":1"#, #""quantity":-5"#)) },
            try .jws(
                "quantity-too-long", .refused(.malformed, at: "payload"), what: "The quantity is 2^64.",
                why: "Cut to 64 bits it is 0."
            ) { try sign(transaction(#""quantity":1"#, #""quantity":18446744073709551616"#)) },
            try .jws(
                "renewal-info-as-transaction", .refused(.malformed, at: "payload.transactionId"),
                what: "Genuine renewal information, handed in where a transaction is expected.",
                why: "All kinds are signed by the same key, and only their members tell them apart."
            ) { try sign(json(RenewalInfoPayload.sample())) },
        ]
    }

    /// Genuine JWS for somebody or something else, and notifications with others inside.
    func signedDataChecks() throws -> [Forgery] {
        func stranger(_ payload: String) throws -> String { try sign(payload, by: self.stranger, ownRoot: true) }
        return [
            try .jws(
                "other-app", .refused(.foreignBundle("com.example.other"), at: "payload.bundleId"),
                what: "A genuine transaction of another app.",
                why: "The attacker buys one thing in an app of his own, and shows it everywhere."
            ) { try sign(transaction { $0.bundleId = "com.example.other" }) },
            try .jws(
                "bundle-with-kelvin-sign", .refused(.foreignBundle("com.example.\u{212A}iosk"), at: "payload.bundleId"),
                what: "In place of the K of com.example.Kiosk stands the sign for kelvin, U+212A.",
                why: "Unicode calls the two texts equal, and so do comparisons that normalize, Swift's among them."
            ) { try sign(transaction { $0.bundleId = "com.example.\u{212A}iosk" }) }.asking { $0.bundleID = "com.example.Kiosk" },
            try .jws(
                "sandbox-in-production", .refused(.foreignEnvironment("Sandbox"), at: "payload.environment"),
                what: "A genuine transaction of the sandbox, where only production is accepted.",
                why: "In the sandbox everything is free."
            ) { try sign(transaction()) }.asking { ($0.environments, $0.appAppleID) = (["Production"], 1_234_567_890) },
            try .jws(
                "production-under-local-root", .refused(.untrustedRoot, at: "header.x5c"),
                what: "It says that it is from production, which is accepted; the root that leads to it counts for the sandbox only.",
                why: "Whoever runs a test store could print real purchases. A list of roots without environments can't refuse it."
            ) { try sign(transaction { $0.environment = "Production" }) }.asking {
                ($0.environments, $0.appAppleID) = (["Production"], 1_234_567_890)
            },
            try .jws(
                "unknown-environment", .refused(.untrustedRoot, at: "header.x5c"), what: "Its environment is Staging.",
                why: "No root counts for what nobody knows; treating it as a test would be as wrong as treating it as real."
            ) { try sign(transaction { $0.environment = "Staging" }) },
            try .jws(
                "local-testing", .refused(.untrustedRoot, at: "header.x5c"),
                what: "It says LocalTesting, an environment in which Apple's own libraries check nothing.",
                why: "An environment in the payload must never decide whether the payload is checked."
            ) { try sign(transaction { $0.environment = "LocalTesting" }) },
            try .jws(
                "other-device", .refused(.foreignDevice, at: "payload.deviceVerification"), what: "It is bound to another device.",
                why: "One JWS, copied to every phone of a forum."
            ) {
                let seal = DeviceSeal(nonce: UUID(), deviceVerificationID: UUID())
                return try SignedDataIssuer(authority: store).sign(TransactionPayload.sample(), for: seal).compact
            }.asking { $0.deviceVerificationID = Self.deviceVerificationID.uuidString },
            try .jws(
                "too-old", .refused(.tooOld(Self.now), at: "payload.signedDate"),
                what: "It was signed two days ago, where an hour is allowed.",
                why: "A transaction from before the refund, kept and shown again."
            ) { try sign(transaction()) }.asking { ($0.time, $0.maximumAge) = (Self.now.adding(days: 2).description, 3600) },
            try .jws(
                "notification-strangers-transaction", .notification, .refused(.untrustedRoot, at: "data.signedTransactionInfo.header.x5c"),
                what: "A genuine notification, with a transaction inside that a stranger signed.",
                why: "Whoever checks the envelope only delivers what a stranger wrote. (The store would have to sign it.)"
            ) { try notification(transaction: stranger(transaction())) },
            try .jws(
                "notification-other-app-inside", .notification,
                .refused(.foreignBundle("com.example.other"), at: "data.signedTransactionInfo.payload.bundleId"),
                what: "A genuine notification of our app, with a genuine transaction of another app inside.",
                why: "Each is good by itself; together they give to one app what another one sold."
            ) { try notification(transaction: sign(transaction { $0.bundleId = "com.example.other" })) },
            try .jws(
                "notification-other-environment-inside", .notification,
                .refused(.untrustedRoot, at: "data.signedTransactionInfo.header.x5c"),
                what: "A notification of the sandbox, with a transaction inside that says Production.",
                why: "The environment of the envelope was checked; that of what is delivered was not."
            ) { try notification(transaction: sign(transaction { $0.environment = "Production" })) },
            try .jws(
                "notification-unsigned-renewal", .notification, .refused(.algorithm("none"), at: "data.signedRenewalInfo.header.alg"),
                what: "A genuine notification, with renewal information inside whose algorithm is none.",
                why: "The transaction was checked; what says whether it goes on was not."
            ) {
                let renewal = try sign(json(RenewalInfoPayload.sample()), header: { $0.algorithm = "none" }, signature: { _ in [] })
                return try notification(transaction: sign(transaction()), renewalInfo: renewal)
            },
            try .jws(
                "notification-changed-inside", .notification, .refused(.signature, at: "data.signedTransactionInfo.signature"),
                what: "A genuine notification, with a transaction inside that was changed after signing.",
                why: "The same, for a byte."
            ) {
                let parts = try sign(transaction()).split(separator: ".").map(String.init)
                let changed = Base64URL.encode(Array(try transaction(#""quantity":1"#, #""quantity":9"#).utf8))
                return try notification(transaction: [parts[0], changed, parts[2]].joined(separator: "."))
            },
            try .jws(
                "notification-kinds-mixed", .notification, .refused(.malformed, at: "data.signedTransactionInfo.payload.transactionId"),
                what: "In the place of the transaction lies genuine renewal information.",
                why: "Both are signed by the same key; what is in a place must be what belongs there."
            ) { try notification(transaction: sign(json(RenewalInfoPayload.sample()))) },
            try .jws(
                "notification-without-subject", .notification, .refused(.malformed, at: "payload"),
                what: "The notification has none of data, summary, externalPurchaseToken and appData.",
                why: "It states no app and no environment, so nothing could be compared."
            ) {
                try sign(#"{"notificationType":"TEST","notificationUUID":"1","signedDate":1738326896000,"version":"2.0"}"#)
            },
            try .jws(
                "notification-two-subjects", .notification, .refused(.malformed, at: "payload"),
                what: "The notification has data about our app and a summary about another one.",
                why: "The one that is compared need not be the one that is acted upon."
            ) {
                let summary =
                    #""summary":{"bundleId":"com.example.other","environment":"Sandbox","productId":"a","requestIdentifier":"1","#
                    + #""succeededCount":1,"failedCount":0},"version""#
                return try sign(json(NotificationPayload.sample()).replacing(#""version""#, with: summary))
            },
            try .jws(
                "notification-changed", .notification, .refused(.signature, at: "signature"),
                what: "The type was changed from REFUND to REFUND_DECLINED after signing; what is inside is genuine.",
                why: "The refund is what the attacker wants nobody to hear of."
            ) {
                let inside = try SignedTransaction(sign(transaction()))
                let parts = try sign(json(NotificationPayload.sample(type: "REFUND", transaction: inside))).split(separator: ".")
                let changed = try json(NotificationPayload.sample(type: "REFUND_DECLINED", transaction: inside))
                return [String(parts[0]), Base64URL.encode(Array(changed.utf8)), String(parts[2])].joined(separator: ".")
            },
        ]
    }
}
