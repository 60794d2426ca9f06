import Foundation
import PurchaseModel
import PurchaseProof
import WireClient

/// A device's conversation with its store: who is signed in, what was verified, and where the receipt lies.
actor StoreSession {
    private let configuration: DeviceConfiguration
    private let state: DeviceState
    private let transport: any StoreTransport
    /// Vouches for what the store signs for this app.
    nonisolated let dataVerifier: SignedDataVerifier
    private let receiptVerifier: ReceiptVerifier
    private let receiptPath: String

    init(configuration: DeviceConfiguration, state: DeviceState, transport: any StoreTransport, receiptPath: String) throws(DeviceError) {
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
            BundleCheck(configuration.bundleID),
            EnvironmentCheck([.sandbox]),
            DeviceHashCheck(state.device)
        )
    }

    /// Whether an account is signed in.
    nonisolated var isSignedIn: Bool { state.session != nil }

    /// Signs an account in.
    func signIn(_ credentials: Credentials) async throws(WireClientError) {
        let request = SignInRequest(
            account: credentials.account,
            password: credentials.password,
            device: state.device,
            bundleID: configuration.bundleID,
            appVersion: configuration.appVersion
        )
        let reply = try await call(DeviceEndpoints.signIn, request, token: nil)
        let session = DeviceIdentity.Session(account: credentials.account, token: reply.token, storefront: reply.storefront)
        // One that can't be written lasts for this launch.
        try? state.set(session: session)
    }

    /// Calls an endpoint that needs no account.
    func ask<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request
    ) async throws(WireClientError) -> Response {
        try await call(endpoint, body, token: nil)
    }

    /// Calls an endpoint as the account that is signed in.
    ///
    /// A session that the store does not know is forgotten, so that the next attempt asks the user; one that was begun
    /// meanwhile is not.
    func askSignedIn<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request
    ) async throws(WireClientError) -> Response {
        let token = state.session?.token ?? ""
        do {
            return try await call(endpoint, body, token: token)
        } catch {
            if case .refused(401, _) = error, state.session?.token == token { try? state.set(session: nil) }
            throw error
        }
    }

    /// Vouches for a transaction.
    nonisolated func verify(_ signed: SignedTransaction) async throws(Unproven) -> VerifiedTransaction {
        try await dataVerifier.verify(signed)
    }

    /// Vouches for a record that was read back from the journal: the store signed its transaction, and it says the same.
    nonisolated func vouch(for record: PaymentRecord) async throws(Unproven) {
        switch record.state {
        case .purchased(let recorded):
            try await vouch(for: recorded, in: record)
        case .restored(let recorded, let original):
            try await vouch(for: recorded, in: record)
            guard try await RecordedTransaction(verify(original.signed)) == original else {
                throw .refused(Refusal(.malformed, at: "journal"))
            }
        case .queued, .confirmed, .deferred, .failed, .finished:
            break
        }
    }

    private nonisolated func vouch(for recorded: RecordedTransaction, in record: PaymentRecord) async throws(Unproven) {
        let transaction = try await verify(recorded.signed)
        guard RecordedTransaction(transaction) == recorded, record.isAnswered(by: transaction.payload) else {
            throw .refused(Refusal(.malformed, at: "journal"))
        }
    }

    /// Fetches the latest receipt of the account that is signed in; false when that has to be made up for.
    func refreshReceipt() async -> Bool {
        guard let reply = try? await askSignedIn(DeviceEndpoints.receipt, ReceiptRequest()) else { return false }
        return (try? await keep(reply.receipt)) != nil
    }

    /// Vouches for a receipt and puts it in its place.
    func keep(_ receipt: Data) async throws(PaymentFailure) {
        do {
            _ = try await receiptVerifier.verify([UInt8](receipt))
            let folder = URL(filePath: receiptPath).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try DurableFile.replace(receiptPath, with: receipt)
        } catch let error as Unproven {
            throw PaymentFailure(.unknown, "The store's receipt was refused. \(error.sentence)")
        } catch {
            throw PaymentFailure(.unknown, "The receipt can't be written.")
        }
    }

    private func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response {
        guard !state.settings.airplaneMode else { throw .unreachable }
        return try await transport.call(endpoint, body, token: token)
    }
}
