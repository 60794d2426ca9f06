import OpenStoreKit
import PurchaseModel

/// What an app shows when everything is quiet.
struct AppView: Sendable {
    /// The products to which the app grants access, without consumables.
    var products: Set<ProductID> = []
    /// The customer's credits.
    var balance: Int64?
    /// The number of transactions that the app has not finished.
    var unfinished = 0
    /// The keys of the debits that the app has not brought to an end.
    var openDebits: Set<String> = []
    /// The keys of the debits of an app that keeps the balance on its device; nil for an app with the server's balance.
    var ownDebits: Set<String>?
    /// What the app finds wrong in its own records.
    var defects: [String] = []
}

/// An app on a simulated device, in one app session: with StoreKit alone, or with the kit.
///
/// Each call returns when the app can do no more now. Calls never throw: an app shows an error and goes on.
protocol SimulatedApp: Sendable {
    /// Buys a product for the customer.
    func buy(_ product: ProductID, quantity: Int) async
    /// Buys seats of a subscription for the customer, or adds seats up to a number.
    func buy(_ product: ProductID, seats: Int) async
    /// Restores purchases at the user's request.
    func restore() async
    /// Debits credits, once for each key.
    func debit(_ amount: Int64, key: String) async
    /// Delivers and finishes what is possible now, as when the app comes to the foreground.
    func update() async
    /// Returns what the app shows.
    func view() async -> AppView
    /// Ends the app session; the device stays.
    func close() async
}

/// The kinds of apps.
enum AppKind: String, CaseIterable, Sendable {
    /// An app with StoreKit 2 that submits its transactions to the server.
    case plain
    /// An app with the kit and the server.
    case kit
    /// An app with the kit and without a server, whose credits are on the device; the only device of its account.
    case kitAlone = "kit-alone"
}

/// The parts of an app session that all kinds of apps share.
struct AppSession: Sendable {
    let device: Device
    let fuse: SessionFuse
    let disk: AppDisk
    let server: ServerConnectionOfApp
    let account: Int
    let customer: CustomerID
    /// The clock of the store, as the clock of the device.
    let clock: any WallClock

    /// Runs code with the device as the current one, as an app's code runs.
    func onDevice<Result: Sendable>(_ body: @MainActor @Sendable () async throws -> Result) async rethrows -> Result {
        try await Device.$current.withValue(device) { try await body() }
    }

    /// Notes that the app was promised a purchase; the code that still runs after the end of the session was not.
    func promise(_ transaction: TransactionID?, of product: ProductID) {
        if !fuse.hasEnded { server.acknowledgments.promise(transaction, of: product, to: account) }
    }
}
