import Foundation
import FoundationExtras
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseProof

/// Tests of genuine data that lacks a member: `environment`, as in 2021, or `bundleId`.
@Suite struct UnstatedMemberTests {
    private static let issuer = TestAuthority.shared.signedData
    /// A production transaction as the App Store signed it in 2021.
    private static let transaction = """
        {"transactionId":"20000900000001","originalTransactionId":"20000900000001","bundleId":"com.example.monkeyshop","productId":"coins",\
        "purchaseDate":1630024276000,"originalPurchaseDate":1630024276000,"quantity":1,"type":"Consumable","inAppOwnershipType":"PURCHASED",\
        "signedDate":\(Timestamp.testStart.milliseconds),"revocationReason":0,"revocationDate":1640921788000}
        """
    private static let renewalInfo = """
        {"originalTransactionId":"20000900000001","productId":"coins","autoRenewProductId":"coins","autoRenewStatus":1,\
        "signedDate":\(Timestamp.testStart.milliseconds)}
        """
    private static let transactionWithoutApp = """
        {"transactionId":"180000300000001","originalTransactionId":"180000300000001","productId":"nc","purchaseDate":1718160072229,\
        "originalPurchaseDate":1718160072229,"quantity":1,"type":"Non-Consumable","inAppOwnershipType":"PURCHASED",\
        "signedDate":\(Timestamp.testStart.milliseconds),"environment":"Sandbox","transactionReason":"PURCHASE","storefront":"FRA"}
        """

    /// Roots of which the test's is trusted in production and in the sandbox, as Apple's are.
    private static func ambiguousRoots() throws -> TrustedRoots { try .localStore(TestAuthority.shared.authority.rootsPEM) }

    private static func verifier(_ environments: Set<AppEnvironment>) throws -> SignedDataVerifier {
        SignedDataVerifier(roots: try ambiguousRoots(), bundleID: .test, environments: environments)
    }

    private static func sign<Payload>(_ json: String) throws -> Signed<Payload> { Signed(try issuer.sign(json: Array(json.utf8))) }

    private static func notification(environment: String = "", nested: String = "") throws -> SignedNotification {
        func stated(_ json: String) -> String { nested.isEmpty ? json : json.dropLast() + #","environment":"\#(nested)"}"# }
        let transaction: SignedTransaction = try sign(stated(Self.transaction))
        let renewal: SignedRenewalInfo = try sign(stated(Self.renewalInfo))
        let member = environment.isEmpty ? "" : #""environment":"\#(environment)","#
        return try sign(
            """
            {"notificationType":"DID_RENEW","notificationUUID":"1","version":"2.0","signedDate":\(Timestamp.testStart.milliseconds),\
            "data":{"bundleId":"com.example.monkeyshop",\(member)"signedTransactionInfo":"\(transaction.compact)",\
            "signedRenewalInfo":"\(renewal.compact)"}}
            """)
    }

    @Test(arguments: [AppEnvironment.production, .sandbox])
    func `data of 2021 is not believed to be from the one environment that is accepted, unless the caller says so`(
        _ environment: AppEnvironment
    ) async throws {
        let (verifier, signed): (_, SignedTransaction) = (try Self.verifier([environment]), try Self.sign(Self.transaction))
        await #expect(throws: VerificationFailure.refused(.foreignEnvironment("unknown"), at: "payload.environment")) {
            try await verifier.verify(signed)
        }
        #expect(try await verifier.assuming(environment: environment).verify(signed).environment == environment)
    }

    @Test func `data of 2021 without an environment is verified, and its environment is unknown`() async throws {
        let verifier = try Self.verifier([.production, .sandbox])
        // The second verification uses the cached chain.
        for _ in 0..<2 {
            let verified = try await verifier.verify(Self.sign(Self.transaction) as SignedTransaction)
            #expect(verified.environment == nil && verified.payload.environment == "" && verified.payload.transactionId == "20000900000001")
            let renewal = try await verifier.verify(Self.sign(Self.renewalInfo) as SignedRenewalInfo)
            #expect(renewal.environment == nil && renewal.payload.environment == "")
            let notification = try await verifier.verify(Self.notification())
            #expect(notification.notification.environment == nil && notification.notification.payload.data?.environment == "")
            #expect(notification.transaction?.payload.environment == "" && notification.renewalInfo?.environment == nil)
        }
        let signed: SignedTransaction = try Self.sign(Self.transaction)
        let report = await verifier.explainAny(signed.compact)
        #expect(report.kind == .transaction && report.explanation.result == .verified)
        #expect(report.explanation.steps.contains { $0.name == "environment" && $0.observed == "not stated, unknown" })
    }

