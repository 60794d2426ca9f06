import Crypto
import Foundation
import FoundationExtras
import KitProcess
import LocalAppStore
import ProcessTestSupport
import PurchaseKit
import PurchaseModel
import PurchaseProof
import PurchaseServer
import PurchaseStorage
import PurchaseTestSupport
import ServerProtocol
import StoreProtocol
import StoreTestSupport
import Testing
import Wire
import WireClient

/// A store and a purchase server in this process, which serve the phones of a test run.
struct KitBackend: Sendable {
    /// A customer of the developer's server.
    struct Customer: Sendable {
        let id: CustomerID
        let server: KitJob.Server
    }

    let store: StoreHarness
    /// The file with the book's content.
    let content: String
    /// The SHA-256 of the book's content.
    let contentHash: String
    /// A backend with a secret key of the server.
    let backend: ServerBackend
    private let publishableKey: String
    private let verificationKeys: Data?
    private let folder: TemporaryFolder

    private static let running = Task { try await start() }

    /// The shared store and server, which the first access starts.
    static var shared: KitBackend {
        get async throws { try await running.value }
    }

    private static func start() async throws -> KitBackend {
        let store = try await StoreHarness.shared
        let folder = try TemporaryFolder()
        // The download reports its progress after each mebibyte, so that a process can be killed in the middle of it.
        let book = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let content = folder.file(SampleCatalog.bookFile)
        try book.write(to: content)
        var files = ContentConfiguration.folder(folder.url.path(percentEncoded: false))
        // All phones of an owner have the same customer, and download the same purchase.
        files.tokensPerDay = 100_000
        let server = try await PurchaseServer(
            configuration: PurchaseServerConfiguration(
                apps: [
                    AppConfiguration(
                        bundleID: BundleID.test,
                        products: PurchaseServerConfiguration.loadProducts(json: try SampleCatalog.products),
                        content: files,
                        verifyReceiptProductionURL: "\(store.url)/production",
                        verifyReceiptSandboxURL: "\(store.url)/sandbox")
                ],
                environment: .sandbox,
                roots: TrustedRoots.apple(and: store.store.rootsPEM, in: [.sandbox]),
                database: .memory,
                requestRates: RequestRates(installation: RequestRate(perSecond: 0, burst: 0))),
            logger: .silent)
        let url = try await StoreHarness.serve { server.application(hostname: "127.0.0.1", port: 0, onServerRunning: $0) }
        let keys = try #require(server.apiKeys(of: BundleID.test))
        let publishable = try await keys.create(.publishable, scopes: [.submitPurchases, .readCustomers, .debit]).text
        return KitBackend(
            store: store, content: content.path(percentEncoded: false), contentHash: Hexadecimal.encode(Data(SHA256.hash(data: book))),
            backend: ServerBackend(wire: WireClient(baseURL: url), key: try await keys.create(.secret).text),
            publishableKey: publishable, verificationKeys: server.verificationKeys(of: BundleID.test), folder: folder)
    }

    /// Creates a customer with credits that no purchase gave.
    func createCustomer(credits: Int64 = 0) async throws -> Customer {
        let id = CustomerID(UUID())
        let token = try await backend.call(ServerEndpoints.createCustomer, CreateCustomerRequest(customer: id)).token
        if credits > 0 {
            _ = try await backend.call(ServerEndpoints.creditGrant, DebitRequest(idempotencyKey: "granted", amount: credits), id)
        }
        let credentials = ServerCredentials(
            publishableKey: publishableKey, customerToken: token, verificationKeys: verificationKeys)
        return Customer(id: id, server: KitJob.Server(url: backend.wire.baseURL, customer: id, credentials: credentials))
    }
}

/// A phone with the app of `KitProcess`, whose app sessions a test kills.
struct KitPhone: Sendable {
    /// The output of one app session.
    struct Launch: Sendable {
        /// The steps before the script, and those after it began.
        var steps: [String] = []
        /// The number of steps before the first report.
        var stepsOfLaunch = 0
        /// What the script printed.
        var outcomes: Set<String> = []
        var reports: [KitReport] = []
        /// The number of the signal that ended the process, or its exit code.
        var code: Int32 = 0
        var wasKilled: Bool { code == SIGKILL }
    }

    let backend: KitBackend
    let phone: Phone
    /// The customer of the developer's server; nil for an app without a server.
    let customer: KitBackend.Customer?

    /// Creates a phone of a new account, or another phone of an owner.
    ///
    /// - Parameter credits: The credits of a new customer.
    init(usesServer: Bool, owner: KitPhone? = nil, credits: Int64 = 0) async throws {
        backend = try await KitBackend.shared
        phone = try await Phone(account: owner?.phone.account, at: backend.store)
        customer =
            if let owner { owner.customer } else if usesServer { try await backend.createCustomer(credits: credits) } else { nil }
    }

    /// Runs one app session in a new process.
    func launch(_ script: KitJob.Script? = nil, cut: KitJob.Cut? = nil) async throws -> Launch {
        var job = KitJob(
            storeURL: backend.store.url, rootsPEM: backend.store.store.rootsPEM,
            folder: phone.folder.url.path(percentEncoded: false), account: phone.account, password: AccountID.testPassword,
            server: customer?.server, content: backend.content, includesDevice: KillRuns.rounds != nil)
        (job.script, job.cut) = (script, cut)
        let file = phone.folder.file("job.json")
        try WireJSON.encode(job).write(to: file)
        let process = try LineProcess(BuiltProducts.path("KitProcess"), [file.path(percentEncoded: false)])
        var launch = Launch()
        for await line in process.lines {
            let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
            switch words.first {
            case "step": launch.steps.append(words[1])
            case "outcome": launch.outcomes.insert(words[1])
            case "report":
                if launch.reports.isEmpty { launch.stepsOfLaunch = launch.steps.count }
                launch.reports.append(try WireJSON.decode(KitReport.self, from: Data(words[1].utf8)))
            default: break
            }
        }
        launch.code = await process.end()
        return launch
    }

    /// The charged transactions of the account, by product.
    var charges: [ProductID: [TransactionID]] {
        get async throws {
            let charges = try await phone.charges.filter { $0.amount.milliunits > 0 }
            return Dictionary(grouping: charges, by: \.productID).mapValues { $0.map(\.transactionID) }
        }
    }

    /// The balance on the server; nil for an app without a server.
    var serverBalance: Int64? {
        get async throws {
            guard let customer else { return nil }
            return try await backend.backend.balance(of: customer.id)
        }
    }
}
