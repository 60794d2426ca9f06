public import Foundation
import PurchaseModel
import ServerProtocol
import Synchronization
import Wire

/// The reason why credits could not be debited.
public enum DebitError: Error, Hashable, Sendable {
    /// The amount is not greater than 0.
    case invalidAmount
    /// The balance is less than the amount.
    case insufficientBalance(available: Int64)
    /// A debit with this idempotency key has another amount or currency.
    case idempotencyKeyReused
    /// A refund of spent credits has frozen the balance; a backend can lift the freeze.
    case frozen
    /// The app's data was restored from a backup, and the balance on the device may be too high. Debits are possible after the server has
    /// confirmed the balance or, without a server, after ``Purchases/resolveRestoredCredits(_:)``.
    case notReconciled
    /// The debit can't be stored on the device; the associated value is a sentence for the user.
    case storage(String)
}

extension DebitError: LocalizedError {
    /// The sentence that describes the error, for `localizedDescription`.
    public var errorDescription: String? {
        switch self {
        case .invalidAmount: "The amount is not valid."
        case .insufficientBalance(let available): "The balance of \(available) is not sufficient."
        case .idempotencyKeyReused: "This debit was made before with another amount."
        case .frozen: "The balance is frozen, because spent credits were refunded. Contact support."
        case .notReconciled: "Your balance is not confirmed since the restore of a backup. Check the network connection, and try again."
        case .storage(let message): message
        }
    }
}

/// The outcome of a debit.
public enum DebitOutcome: Hashable, Sendable {
    /// The debit is final.
    case confirmed
    /// The debit is stored on the device and is sent to the server later.
    ///
    /// The server refuses the debit if the customer has spent the credits on another device before; the app then receives
    /// ``PurchaseEvent/debitRefused(key:amount:currency:)``.
    case provisional
    /// The server refused the debit, because the customer has spent the credits on another device.
    case refused
}

/// The decision of an app without a server about the credits of a vault that was restored from a backup.
public enum RestoredCredits: Hashable, Sendable {
    /// Keeps the balances of the backup, which lack the debits after the backup.
    case keep
    /// Clears the remaining credits of the backup; debts, and credits that were purchased after the restore, stay.
    case clear
}

