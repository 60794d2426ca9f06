import Foundation
import PrivateFiles
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Synchronization
import Wire

/// A device's session with its store: the signed-in account, the verification of signed data, and the location of the receipt.
actor StoreSession {
    private let configuration: DeviceConfiguration
    /// The thread of the session and the payment engine, which write files.
    nonisolated let executor = DispatchActorExecutor("OpenStoreKit.device")
    nonisolated let state: DeviceState
    let transport: any StoreTransport
    /// Verifies the data that the store signs for this app.
    nonisolated let dataVerifier: SignedDataVerifier
    private let receiptVerifier: ReceiptVerifier
    private nonisolated let receiptPath: String
    private let step: @Sendable (DeviceStep) -> Void
    private nonisolated let refused = Mutex<@Sendable () -> Void>({})

    init(
        configuration: DeviceConfiguration, state: DeviceState, transport: any StoreTransport, receiptPath: String,
        step: @escaping @Sendable (DeviceStep) -> Void
    ) throws(DeviceError) {
        self.step = step
        self.configuration = configuration
        self.state = state
        self.transport = transport
        self.receiptPath = receiptPath
        let roots: TrustedRoots
        do {
            roots = try TrustedRoots.apple(and: configuration.rootsPEM, in: [.sandbox])
        } catch {
            throw .roots(reason: "\(error)")
        }
        dataVerifier = SignedDataVerifier(roots: roots, bundleID: configuration.bundleID, environments: [.sandbox])
        receiptVerifier = ReceiptVerifier(
            roots: roots,
            bundleID: configuration.bundleID,
            environments: [.sandbox],
            checks: [DeviceHashCheck(state.device)]
        )
        if state.owner == nil { removeReceipt() }
    }

    /// Sets the closure that is called when the store has refused the session, so that an account must sign in again.
    nonisolated func onRefusal(_ body: @escaping @Sendable () -> Void) {
        refused.withLock { $0 = body }
    }

    /// The thread on which the session runs.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Whether an account is signed in.
    nonisolated var isSignedIn: Bool { state.session != nil }

    /// The app's version.
    nonisolated var appVersion: String { configuration.appVersion }

    /// The account that is signed in.
    nonisolated var account: AccountID? { state.session?.account }

    /// Signs an account in, and removes the receipt of another account.
    func signIn(_ credentials: Credentials) async throws(WireClientError) {
        let request = SignInRequest(
            account: credentials.account,
            password: credentials.password,
            device: state.device,
            bundleID: configuration.bundleID,
            appVersion: configuration.appVersion
        )
        let reply = try await call(DeviceEndpoints.signIn, request, token: nil)
        if state.owner != credentials.account { removeReceipt() }
        let session = DeviceIdentity.Session(
            account: credentials.account, token: reply.token, storefront: reply.storefront, appVersion: hasReceipt ? nil : appVersion)
        // If the session can't be written to disk, it lasts until the process ends.
        try? state.begin(session)
    }

    /// Signs the account out, and then removes its receipt; if the process ends in between, the next launch removes the receipt.
    ///
    /// - Throws: ``DeviceError/storage(reason:)`` if the change can't be written; the account then stays signed in and keeps its receipt.
    func signOut() throws(DeviceError) {
        try state.signOut()
        removeReceipt()
    }

    /// Calls an endpoint that requires no sign-in, with the token of the signed-in account if there is one.
    ///
    /// If the store refuses the token, the session ends, and the call is repeated without a token.
    func ask<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request
    ) async throws(WireClientError) -> Response {
        guard let token = state.session?.token else { return try await call(endpoint, body, token: nil) }
        do {
            return try await call(endpoint, body, token: token)
        } catch .refused(401, _) {
            end(token)
            return try await call(endpoint, body, token: nil)
        }
    }

    /// Calls an endpoint as an account; returns nil if that account is not signed in.
    ///
    /// If the store refuses the session's token, the session ends, and the next attempt asks the user to sign in. A session that began
    /// during the call is kept.
    func ask<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        as account: AccountID?
    ) async throws(WireClientError) -> Response? {
        guard let session = state.session, session.account == account else { return nil }
        do {
            return try await call(endpoint, body, token: session.token)
        } catch {
            if case .refused(401, _) = error { end(session.token) }
            throw error
        }
    }

    /// Fetches descriptions of products, in as many requests as the store's limit requires.
    ///
    /// The store refuses a whole request if one identifier is malformed. The device therefore does not send malformed identifiers, and
    /// returns them as invalid.
    func products(_ identifiers: [ProductID]) async throws(WireClientError) -> ProductsReply {
        var rest = identifiers.filter { IdentifierText.isValid($0.rawValue) }[...]
        var whole = ProductsReply(products: [], invalidProductIDs: identifiers.filter { !IdentifierText.isValid($0.rawValue) })
        repeat {
            let page = Array(rest.prefix(ProductsRequest.limit))
            rest = rest.dropFirst(page.count)
            let reply = try await ask(DeviceEndpoints.products, ProductsRequest(productIDs: page))
            whole.products += reply.products
            whole.invalidProductIDs += reply.invalidProductIDs
        } while !rest.isEmpty
        return whole
    }

    /// Verifies that the store signed a transaction for this app.
    nonisolated func verify(_ signed: SignedTransaction) async throws(VerificationFailure) -> VerifiedTransaction {
        try await dataVerifier.verify(signed)
    }

    /// Verifies a payment of the journal: the store must have signed its transaction, and the stored values must match the transaction.
    nonisolated func verify(_ record: PaymentQueueRecord) async throws(VerificationFailure) {
        switch record.state {
        case .purchased(let recorded):
            try await verify(recorded, in: record)
        case .restored(let recorded, let original):
            try await verify(recorded, in: record)
            guard try await RecordedTransaction(verify(original.signed), content: original.content) == original else {
                throw .refused(Refusal(.malformed, at: "journal"))
            }
        case .queued, .confirmed, .deferred, .failed, .finished:
            break
        }
    }

    private nonisolated func verify(_ recorded: RecordedTransaction, in record: PaymentQueueRecord) async throws(VerificationFailure) {
        let transaction = try await verify(recorded.signed)
        guard RecordedTransaction(transaction, content: recorded.content) == recorded, record.isFulfilled(by: transaction.payload) else {
            throw .refused(Refusal(.malformed, at: "journal"))
        }
    }

    /// Fetches and stores the latest receipt of the signed-in account.
    ///
    /// - Returns: Whether the receipt is stored; if not, the caller has to refresh again later.
    func refreshReceipt() async -> Bool {
        let account = self.account
        guard let reply = try? await ask(DeviceEndpoints.receipt, ReceiptRequest(appVersion: appVersion), as: account) else { return false }
        return (try? await save(reply.receipt, of: account)) != nil
    }

    /// Fetches the receipt again if the app's version has changed.
    ///
    /// - Returns: Whether the receipt is up to date; if not, the caller has to refresh later.
    func updateReceipt() async -> Bool {
        guard let known = state.session, known.appVersion != appVersion else { return true }
        if hasReceipt {
            guard await refreshReceipt() else { return false }
        }
        guard state.session?.token == known.token else { return true }
        // A version that can't be stored causes one more fetch at the next launch.
        try? state.setReceiptVersion(appVersion)
        return true
    }

    /// Verifies and stores a receipt, unless another account owns the device by then.
    ///
    /// - Throws: ``PaymentFailure`` if the receipt can't be verified or written.
    func save(_ receipt: Data, of account: AccountID?) async throws(PaymentFailure) {
        do {
            _ = try await receiptVerifier.verify([UInt8](receipt))
            guard state.owner == account else { return }
            try PrivateFiles.createFolder(URL(filePath: receiptPath).deletingLastPathComponent().path)
            step(.replacing("receipt"))
            try DurableFile.replace(receiptPath, with: receipt)
            step(.replaced("receipt"))
        } catch let error as VerificationFailure {
            throw PaymentFailure(.unknown, "The receipt from the store could not be verified. \(error.message)")
        } catch {
            throw PaymentFailure(.unknown, "The receipt can't be saved on this device. Free some space and try again.")
        }
    }

    /// Ends the session with a token that the store has refused, and reports the end.
    func end(_ token: String) {
        // If the end can't be written, the session ends in memory only.
        try? state.end(token)
        refused.withLock { $0 }()
    }

    private var hasReceipt: Bool { FileManager.default.fileExists(atPath: receiptPath) }

    private nonisolated func removeReceipt() {
        try? FileManager.default.removeItem(atPath: receiptPath)
    }

    private func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response {
        guard !state.settings.airplaneMode else { throw .unreachable }
        step(.sending(endpoint.template))
        let response = try await transport.call(endpoint, body, token: token)
        step(.answered(endpoint.template))
        return response
    }

    /// Opens the event stream of the signed-in account; returns nil if no account is signed in or the transport has no event stream.
    func events() async throws(WireClientError) -> AsyncThrowingStream<StoreEvent, any Error>? {
        guard !state.settings.airplaneMode else { throw .unreachable }
        guard let token = state.session?.token else { return nil }
        return try await transport.events(token: token)
    }
}
