import Foundation
import FoundationExtras
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire
import WireClient

@testable import LocalAppStore

@Suite struct FaultTests {
    private func run(
        over setup: TestingSetup = .router, at location: DatabaseLocation = .memory,
        _ body: @escaping @Sendable (StoreHarness) async throws -> Void
    ) async throws {
        try await StoreHarness.run(at: location, over: setup, makeAuthority: { try TestStores.authority(now: $0) }, body)
    }

    @discardableResult
    private func set(
        _ kind: FaultKind, count: Int? = 1, in harness: StoreHarness, _ change: (inout Fault) -> Void = { _ in }
    ) async throws -> EnabledFault {
        var fault = Fault(kind, count: count)
        change(&fault)
        return try await harness.call(ControlEndpoints.setFault, fault)
    }

    private func faultEvents(_ harness: StoreHarness) async throws -> [String] {
        try await harness.store.storeServices.events.events(after: 0, limit: 1000).filter { $0.kind == .fault }.compactMap(\.detail)
            .filter { $0.contains("applied to") }
    }

    @Test func `after a lost reply, the repeated payment yields the same transaction and is charged once`() async throws {
        try await run(over: .live) { harness in
            let phone = try await harness.signIn()
            try await set(.lostReply, in: harness) { $0.path = DeviceEndpoints.purchase.template }
            let url = harness.url
            let request = PurchaseRequest(payment: PaymentID(UUID()), productID: .book, quantity: 1, appAccountToken: nil)
            let client = WireClient(baseURL: url)
            await #expect(throws: WireClientError.unreachable) {
                try await client.call(DeviceEndpoints.purchase, request, token: phone.token)
            }
            let charged = try await harness.charges()
            #expect(charged.count == 1)
            guard case .purchased(let signed, _) = try await client.call(DeviceEndpoints.purchase, request, token: phone.token) else {
                throw SignedInDevice.NotPurchased()
            }
            #expect(try await harness.verifier.verify(signed).payload.transactionId == charged.first?.transactionID)
            #expect(try await harness.charges() == charged)
            #expect(try await faultEvents(harness) == ["lost reply applied to /device/v1/purchases"])
        }
    }

    @Test func `a status fault replaces the given number of calls`() async throws {
        try await run { harness in
            let phone = try await harness.signIn()
            try await set(.status(code: 503, retryAfterSeconds: 7), count: 2, in: harness) { $0.productID = .book }
            _ = try await phone.buy(.credits)
            for _ in 0..<2 {
                await #expect(throws: Refused(status: 503, code: "fault.status")) { try await phone.buy(.book) }
            }
            #expect(try await harness.charges().count == 1)
            _ = try await phone.buy(.book)
            #expect(try await harness.call(ControlEndpoints.faults, Empty()).faults.isEmpty)
        }
    }

    @Test func `each API answers 429 in its format`() async throws {
        try await run { harness in
            try await set(.status(code: 429, retryAfterSeconds: 60), count: nil, in: harness)
            let api = try await harness.send(.get, "/inApps/v1/transactions/1")
            #expect(api.status == .tooManyRequests)
            #expect(api.headers[.retryAfter] == String(harness.clock.now.adding(seconds: 60).milliseconds))
            #expect(String(buffer: api.body).contains("4290000"))
            let device = try await harness.send(.post, DeviceEndpoints.products.template, [:], ByteBuffer(string: "{}"))
            #expect(device.headers[.retryAfter] == "60")
            #expect(try await harness.send(.get, "/control/v1/clock").status == .ok)
        }
    }

    @Test func `a delay fault delays the reply`() async throws {
        try await run { harness in
            let phone = try await harness.signIn()
            try await set(.delay(milliseconds: 150), in: harness) { $0.account = phone.account }
            let start = ContinuousClock.now
            _ = try await phone.buy(.book)
            #expect(ContinuousClock.now - start >= .milliseconds(150))
        }
    }

    @Test func `faults make verifyReceipt answer with any status or with the page of an outage`() async throws {
        try await run { harness in
            let receipt = try await harness.signIn().receipt()
            let request = ByteBuffer(data: try WireJSON.encode(VerifyReceiptRequest(receiptData: receipt.base64EncodedString())))
            try await set(.verifyReceiptStatus(code: 21_104, isRetryable: true), in: harness) { $0.bundleID = .test }
            try await set(.verifyReceiptOutage, in: harness)
            let first = try await harness.send(.post, "/sandbox/verifyReceipt", [:], request)
            #expect(first.status == .ok && String(buffer: first.body) == #"{"is_retryable":true,"status":21104}"#)
            let second = try await harness.send(.post, "/sandbox/verifyReceipt", [:], request)
            #expect(second.status == .serviceUnavailable)
            #expect(String(buffer: second.body) == "<html><body><b>Http/1.1 Service Unavailable</b></body> </html>")
            let third = try await harness.send(.post, "/sandbox/verifyReceipt", [:], request)
            #expect(try WireJSON.decode(VerifyReceiptResponse.self, from: Data(buffer: third.body)).status == .valid)
        }
    }

    @Test func `a fault refuses a purchase with the given code, and nothing is charged`() async throws {
        try await run { harness in
            let phone = try await harness.signIn()
            try await set(.purchaseRefused(code: 2), in: harness)
            guard case .refused(let code, _) = try await phone.purchase(.book) else { throw SignedInDevice.NotPurchased() }
            #expect(code == 2)
            #expect(try await harness.charges().isEmpty)
            _ = try await phone.buy(.book)
        }
    }

    @Test func `a clock skew changes the signed date and the Date header`() async throws {
        try await run(over: .live) { harness in
            let phone = try await harness.signIn()
            try await set(.clockSkew(seconds: -3600), in: harness)
            #expect(try await phone.buy(.book).signedDate == harness.clock.now.adding(seconds: -3600))
            #expect(try await phone.buy(.credits).signedDate == harness.clock.now)
            try await set(.clockSkew(seconds: 3600), in: harness)
            var headers: HTTPFields = [:]
            headers[.authorization] = "Bearer \(phone.token)"
            let response = try await harness.send(.post, DeviceEndpoints.unfinished.template, headers, ByteBuffer(string: "{}"))
            #expect(response.headers[.date] == "Fri, 31 Jan 2025 13:34:56 GMT")
            #expect(response.headers[.wrongDate] == nil)
        }
    }

    @Test(arguments: [
        (SigningFault.expiredIntermediate, Refusal.Reason.validity), (.leafWithoutMarker, .marker), (.wrongRoot, .untrustedRoot),
        (.swappedChain, .chain), (.changedPayload, .signature), (.wrongKey, .signature), (.noX5C, .malformed),
    ])
    func `a signing fault for one account makes its signatures invalid, and no others`(
        _ fault: SigningFault, _ reason: Refusal.Reason
    ) async throws {
        try await run { harness in
            let (ada, ben) = (try await harness.signIn(), try await harness.signIn("ben@example.com"))
            try await set(.signing(fault: fault.rawValue), count: nil, in: harness) { ($0.account, $0.surface) = (ada.account, .device) }
            _ = try await ben.buy(.book)
            let signed = try await ada.signedPurchase(.book)
            guard case .refused(let refusal) = await harness.verifier.outcome(of: signed) else {
                Issue.record("a signature with the fault \(fault) was verified")
                return
            }
            #expect(refusal.reason == reason)
            // The notifications have valid signatures.
            #expect(try await harness.notifications().count == 2)
        }
    }

    @Test func `signing faults apply to notifications and receipts`() async throws {
        try await run { harness in
            try await set(.signing(fault: "wrongKey"), in: harness) { $0.surface = .notifications }
            let phone = try await harness.signIn()
            _ = try await phone.buy(.book)
            await #expect(throws: VerificationFailure.self) { try await harness.notifications() }
            try await set(.signing(fault: "wrongKey"), in: harness)
            let receipt = try await phone.receipt()
            let verifier = ReceiptVerifier(roots: harness.store.roots, BundleCheck(.test))
            await #expect(throws: VerificationFailure.self) { try await verifier.verify([UInt8](receipt)) }
            _ = try await verifier.verify([UInt8](try await phone.receipt()))
        }
    }

    @Test func `faults lose, duplicate, reorder and delay notifications`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await run { harness in
                try await harness.store.setNotificationURL(url)
                let phone = try await harness.signIn()
                func buy() async throws -> TransactionID {
                    let id = try await phone.buy(.credits).transactionId
                    try await harness.store.deliverNotifications()
                    return id
                }
                func received() async throws -> [TransactionID?] {
                    try await receiver.received.asyncMap { try await harness.verifier.verify($0).transaction?.payload.transactionId }
                }
                try await set(.notificationLost, in: harness)
                _ = try await buy()
                #expect(receiver.received.isEmpty)
                try await set(.notificationDuplicated, in: harness)
                let duplicated = try await buy()
                #expect(try await received() == [duplicated, duplicated])
                try await set(.notificationReordered, count: 2, in: harness)
                let (first, second) = (try await buy(), try await buy())
                #expect(receiver.received.count == 2)
                let following = try await buy()
                #expect(try await received() == [duplicated, duplicated, following, second, first])
                try await set(.notificationDelayed(seconds: 600), in: harness)
                let late = try await buy()
                #expect(receiver.received.count == 5)
                try await harness.advance(seconds: 600)
                #expect(try await received().last == late)
                #expect(try await faultEvents(harness).count == 5)
            }
        }
    }

    @Test func `a held notification is sent after an hour if no other notification follows`() async throws {
        let receiver = NotificationReceiver()
        try await receiver.listen { url in
            try await run { harness in
                try await harness.store.setNotificationURL(url)
                try await set(.notificationReordered, in: harness)
                _ = try await harness.signIn().buy(.book)
                try await harness.advance(seconds: 3_599)
                #expect(receiver.received.isEmpty)
                try await harness.advance(seconds: 1)
                #expect(receiver.received.count == 1)
            }
        }
    }

    @Test func `the count of a fault survives a restart`() async throws {
        let folder = try TemporaryFolder()
        let file = DatabaseLocation.file(folder.url.appending(path: "store.sqlite").path)
        try await run(at: file) { harness in
            try await set(.purchaseRefused(code: 2), count: 2, in: harness)
            _ = try await harness.signIn().purchase(.book)
        }
        try await run(at: file) { harness in
            #expect(try await harness.call(ControlEndpoints.faults, Empty()).faults.map(\.fault.count) == [1])
            let phone = try await harness.signIn()
            guard case .refused = try await phone.purchase(.book) else { throw SignedInDevice.NotPurchased() }
            _ = try await phone.buy(.book)
        }
    }

    @Test func `faults are cleared one by one or all at once, and invalid faults are refused`() async throws {
        try await run { harness in
            let first = try await set(.lostReply, count: nil, in: harness)
            try await set(.delay(milliseconds: 1), count: nil, in: harness)
            try await set(.verifyReceiptOutage, count: nil, in: harness)
            _ = try await harness.call(ControlEndpoints.clearFault, Empty(), ["fault": String(first.id)])
            #expect(try await harness.call(ControlEndpoints.faults, Empty()).faults.count == 2)
            _ = try await harness.call(ControlEndpoints.clearFaults, Empty())
            #expect(try await harness.call(ControlEndpoints.faults, Empty()).faults.isEmpty)
            for kind in [
                FaultKind.status(code: 200, retryAfterSeconds: nil), .delay(milliseconds: -1), .signing(fault: "unknown"),
                .verifyReceiptStatus(code: 7, isRetryable: nil),
            ] {
                await #expect(throws: Refused.self) { try await set(kind, in: harness) }
            }
            await #expect(throws: Refused(status: 400, code: "request.invalid-value")) { try await set(.lostReply, count: 0, in: harness) }
        }
    }
}
