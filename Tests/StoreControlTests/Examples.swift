import Foundation
import PurchaseModel
import StoreControl

/// Buys a subscription, lets a month pass, refunds the first period, and returns the events of the store.
func playSubscription(in store: StoreClient) async throws -> [StoreEvent.Kind] {
    try await store.createAccount("jane")
    let purchase = try await store.buy("com.example.pro", for: "jane")
    guard let transaction = purchase.transaction else { return [] }
    try await store.advance(months: 1)
    try await store.refund(transaction.transactionId)
    return try await store.pastEvents(of: "jane").map(\.kind)
}

/// Starts a store for the time of a test.
func playInProcess(executable: String, storekit: String) async throws -> [StoreEvent.Kind] {
    try await StoreProcess.withStore(executable: executable, storekit: storekit) { store, _ in
        try await playSubscription(in: store)
    }
}

/// Creates a store on a running host for the time of a test.
func playOnHost(_ host: StoreHostClient, catalog: Data) async throws -> [StoreEvent.Kind] {
    try await host.withStore(storekit: catalog) { store, _ in
        try await playSubscription(in: store)
    }
}

/// Waits for the next renewal of a subscription.
func nextRenewal(in store: StoreClient, after id: Int64) async throws -> StoreEvent? {
    for try await event in store.events(after: id) where event.kind == .renewal { return event }
    return nil
}

/// Makes `verifyReceipt` fail while `test` runs.
func withOutage(of store: StoreClient, _ test: () async throws -> Void) async throws {
    try await store.withFault(Fault(.status(code: 503, retryAfterSeconds: nil), surface: .verifyReceipt), test)
}

/// Returns whether an account exists.
func exists(_ account: AccountID, in store: StoreClient) async throws(StoreControlError) -> Bool {
    do {
        _ = try await store.account(account)
        return true
    } catch {
        guard error.code == "account.unknown" else { throw error }
        return false
    }
}
