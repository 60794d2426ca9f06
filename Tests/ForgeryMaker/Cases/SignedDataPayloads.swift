import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

extension ForgeryFactory {
    /// JWS whose payload can be read in two ways, or in none.
    func signedDataPayloads() throws -> [Forgery] {
        [
            try .jws(
                "two-bundles", .refused(.malformed, at: "payload.bundleId"), what: "The payload repeats bundleId, with another app first.",
                why: "One parser uses the first value and another the last, so that the verified value is not the used one."
            ) { try sign(transaction(#"{"bundleId""#, #"{"bundleId":"com.example.other","bundleId""#)) },
            try .jws(
                "two-bundles-escaped", .refused(.malformed, at: "payload"),
                what: #"The second bundleId has the escaped name bundle\u0049d."#,
                why: "One parser reads the two names as equal, and another does not."
            ) { try sign(transaction(#"{"bundleId""#, #"{"bundle\u0049d":"com.example.other","bundleId""#)) },
            try .jws(
                "two-inner-members", .refused(.malformed, at: "payload.commitmentInfo.commitmentPrice"),
                what: "A nested object in the payload repeats a member.",
                why: "Code that checks for repeated members often checks the outermost object only."
            ) {
                let info = #""commitmentInfo":{"commitmentPrice":1,"commitmentPrice":99},"currency""#
                return try sign(transaction(#""currency""#, info))
            },
            try .jws(
                "payload-not-json", .refused(.malformed, at: "payload"), what: "The payload is a property list.",
                why: "The payload is genuine and signed, but unreadable."
            ) { try sign("<plist><dict/></plist>") },
            try .jws(
                "payload-array", .refused(.malformed, at: "payload"), what: "The payload is an array with the transaction.",
                why: "Code that looks up members without a type check finds none, and compares missing values."
            ) { try sign("[" + transaction() + "]") },
            try .jws(
                "payload-followed", .refused(.malformed, at: "payload"), what: "A second object follows the first.",
                why: "Parsers disagree about the end of the payload."
            ) { try sign(transaction() + "{}") },
            try .jws(
                "payload-empty", .refused(.malformed, at: "payload"), what: "The payload is empty.",
                why: "A signature over an empty payload can be valid."
            ) { try sign("") },
            try .jws(
                "payload-not-utf8", .refused(.malformed, at: "payload"), what: "The payload is in UTF-16.",
                why: "JSON between systems is UTF-8. A parser that detects encodings can be misled."
            ) {
                let utf16 = try transaction().utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
                return try SignedDataIssuer(authority: store).sign(json: utf16)
            },
            try .jws(
                "payload-deep", .refused(.tooLarge(limit: 16), at: "payload.deep" + String(repeating: "[0]", count: 15)),
                what: "A member has 500 nested arrays.",
                why: "A recursive parser exhausts the stack."
            ) {
                let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
                return try sign(transaction(#""currency""#, #""deep":\#(deep),"currency""#))
            },
            try .jws(
                "payload-many-members", .refused(.tooLarge(limit: 256), at: "payload"), what: "The payload has 300 additional members.",
                why: "The search for repeated members takes quadratic time. Without a limit, that is a denial of service."
            ) {
                let members = (0..<300).map { #""m\#($0)":0,"# }.joined()
                return try sign(transaction(#"{"bundleId""#, "{" + members + #""bundleId""#))
            },
            try .jws(
                "no-signed-date", .refused(.malformed, at: "payload.signedDate"), what: "The payload has no signedDate.",
                why: "The chain would be verified at the current date, and two versions of a transaction could not be ordered."
            ) { try sign(transaction(#","signedDate":1738326896000"#, "")) },
            try .jws(
                "app-transaction-without-date", .appTransaction, .refused(.malformed, at: "payload.receiptCreationDate"),
                what: "The app transaction has no receiptCreationDate, which is its signing date.",
                why: "The chain would be verified at the current date."
            ) { try sign(appTransaction().replacing(#""receiptCreationDate":1738326896000,"#, with: "")) },
            try .jws(
                "signed-date-text", .refused(.malformed, at: "payload.signedDate"), what: "The signing date is a string.",
                why: "A language with implicit conversions reads the string as 2025 milliseconds."
            ) { try sign(transaction(#""signedDate":1738326896000"#, #""signedDate":"2025-01-31""#)) },
            try .jws(
                "signed-in-1969", .refused(.validity, at: "header.x5c"), what: "The signing date is in 1969, before the epoch.",
                why: "Negative timestamps overflow in unsigned integers."
            ) { try sign(transaction { $0.signedDate = Timestamp(milliseconds: -86_400_000) }) },
            try .jws(
                "signed-in-3000", .refused(.validity, at: "header.x5c"), what: "The signing date is in the year 3000.",
                why: "No certificate is valid at that date, and no later transaction could ever replace this one."
            ) { try sign(transaction { $0.signedDate = Timestamp(milliseconds: 32_503_680_000_000) }) },
            try .jws(
                "signed-date-huge", .refused(.malformed, at: "payload.signedDate"), what: "The signing date is 1e300.",
                why: "An unchecked conversion ends the process, or returns any number."
            ) { try sign(transaction(#""signedDate":1738326896000"#, #""signedDate":1e300"#)) },
            try .jws(
                "no-bundle", .refused(.missingMember("bundleId"), at: "payload.bundleId"), what: "The payload has no bundle identifier.",
                why: "In some languages, two missing values are equal."
            ) { try sign(transaction(#""bundleId":"com.example.monkeyshop","#, "")) },
            try .jws(
                "quantity-negative", .refused(.malformed, at: "payload.quantity"), what: "The quantity is -5.",
                why: "Added to an unsigned balance, a negative quantity becomes a huge one."
            ) { try sign(transaction(#""quantity":1"#, #""quantity":-5"#)) },
            try .jws(
                "quantity-too-long", .refused(.malformed, at: "payload.quantity"), what: "The quantity is 2^64.",
                why: "Truncated to 64 bits, the quantity is 0."
            ) { try sign(transaction(#""quantity":1"#, #""quantity":18446744073709551616"#)) },
            try .jws(
                "renewal-info-as-transaction", .refused(.malformed, at: "payload.transactionId"),
                what: "Genuine renewal information, where a transaction is expected.",
                why: "The same key signs all kinds of payloads, and only their members distinguish them."
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
                why: "An attacker can purchase an item in one app and present the transaction to all apps."
            ) { try sign(transaction { $0.bundleId = "com.example.other" }) },
            try .jws(
                "bundle-with-kelvin-sign", .refused(.foreignBundle("com.example.\u{212A}iosk"), at: "payload.bundleId"),
                what: "The Kelvin sign, U+212A, replaces the K of com.example.Kiosk.",
                why: "The strings are canonically equivalent, so that a comparison with normalization, such as Swift's, is true."
            ) { try sign(transaction { $0.bundleId = "com.example.\u{212A}iosk" }) }.withVerification { $0.bundleID = "com.example.Kiosk" },
            try .jws(
                "sandbox-in-production", .refused(.foreignEnvironment("Sandbox"), at: "payload.environment"),
                what: "A genuine sandbox transaction, where only production is accepted.",
                why: "Purchases in the sandbox are free."
            ) { try sign(transaction()) }.withVerification { ($0.environments, $0.appAppleID) = (["Production"], 1_234_567_890) },
            try .jws(
                "production-under-local-root", .refused(.untrustedRoot, at: "header.x5c"),
                what: "The transaction claims production, which is accepted, but its root is trusted for the sandbox only.",
                why: "Otherwise, a test store could issue production purchases. Roots without environments cannot prevent that."
            ) { try sign(transaction { $0.environment = "Production" }) }.withVerification {
                ($0.environments, $0.appAppleID) = (["Production"], 1_234_567_890)
            },
            try .jws(
                "unknown-environment", .refused(.untrustedRoot, at: "header.x5c"), what: "The environment is Staging.",
                why: "No root is trusted for an unknown environment, which must count neither as a test nor as production."
            ) { try sign(transaction { $0.environment = "Staging" }) },
            try .jws(
                "local-testing", .refused(.untrustedRoot, at: "header.x5c"),
                what: "The environment is LocalTesting, in which Apple's libraries verify nothing.",
                why: "The environment in a payload must not decide whether the payload is verified."
            ) { try sign(transaction { $0.environment = "LocalTesting" }) },
            try .jws(
                "other-device", .refused(.foreignDevice, at: "payload.deviceVerification"), what: "The JWS is bound to another device.",
                why: "Otherwise, one JWS could be copied to any number of devices."
            ) {
                let deviceBinding = DeviceBinding(nonce: UUID(), deviceVerificationID: UUID())
                return try SignedDataIssuer(authority: store).sign(TransactionPayload.sample(), for: deviceBinding).compact
            }.withVerification { $0.deviceVerificationID = Self.deviceVerificationID.uuidString },
            try .jws(
                "too-old", .refused(.tooOld(Self.now), at: "payload.signedDate"),
                what: "The JWS was signed two days ago, where one hour is allowed.",
                why: "A customer could keep a transaction from before a refund and present it again."
            ) { try sign(transaction()) }.withVerification { ($0.time, $0.maximumAge) = (Self.now.adding(days: 2).description, 3600) },
            try .jws(
                "notification-strangers-transaction", .notification, .refused(.untrustedRoot, at: "data.signedTransactionInfo.header.x5c"),
                what: "A genuine notification with a nested transaction of a foreign signer.",
                why: "Code that verifies only the notification delivers foreign data. (The store would have to sign the notification.)"
            ) { try notification(transaction: stranger(transaction())) },
            try .jws(
                "notification-other-app-inside", .notification,
                .refused(.foreignBundle("com.example.other"), at: "data.signedTransactionInfo.payload.bundleId"),
                what: "A genuine notification of this app with a genuine nested transaction of another app.",
                why: "Each JWS is genuine, but together they deliver a purchase of another app."
            ) { try notification(transaction: sign(transaction { $0.bundleId = "com.example.other" })) },
            try .jws(
                "notification-other-environment-inside", .notification,
                .refused(.untrustedRoot, at: "data.signedTransactionInfo.header.x5c"),
                what: "A sandbox notification with a nested transaction that claims production.",
                why: "Code that verifies only the environment of the notification delivers data of another environment."
            ) { try notification(transaction: sign(transaction { $0.environment = "Production" })) },
            try .jws(
                "notification-unsigned-renewal", .notification, .refused(.algorithm("none"), at: "data.signedRenewalInfo.header.alg"),
                what: "A genuine notification with nested renewal information whose algorithm is none.",
                why: "Code that verifies only the transaction trusts unsigned renewal information."
            ) {
                let renewal = try sign(json(RenewalInfoPayload.sample()), header: { $0.algorithm = "none" }, signature: { _ in [] })
                return try notification(transaction: sign(transaction()), renewalInfo: renewal)
            },
            try .jws(
                "notification-changed-inside", .notification, .refused(.signature, at: "data.signedTransactionInfo.signature"),
                what: "A genuine notification with a nested transaction that was changed after signing.",
                why: "Code that verifies only the notification delivers a changed transaction."
            ) {
                let parts = try sign(transaction()).split(separator: ".").map(String.init)
                let changed = Base64URL.encode(Array(try transaction(#""quantity":1"#, #""quantity":9"#).utf8))
                return try notification(transaction: [parts[0], changed, parts[2]].joined(separator: "."))
            },
            try .jws(
                "notification-kinds-mixed", .notification, .refused(.malformed, at: "data.signedTransactionInfo.payload.transactionId"),
                what: "A notification with genuine renewal information in place of the transaction.",
                why: "The same key signs both. Each nested JWS must have the kind of its member."
            ) { try notification(transaction: sign(json(RenewalInfoPayload.sample()))) },
            try .jws(
                "notification-without-subject", .notification, .refused(.missingMember("bundleId"), at: "payload.bundleId"),
                what: "The notification has none of data, summary, externalPurchaseToken and appData.",
                why: "Without a subject, there is no app and no environment to verify."
            ) {
                try sign(#"{"notificationType":"TEST","notificationUUID":"1","signedDate":1738326896000,"version":"2.0"}"#)
            },
            try .jws(
                "notification-two-subjects", .notification, .refused(.malformed, at: "payload"),
                what: "The notification has data about this app and a summary about another one.",
                why: "The verified subject may not be the used one."
            ) {
                let summary =
                    #""summary":{"bundleId":"com.example.other","environment":"Sandbox","productId":"a","requestIdentifier":"1","#
                    + #""succeededCount":1,"failedCount":0},"version""#
                return try sign(json(NotificationPayload.sample()).replacing(#""version""#, with: summary))
            },
            try .jws(
                "notification-changed", .notification, .refused(.signature, at: "signature"),
                what: "The type was changed from REFUND to REFUND_DECLINED after signing. The nested JWS is genuine.",
                why: "An attacker can hide a refund this way."
            ) {
                let inside = try SignedTransaction(sign(transaction()))
                let parts = try sign(json(NotificationPayload.sample(type: "REFUND", transaction: inside))).split(separator: ".")
                let changed = try json(NotificationPayload.sample(type: "REFUND_DECLINED", transaction: inside))
                return [String(parts[0]), Base64URL.encode(Array(changed.utf8)), String(parts[2])].joined(separator: ".")
            },
        ]
    }
}
