import PurchaseModel
import Synchronization

/// The session of one ``Purchases`` for one customer; an ended session writes nothing to the vault.
///
/// An answer of the server can arrive after ``Purchases/stop()``, when another session has opened the vault for another customer.
final class PurchasesSession: Sendable {
    /// The customer of the app; nil for an app without customers.
    let customer: CustomerID?
    private let ended = Atomic(false)

    init(customer: CustomerID? = nil) {
        self.customer = customer
    }

    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// Ends the session; later changes append nothing to the vault.
    func end() {
        ended.store(true, ordering: .releasing)
    }
}

extension Vault {
    /// Assigns the server data in subsequent entries to the session's customer.
    func begin(_ session: PurchasesSession) async {
        guard contents.customer != session.customer else { return }
        _ = try? await change(in: session) { (contents) throws(VaultError) in
            contents.customer == session.customer ? [] : [.customer(session.customer)]
        }
    }

    /// Appends the entries that a closure returns, unless the session has ended.
    ///
    /// - Parameters:
    ///   - session: The session in which the entries were obtained.
    ///   - isOfCustomer: Whether the entries belong to the session's customer, and are not appended after the customer has changed.
    @discardableResult
    func change(
        in session: PurchasesSession, isOfCustomer: Bool = false,
        _ decide: @escaping @Sendable (VaultContents) throws(VaultError) -> [VaultEntry]
    ) async throws(VaultError) -> Bool {
        try await change { (contents) throws(VaultError) in
            guard !session.hasEnded, !isOfCustomer || contents.customer == session.customer else { return [] }
            return try decide(contents)
        }
    }
}