/// Debits credits, and updates the balances.
///
/// The ledger is on the server or, in an app without a server, in the vault. The actor sends requests to the server one at a time, so that
/// an earlier response never replaces a later response. A debit is durable on the device before it is sent, and has one idempotency key.
actor CreditLedger {
    private let vault: Vault
    private let session: PurchasesSession
    private let service: (any PurchaseService)?
    private let retries: RetryTimer
    private let refused: @Sendable (VaultDebit) async -> Void
    private let failed: @Sendable (WireClientError?) async -> Void
    private var synchronization: Task<Void, Never>?
    private var isRequestedAgain = false

    init(
        vault: Vault, session: PurchasesSession, service: (any PurchaseService)?, retries: RetryTimer,
        refused: @escaping @Sendable (VaultDebit) async -> Void,
        failed: @escaping @Sendable (WireClientError?) async -> Void
    ) {
        self.vault = vault
        self.session = session
        self.service = service
        self.retries = retries
        self.refused = refused
        self.failed = failed
    }

    /// Debits credits once for each idempotency key.
    func debit(_ amount: Int64, of currency: CurrencyID, key: String) async throws(DebitError) -> DebitOutcome {
        guard amount > 0 else { throw .invalidAmount }
        let debit = VaultDebit(key: key, currency: currency, amount: amount, isForServer: service != nil)
        if await vault.contents.needsReconciliation { await synchronize() }
        if let known = await vault.contents.debit(key), known != debit { throw .idempotencyKeyReused }
        do {
            try await vault.change { [session] (contents) throws(VaultError) in
                guard !session.hasEnded, contents.customer == session.customer else {
                    throw .sessionEnded
                }
                guard contents.debit(key) == nil else { return [] }
                guard !contents.needsReconciliation else { throw .notReconciled }
                let balance = contents.balances[currency] ?? CreditBalance()
                guard !balance.isFrozen else { throw .frozen }
                guard balance.amount >= amount else { throw .insufficientBalance(balance.amount) }
                return [.debited(debit)]
            }
        } catch .insufficientBalance(let balance) {
            throw .insufficientBalance(available: balance)
        } catch .frozen {
            throw .frozen
        } catch .notReconciled {
            throw .notReconciled
        } catch {
            throw .storage(error.description)
        }
        guard service != nil else { return .confirmed }
        await synchronize()
        let contents = await vault.contents
        if contents.openDebits.contains(where: { OpaqueText($0.key) == OpaqueText(key) }) { return .provisional }
        return contents.refusedDebits.contains(OpaqueText(key)) ? .refused : .confirmed
    }

    /// Sends the debits that the server has not answered yet, oldest first, and reads the balances.
    ///
    /// Calls during a synchronization share one further synchronization, unless the running synchronization fails.
    func synchronize() async {
        guard service != nil else { return }
        if let synchronization {
            isRequestedAgain = true
            await synchronization.value
            return
        }
        let task = Task { await run() }
        synchronization = task
        await task.value
    }

    private func run() async {
        repeat {
            guard !session.hasEnded else { break }
            isRequestedAgain = false
            do throws(WireClientError) {
                let refusal = try await sendDebits()
                try await readBalances()
                if let refusal { throw refusal }
                await retries.succeeded()
                await failed(nil)
            } catch {
                guard !session.hasEnded else { break }
                await failed(error)
                await retries.schedule { [weak self] in await self?.synchronize() }
                break
            }
        } while isRequestedAgain
        synchronization = nil
    }

    /// Sends the open debits.
    ///
    /// - Returns: The error if the server refused the app and not a debit; the debit stays open. Otherwise nil.
    private func sendDebits() async throws(WireClientError) -> WireClientError? {
        guard let service else { return nil }
        var refusal: WireClientError?
        for debit in await durableDebits() {
            do throws(WireClientError) {
                let reply = try await service.debit(
                    DebitRequest(idempotencyKey: debit.key, amount: debit.amount, currency: debit.currency))
                await record { contents in
                    var statement = contents.statement ?? CreditStatement(balances: [:])
                    statement.balances[debit.currency] = CreditStatement.Balance(
                        amount: reply.balance, isFrozen: statement.balances[debit.currency]?.isFrozen ?? false)
                    return [.debitEnded(debit.key, isAccepted: true), .statement(statement)]
                }
            } catch .refused(let status, _) where [400, 409, 422].contains(status) {
                await record { _ in [.debitEnded(debit.key, isAccepted: false)] }
                await refused(debit)
            } catch {
                // Keep the debit open, and send the next debit: the server refused the app and not the debit, for example because the key
                // lacks the scope.
                guard case .refused(let status, _) = error, status != 401, !error.isRetryable else { throw error }
                refusal = error
            }
        }
        return refusal
    }

    /// The open debits of the session's customer that are on the disk.
    private func durableDebits() async -> [VaultDebit] {
        let debits = Mutex<[VaultDebit]>([])
        // Read the debits in an empty change, which fails unless all earlier changes are on the disk; the next synchronization then sends
        // the debits.
        let isDurable =
            (try? await vault.change(in: session, isOfCustomer: true) { (contents) throws(VaultError) in
                debits.withLock { $0 = contents.openDebits }
                return []
            }) != nil
        return isDurable ? debits.withLock { $0 } : []
    }

    private func readBalances() async throws(WireClientError) {
        guard let service else { return }
        let reply = try await service.balances()
        let balances = reply.balances.map { ($0.currency, CreditStatement.Balance(amount: $0.amount, isFrozen: $0.isFrozen)) }
        let statement = CreditStatement(balances: Dictionary(balances) { first, _ in first })
        await record { contents in
            (contents.statement == statement ? [] : [.statement(statement)]) + (contents.isReconciled ? [] : [.reconciled])
        }
    }

    /// Writes entries; ignores a failure, because the next synchronization receives the same answers.
    private func record(_ decide: @escaping @Sendable (VaultContents) -> [VaultEntry]) async {
        _ = try? await vault.change(in: session, isOfCustomer: true) { (contents) throws(VaultError) in decide(contents) }
    }
}
