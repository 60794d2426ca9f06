import Foundation
import OpenStoreKit
import PurchaseKit
import PurchaseModel
import PurchaseProof
import ServerProtocol
import StoreKit

/// The app of one app session, with the kit over a device.
struct KitApp {
    private let job: KitJob
    private let device: Device
    private let points: KillPoints
    private let vault: Vault
    private let notes: NoteFile
    /// The server's calls of the kit; nil without a server.
    private let service: CutService?
    /// The server's calls of another phone of the customer; nil without a server.
    private let otherPhone: (any PurchaseService)?
    private let purchases: Purchases

    init(_ job: KitJob, _ device: Device, _ points: KillPoints) async throws {
        let roots = try TrustedRoots.apple(and: job.rootsPEM, in: [.sandbox])
        let bundleID = device.configuration.bundleID
        let verifier = SignedDataVerifier(roots: roots, bundleID: bundleID, environments: [.sandbox])
        vault = try await Vault(
            CutStorage(path: job.folder + "/vault", points: points),
            keychain: CutKeychain(folder: job.folder + "/keychain", points: points),
            bundleID: bundleID)
        notes = NoteFile(path: job.folder + "/notes", points: points)
        self.job = job
        self.device = device
        self.points = points
        let connection = job.server.map { server in
            ServerConnection(serverURL: server.url, deviceVerificationID: device.verificationID) { _ in server.credentials }
        }
        otherPhone = connection?.service
        service = connection.map { CutService($0.service, points: points) }
        var configuration = PurchasesConfiguration(
            products: .builtIn(KitCatalog.purchases.map(\.product)), fulfillments: Self.fulfillments(job, notes, points), vault: vault,
            verifier: verifier, server: service.map { ServerConnection($0) }, customer: job.server?.customer)
        configuration.step = { points.reach(Self.name($0)) }
        purchases = await MainActor.run { [configuration] in
            let purchases = Purchases(configuration)
            purchases.start()
            return purchases
        }
    }

    private static func fulfillments(_ job: KitJob, _ notes: NoteFile, _ points: KillPoints) -> [ProductID: Fulfillment] {
        let folder = job.folder + "/content"
        let content: any ContentDelivery =
            if let server = job.server {
                DownloadedContent(
                    downloader: ContentDownloader(serverURL: server.url, credentials: server.credentials, folder: folder), points: points)
            } else {
                CopiedContent(source: job.content, folder: folder, points: points)
            }
        return [
            KitCatalog.credits5: .credit(.credits, 5),
            KitCatalog.credits10: .credit(.credits, 10).and(.update("bananas", from: 0) { $0 += $1.quantity }),
            KitCatalog.sepia: .unlock("sepia").and(.update("filters", from: 0) { count, _ in count += 1 }),
            KitCatalog.moonlight: .perform { purchase throws(DeliveryError) in try notes.append(purchase.id) },
            KitCatalog.book: .deliver(content),
        ]
    }

    private static func name(_ step: DeliveryStep) -> String {
        switch step {
        case .submitted(let product): "delivery submitted \(product)"
        case .installed(let product): "delivery installed \(product)"
        case .performed(let product): "delivery performed \(product)"
        case .recorded(let product): "delivery recorded \(product)"
        case .finished(let product): "delivery finished \(product)"
        }
    }

    /// Waits until nothing is left to do: for the network, too, which a busy machine can lose.
    func waitUntilIdle() async {
        for attempt in 0..<10 {
            for _ in 1...2 {
                await device.waitUntilIdle()
                await purchases.waitUntilIdle()
            }
            await device.waitUntilIdle()
            guard await !purchases.state.problems.isEmpty, attempt < 9 else { return }
            await purchases.retry()
        }
    }

    /// What the phone has.
    func report() async -> KitReport {
        var report = KitReport()
        let state = await purchases.state
        report.balance = state.balance(of: .credits)
        report.bananas = await number("bananas")
        report.filters = await number("filters")
        report.notes = notes.notes
        if let content = await vault.content(of: KitCatalog.book) {
            report.content = ContentHash.sha256(FileManager.default.contents(atPath: content.path) ?? Data())
        }
        report.entitlements = Set(state.entitlements.values.filter(\.isActive).map(\.name.rawValue))
        for await _ in StoreKit.Transaction.unfinished { report.unfinished += 1 }
        report.problems = state.problems.map(\.message)
        return report
    }

    private func number(_ name: String) async -> Int {
        await vault.value(name).flatMap { try? JSONDecoder().decode(Int.self, from: $0) } ?? 0
    }

    // MARK: - Scripts

    /// Does what the user did not do before an earlier app session was killed.
    func play(_ script: KitJob.Script) async throws {
        switch script {
        case .purchase: for (product, quantity) in KitCatalog.purchases { try await buy(product, quantity) }
        case .deliver: break
        case .restore: await restore()
        case .debit: try await debit()
        }
    }

    private func buy(_ product: ProductID, _ quantity: Int) async throws {
        guard await !vault.owns(product) else { return }
        let outcome = await purchases.buy(product, quantity: quantity)
        guard case .purchased(_, .delivered) = outcome else { throw Unexpected(outcome: "\(outcome)") }
        points.print("outcome bought \(product)")
        await device.waitUntilIdle()
    }

    private func restore() async {
        let outcome = await Device.withUserGesture {
            await purchases.restore { offered in KitCatalog.chosen.intersection(offered.map(\.productID)) }
        }
        guard case .completed(let difference) = outcome else { return points.print("outcome \(outcome)") }
        for (name, products) in [
            ("gained", difference.gained), ("kept", difference.kept), ("declined", difference.declined), ("lost", difference.lost),
            ("undelivered", difference.undelivered),
        ] {
            for product in products { points.print("outcome \(name) \(product)") }
        }
    }

    private func debit() async throws {
        guard let service, let otherPhone else {
            try await buy(KitCatalog.credits5, 3)
            for key in ["online", "offline", "late"] { try await debit(key) }
            return
        }
        try await debit("online")
        service.setNetwork(false)
        try await debit("offline")
        try await debit("late")
        _ = try? await otherPhone.debit(DebitRequest(idempotencyKey: "other", amount: KitCatalog.debits["other"] ?? 0))
        service.setNetwork(true)
        points.reach("network found")
        await purchases.retry()
        for key in ["online", "offline", "late"] { try await debit(key) }
    }

    private func debit(_ key: String) async throws {
        let outcome: String
        do {
            outcome = "\(try await purchases.debit(KitCatalog.debits[key] ?? 0, of: .credits, idempotencyKey: key))"
        } catch {
            guard case .insufficientBalance = error else { throw error }
            outcome = "insufficient"
        }
        points.print("outcome \(key) \(outcome)")
    }

    /// The error for a purchase that did not succeed.
    struct Unexpected: Error {
        let outcome: String
    }
}
