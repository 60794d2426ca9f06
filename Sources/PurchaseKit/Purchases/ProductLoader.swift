import Foundation
import PurchaseModel
import ServerProtocol
import StoreKit
import Wire

/// Loads the list of products and their prices, and retries until the store has answered.
actor ProductLoader {
    /// The listed products, divided into available and unavailable products.
    struct Listing: Sendable {
        var products: [Product]
        var unavailable: [ProductID]
    }

    /// The name of the vault's value that stores the server's last list.
    private static let listName = "tillroll.products"

    private let source: PurchasesConfiguration.ProductSource
    private let vault: Vault
    private let session: PurchasesSession
    private let service: (any PurchaseService)?
    private let retries: RetryTimer
    private let report: @Sendable (Result<Listing, PurchaseFailure>) async -> Void
    private var running: Task<Void, Never>?

    init(
        source: PurchasesConfiguration.ProductSource, vault: Vault, session: PurchasesSession, service: (any PurchaseService)?,
        retries: RetryTimer,
        report: @escaping @Sendable (Result<Listing, PurchaseFailure>) async -> Void
    ) {
        self.source = source
        self.vault = vault
        self.session = session
        self.service = service
        self.retries = retries
        self.report = report
    }

    /// Loads the products once; after a failure, further attempts follow automatically.
    func load() async {
        if let running { return await running.value }
        let task = Task { await attempt() }
        running = task
        await task.value
        running = nil
    }

    private func attempt() async {
        await retries.cancel()
        guard let identifiers = await identifiers() else { return await failed(PurchaseFailure(.network)) }
        do {
            let products = try await Product.products(for: identifiers.map(\.rawValue))
            let found = Dictionary(products.map { (ProductID($0.id), $0) }) { first, _ in first }
            await retries.succeeded()
            await report(
                .success(
                    Listing(products: identifiers.compactMap { found[$0] }, unavailable: identifiers.filter { found[$0] == nil })))
        } catch {
            // Do not retry after a canceled sign-in.
            guard let failure = PurchaseFailure(error) else { return }
            await failed(failure)
        }
    }

    private func failed(_ failure: PurchaseFailure) async {
        await report(.failure(failure))
        await retries.schedule { [weak self] in await self?.load() }
    }

    /// Returns the identifiers of the products, from the server's last list if the server can't be reached; nil without a list.
    private func identifiers() async -> [ProductID]? {
        guard case .builtIn(let identifiers) = source else { return await servedIdentifiers() }
        return identifiers
    }

    private func servedIdentifiers() async -> [ProductID]? {
        let known = await vault.contents.values[OpaqueText(Self.listName)].flatMap { try? JSONDecoder().decode([ProductID].self, from: $0) }
        guard let service, let reply = try? await service.products() else { return known }
        let identifiers = reply.products.map(\.id)
        if identifiers != known, let data = try? JSONEncoder().encode(identifiers) {
            _ = try? await vault.change(in: session) { _ throws(VaultError) in [.value(Self.listName, data)] }
        }
        return identifiers
    }
}