    @Test func `an environment that the caller assumes is that of data without one`() async throws {
        let assuming = try Self.verifier([.production]).assuming(environment: .production)
        let signed: SignedTransaction = try Self.sign(Self.transaction)
        #expect(try await assuming.verify(signed).environment == .production)
        #expect(try await assuming.verify(Self.notification()).transaction?.environment == .production)
        let sandbox = assuming.assuming(environment: .sandbox)
        await #expect(throws: VerificationFailure.refused(.foreignEnvironment("Sandbox"), at: "payload.environment")) {
            try await sandbox.verify(signed)
        }
        // The assumption does not replace an environment that the data states.
        let stated = try Self.issuer.sign(TransactionPayload.sample())
        await #expect(throws: VerificationFailure.refused(.foreignEnvironment("Sandbox"), at: "payload.environment")) {
            try await assuming.verify(stated)
        }
    }

    @Test func `a root that is trusted in one environment implies it`() async throws {
        let signed: SignedTransaction = try Self.sign(Self.transaction)
        #expect(try await TestAuthority.shared.verifier().verify(signed).environment == .sandbox)
        let production = SignedDataVerifier(roots: try TestAuthority.shared.roots, bundleID: .test, environments: [.production])
        await #expect(throws: VerificationFailure.refused(.foreignEnvironment("Sandbox"), at: "payload.environment")) {
            try await production.verify(signed)
        }
        let stranger: SignedTransaction = Signed(try TestAuthority.other.signedData.sign(json: Array(Self.transaction.utf8)))
        await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "header.x5c")) { try await production.verify(stranger) }
        let xcode = SignedDataVerifier(roots: try Self.ambiguousRoots(), bundleID: .test, environments: [.xcode])
        await #expect(throws: VerificationFailure.refused(.foreignEnvironment("unknown"), at: "payload.environment")) {
            try await xcode.verify(signed)
        }
    }

    @Test func `a notification and its JWS state one environment together`() async throws {
        let verifier = try Self.verifier([.production, .sandbox])
        let outer = try await verifier.verify(Self.notification(environment: "Production"))
        #expect(outer.transaction?.environment == .production && outer.renewalInfo?.environment == .production)
        let inner = try await verifier.verify(Self.notification(nested: "Sandbox"))
        #expect(inner.notification.environment == nil && inner.transaction?.environment == .sandbox)
        let mixed = await verifier.outcome(of: try Self.notification(environment: "Production", nested: "Sandbox"))
        #expect(mixed.reason == .foreignEnvironment("Sandbox"))
    }

    @Test func `the number of the app is compared as far as data of an unknown environment states one`() async throws {
        let checks: [any SignedDataCheck] = [AppAppleIDCheck(7)]
        let verifier = SignedDataVerifier(
            roots: try Self.ambiguousRoots(), bundleID: .test, environments: [.production, .sandbox], checks: checks)
        _ = try await verifier.verify(Self.notification())
        let json = """
            {"notificationType":"TEST","notificationUUID":"1","signedDate":\(Timestamp.testStart.milliseconds),\
            "data":{"bundleId":"com.example.monkeyshop","appAppleId":8}}
            """
        await #expect(throws: VerificationFailure.refused(.foreignApp(8), at: "payload.data.appAppleId")) {
            try await verifier.verify(Self.sign(json) as SignedNotification)
        }
    }

    @Test func `a transaction without an app is authentic, and refused for the missing member`() async throws {
        let signed: SignedTransaction = try Self.sign(Self.transactionWithoutApp)
        let verifier = try TestAuthority.shared.verifier()
        let failure = VerificationFailure.refused(.missingMember("bundleId"), at: "payload.bundleId")
        await #expect(throws: failure) { try await verifier.verify(signed) }
        let explanation = await verifier.explain(signed).explanation
        #expect(explanation.reason == "missing_member" && explanation.message?.contains("lacks the member bundleId") == true)
        // Also a verifier without a check of the app refuses it.
        let anyApp = SignedDataVerifier(roots: try TestAuthority.shared.roots, EnvironmentCheck([.sandbox]))
        await #expect(throws: failure) { try await anyApp.verify(signed) }
        // A forged one is not authentic.
        let forged: SignedTransaction = Signed(try TestAuthority.other.signedData.sign(json: Array(Self.transactionWithoutApp.utf8)))
        await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "header.x5c")) { try await verifier.verify(forged) }
    }

    @Test func `a transaction without an app is accepted where its source names the app`() async throws {
        let signed: SignedTransaction = try Self.sign(Self.transactionWithoutApp)
        let verifier = try TestAuthority.shared.verifier()
        let verified = try await verifier.assuming(bundleID: .test).verify(signed)
        #expect(verified.payload.productId == "nc" && verified.payload.bundleId == "" && verified.environment == .sandbox)
        // The payload is encoded as it was signed.
        let encoded = String(decoding: try WireJSON.encode(verified.payload), as: UTF8.self)
        #expect(!encoded.contains("bundleId"))
        await #expect(throws: VerificationFailure.refused(.foreignBundle("com.example.other"), at: "payload.bundleId")) {
            try await verifier.assuming(bundleID: "com.example.other").verify(signed)
        }
    }

    @Test(arguments: ["transactionId", "productId", "signedDate"])
    func `a member that the verification needs makes data malformed, and is named`(_ member: String) async throws {
        let json = Self.transaction.replacing(#""\#(member)""#, with: #""x""#)
        let outcome = await TestAuthority.shared.verifierOutcome(of: try Self.sign(json))
        guard case .refused(let refusal) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(refusal == Refusal(.malformed, at: "payload.\(member)") && refusal.message.contains("missing"))
    }
}

extension VerificationOutcome {
    fileprivate var reason: Refusal.Reason? { if case .refused(let refusal) = self { refusal.reason } else { nil } }
}

extension TestAuthority {
    fileprivate func verifierOutcome(of signed: SignedTransaction) async -> VerificationOutcome<VerifiedTransaction> {
        do { return await (try verifier()).outcome(of: signed) } catch { return .refused(Refusal(.custom("test"), at: "\(error)")) }
    }
}
