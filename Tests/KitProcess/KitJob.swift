package import PurchaseKit
package import PurchaseModel

/// One app session of an app with the kit, which ``KitProcess`` reads from a JSON file.
package struct KitJob: Codable, Sendable {
    /// What the user does in an app session.
    package enum Script: String, Codable, Sendable, CaseIterable {
        /// Buys each product of ``KitCatalog`` that the device does not have yet.
        case purchase
        /// Nothing; the app delivers what the account bought without it, side by side.
        case deliver
        /// Restores some of the products of an account that has bought them on another phone.
        case restore
        /// Debits credits with a network and without one, while another phone debits from the same balance.
        case debit
    }

    /// The developer's server, and the app's customer on it.
    package struct Server: Codable, Sendable {
        /// The server's base address.
        package var url: HTTPURL
        /// The app's customer.
        package var customer: CustomerID
        /// The credentials of the app and of its customer.
        package var credentials: ServerCredentials

        /// Creates a connection to a server.
        package init(url: HTTPURL, customer: CustomerID, credentials: ServerCredentials) {
            self.url = url
            self.customer = customer
            self.credentials = credentials
        }
    }

    /// The step at which the process kills itself.
    package enum Cut: Codable, Hashable, Sendable {
        /// The step with this name and number, such as `vault appending 3`.
        case step(String)
        /// The step that the process reaches as the one with this number, from 1.
        case number(Int)
    }

    /// The store's base address.
    package var storeURL: HTTPURL
    /// The store's root certificates in PEM.
    package var rootsPEM: String
    /// The folder of the phone.
    package var folder: String
    /// The store's account.
    package var account: AccountID
    /// The account's password, a test fixture.
    package var password: String
    /// The server; nil for an app that delivers on the device only.
    package var server: Server?
    /// The file with the content of the book, for an app without a server.
    package var content: String
    /// The script after the deliveries of earlier app sessions; nil for none.
    package var script: Script?
    /// Where the process kills itself; nil for an app session that ends by itself.
    package var cut: Cut?
    /// Whether the steps of the device count, too, in addition to those of the kit.
    package var includesDevice: Bool

    /// Creates an app session without a script.
    package init(
        storeURL: HTTPURL, rootsPEM: String, folder: String, account: AccountID, password: String, server: Server?, content: String,
        includesDevice: Bool
    ) {
        self.storeURL = storeURL
        self.rootsPEM = rootsPEM
        self.folder = folder
        self.account = account
        self.password = password
        self.server = server
        self.content = content
        self.includesDevice = includesDevice
    }
}

/// What a phone has once nothing is left to do.
package struct KitReport: Codable, Hashable, Sendable {
    /// The credits that the app shows.
    package var balance: Int64 = 0
    /// The value that `.update` changes with each purchase of ten credits: the purchased quantity.
    package var bananas = 0
    /// The value that `.update` changes with each delivery of the sepia filter: the number of deliveries.
    package var filters = 0
    /// The transactions that `.perform` has appended to its file.
    package var notes: [String] = []
    /// The SHA-256 of the installed book; nil if it is not installed.
    package var content: String?
    /// The active entitlements.
    package var entitlements: Set<String> = []
    /// The number of unfinished transactions.
    package var unfinished = 0
    /// The problems that the app shows.
    package var problems: [String] = []

    /// Creates the report of a phone without purchases.
    package init() {}
}

/// What the app of ``KitProcess`` sells and debits.
package enum KitCatalog {
    /// The products and quantities that the script `purchase` buys, in order.
    package static let purchases: [(product: ProductID, quantity: Int)] = [
        (credits5, 3), (sepia, 1), (credits10, 2), (moonlight, 1), (book, 1),
    ]

    /// A consumable with `.credit`.
    package static let credits5: ProductID = "com.example.monkeyshop.credits5"
    /// A consumable with `.credit` and `.update`.
    package static let credits10: ProductID = "com.example.monkeyshop.credits10"
    /// A non-consumable with `.unlock` and `.update`.
    package static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    /// A non-consumable with `.perform`.
    package static let moonlight: ProductID = "com.example.monkeyshop.filter.moonlight"
    /// A non-consumable with `.deliver`.
    package static let book: ProductID = "com.example.monkeyshop.book"

    /// The products that the person chooses in the script `restore`, from sepia, moonlight and the book.
    package static let chosen: Set<ProductID> = [moonlight, book]

    /// The debits of the script `debit` by idempotency key; the sum of some of them tells which ones they are.
    package static let debits: [String: Int64] = ["online": 1, "offline": 2, "other": 4, "late": 8]
    /// The credits before the script `debit` in an app with a server: too few for all of its debits.
    package static let granted: Int64 = 12
}
