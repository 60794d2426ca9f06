import AppStoreServerAPI
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

/// The seats and groups of the local store, through the client of the App Store Server API.
@Suite struct SeatTests {
    private static let request = "0b0f6c3e-5f0c-4d55-9a37-2d8f4f6f1a11"

    /// Buys seats, and returns the original transaction identifier.
    private static func bought(
        _ store: StoreHarness, _ seats: Int?, _ product: ProductID = "team.monthly"
    ) async throws -> TransactionID {
        let reply = try await store.call(ControlEndpoints.buy, BuyRequest(account: .test, productID: product, seats: seats))
        guard case .purchased(let signed, _) = reply else { throw SignedInDevice.NotPurchased() }
        return try await store.payloads([signed])[0].originalTransactionId
    }

    private static func error(_ call: () async throws -> Void) async throws -> ServerAPIError? {
        do { try await call() } catch let error as AppStoreServerAPIError { return error.apiError }
        return nil
    }

    @Test func `claims occupy seats until they are released, and a repeated request makes one claim`() async throws {
        try await StoreHarness.listen(storekit: SeatCatalog.storekit(.developer)) { store in
            let (api, id) = (try store.serverAPI(), try await Self.bought(store, 2))
            let claim = ClaimSeatRequest(requestIdentifier: Self.request)
            let first = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: claim).seatClaimId
            #expect(try await api.claimSeat(originalTransactionId: id, claimSeatRequest: claim).seatClaimId == first)
            let other = ClaimSeatRequest(requestIdentifier: "1b0f6c3e-5f0c-4d55-9a37-2d8f4f6f1a11")
            let second = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: other).seatClaimId
            var seats = try await api.getSeatInfo(originalTransactionId: id)
            #expect(seats.totalSeatCount == 2 && seats.availableSeatCount == 0 && seats.assignedSeatClaimIds == [first, second])
            let third = ClaimSeatRequest(requestIdentifier: "2b0f6c3e-5f0c-4d55-9a37-2d8f4f6f1a11")
            #expect(
                try await Self.error {
                    _ = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: third)
                } == .noAvailableSeats)
            try await api.unclaimSeat(originalTransactionId: id, seatClaimId: first)
            #expect(
                try await Self.error {
                    try await api.unclaimSeat(originalTransactionId: id, seatClaimId: first)
                } == .seatClaimIdNotFound)
            seats = try await api.getSeatInfo(originalTransactionId: id)
            #expect(seats.availableSeatCount == 1 && seats.assignedSeatClaimIds == [second])
        }
    }

    @Test func `a claim is associated with an app transaction of the app`() async throws {
        try await StoreHarness.listen(storekit: SeatCatalog.storekit(.developer)) { store in
            let (api, id) = (try store.serverAPI(), try await Self.bought(store, 2))
            #expect(
                try await Self.error {
                    let request = ClaimSeatRequest(requestIdentifier: Self.request, appTransactionId: "704999999999999")
                    _ = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: request)
                } == .appTransactionIdNotFound)
            let claim = try await api.claimSeat(
                originalTransactionId: id, claimSeatRequest: ClaimSeatRequest(requestIdentifier: Self.request)
            ).seatClaimId
            let member = try #require(try await store.bought("solo.monthly", for: "member").appTransactionId)
            try await api.associateSeat(
                originalTransactionId: id, seatClaimId: claim, associateSeatRequest: AssociateSeatRequest(appTransactionId: member))
            let seats = try await store.call(ControlEndpoints.seats, Empty(), ["transaction": id.rawValue])
            #expect(seats.claims.map(\.appTransactionID) == [member])
        }
    }

    @Test func `a refund releases the newest claims with a notification, and a renewal with fewer seats releases none`() async throws {
        try await StoreHarness.listen(storekit: SeatCatalog.storekit(.developer)) { store in
            let (api, id) = (try store.serverAPI(), try await Self.bought(store, 3))
            var claims: [String] = []
            for digit in 0..<3 {
                let request = ClaimSeatRequest(requestIdentifier: "\(digit)b0f6c3e-5f0c-4d55-9a37-2d8f4f6f1a11")
                claims.append(try await api.claimSeat(originalTransactionId: id, claimSeatRequest: request).seatClaimId)
            }
            _ = try await store.call(ControlEndpoints.refund, IssueRefund(transactionID: id, seats: 1))
            let history = NotificationHistoryRequest(startDate: store.clock.now.adding(days: -1), endDate: store.clock.now.adding(days: 1))
            var notifications: [SignedNotification] = []
            for try await page in api.notificationHistory(notificationHistoryRequest: history) {
                notifications += page.notificationHistory.map(\.signedPayload)
            }
            var payloads: [NotificationPayload] = []
            for signed in notifications { payloads.append(try await store.verifier.verify(signed).notification.payload) }
            let last = try #require(payloads.first { $0.type == .unclaimSeats })
            #expect(last.type == .unclaimSeats && last.unclaimInfo?.unclaimSeatIds == [claims[2]])
            #expect(last.unclaimInfo?.originalTransactionId == id && last.isUnderstood)
            _ = try await store.perform(SubscriptionRequest(.setRenewalSeats, seats: 1), on: id)
            try await store.advance(days: 31)
            let seats = try await api.getSeatInfo(originalTransactionId: id)
            #expect(seats.totalSeatCount == 1 && seats.availableSeatCount == 0 && seats.assignedSeatClaimIds == [claims[0], claims[1]])
            // Seats can be claimed again when fewer claims than seats are left.
            let further = ClaimSeatRequest(requestIdentifier: "9b0f6c3e-5f0c-4d55-9a37-2d8f4f6f1a11")
            for claim in [claims[0], claims[1]] {
                let error = try await Self.error { _ = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: further) }
                #expect(error == .noAvailableSeats)
                try await api.unclaimSeat(originalTransactionId: id, seatClaimId: claim)
            }
            _ = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: further)
            _ = try await store.perform(SubscriptionRequest(.expire), on: id)
            #expect(
                try await Self.error {
                    _ = try await api.getSeatInfo(originalTransactionId: id)
                } == .transactionNotDevManagedGroup)
        }
    }

    /// A request about the seats of a subscription.
    private static let requests: [@Sendable (AppStoreServerAPIClient, TransactionID) async throws -> Void] = [
        { api, id in _ = try await api.getSeatInfo(originalTransactionId: id) },
        { api, id in
            _ = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: ClaimSeatRequest(requestIdentifier: request))
        },
        { api, id in try await api.unclaimSeat(originalTransactionId: id, seatClaimId: request) },
        { api, id in
            try await api.associateSeat(
                originalTransactionId: id, seatClaimId: request, associateSeatRequest: AssociateSeatRequest(appTransactionId: "704"))
        },
    ]

    @Test func `the seats of a group that the App Store manages, and of a bundle, cannot be claimed`() async throws {
        try await StoreHarness.listen(storekit: SeatCatalog.storekit()) { store in
            let (api, id) = (try store.serverAPI(), try await Self.bought(store, 3))
            let single = try await Self.bought(store, nil, "solo.monthly")
            let joined = try await store.perform(.joinBundle("com.example.everything"), on: single)
            let bundle = try #require(joined.renewalInfo.bundleOriginalTransactionId)
            for request in Self.requests {
                #expect(try await Self.error { try await request(api, id) } == .transactionNotDevManagedGroup)
                #expect(try await Self.error { try await request(api, bundle) } == .bundleTransactionIdNotSupported)
            }
        }
    }

    @Test
    func `a claim that does not exist is neither released nor associated, and no claim is associated with an unknown app transaction`()
        async throws
    {
        try await StoreHarness.listen(storekit: SeatCatalog.storekit(.developer)) { store in
            let (api, id) = (try store.serverAPI(), try await Self.bought(store, 2))
            #expect(try await Self.error { try await Self.requests[2](api, id) } == .seatClaimIdNotFound)
            #expect(try await Self.error { try await Self.requests[3](api, id) } == .seatClaimIdNotFound)
            let claim = try await api.claimSeat(
                originalTransactionId: id, claimSeatRequest: ClaimSeatRequest(requestIdentifier: Self.request)
            ).seatClaimId
            let unknown = AssociateSeatRequest(appTransactionId: "704999999999999")
            #expect(
                try await Self.error {
                    try await api.associateSeat(originalTransactionId: id, seatClaimId: claim, associateSeatRequest: unknown)
                } == .appTransactionIdNotFound)
        }
    }

    @Test func `a claim that states an app transaction is associated at once`() async throws {
        try await StoreHarness.listen(storekit: SeatCatalog.storekit(.developer)) { store in
            let (api, id) = (try store.serverAPI(), try await Self.bought(store, 2))
            let member = try #require(try await store.bought("solo.monthly", for: "member").appTransactionId)
            let request = ClaimSeatRequest(requestIdentifier: Self.request, appTransactionId: member)
            _ = try await api.claimSeat(originalTransactionId: id, claimSeatRequest: request)
            let seats = try await store.call(ControlEndpoints.seats, Empty(), ["transaction": id.rawValue])
            #expect(seats.claims.map(\.appTransactionID) == [member])
        }
    }

    @Test func `the purchaser and the members have one group, whose members are listed page by page`() async throws {
        try await StoreHarness.listen(storekit: SeatCatalog.storekit()) { store in
            let (api, id) = (try store.serverAPI(), try await Self.bought(store, 3))
            for account: AccountID in ["ann", "bob"] {
                _ = try await store.call(
                    ControlEndpoints.addSeatMember, SeatMemberRequest(account: account), ["transaction": id.rawValue])
            }
            let member = try await store.call(ControlEndpoints.transactions, Empty(), ["account": "bob"])
            let transaction = try #require(try await store.payloads(member.signedTransactions).first)
            for (ownership, count): (Ownership, Int) in [(.assigned, 1), (.familyShared, 0), (.purchased, 0)] {
                var filter = TransactionHistoryRequest()
                filter.inAppOwnershipType = ownership
                let history = try await api.getTransactionHistory(
                    transactionId: transaction.transactionId, transactionHistoryRequest: filter)
                #expect(history.signedTransactions.count == count)
            }
            let groups = try await api.getCustomerGroups(transactionId: id).groups
            #expect(groups.map(\.type) == [.consumer])
            #expect(try await api.getCustomerGroups(transactionId: transaction.transactionId).groups == groups)
            let group = try #require(groups.first?.groupId)
            let first = try await api.getGroupMembers(groupId: group, limit: 1)
            let second = try await api.getGroupMembers(groupId: group, paginationToken: first.paginationToken, limit: 1)
            #expect(first.hasMore && !second.hasMore)
            #expect(second.members.map(\.appTransactionId) == [transaction.appTransactionId])
            #expect(
                try await Self.error {
                    _ = try await api.getGroupMembers(groupId: group, paginationToken: "1")
                } == .invalidPaginationToken)
            _ = try await store.perform(SubscriptionRequest(.expire), on: id)
            #expect(
                try await Self.error {
                    _ = try await api.getGroupMembers(groupId: group)
                } == .groupNotFound)
        }
    }
}
