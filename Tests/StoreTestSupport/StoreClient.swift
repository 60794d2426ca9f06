package import Foundation
import FoundationExtras
package import OpenStoreKit
package import PurchaseModel
package import PurchaseProof
import PurchaseTestSupport
package import StoreProtocol
package import Wire

/// A store whose device API and control API tests call, in this process or in another one.
package protocol StoreClient: Sendable {
    /// The connection to the store.
    var transport: any StoreTransport { get }
    /// A verifier that trusts the store in the sandbox.
    var verifier: SignedDataVerifier { get async throws }
}

/// An error response of a store.
package struct Refused: Error, Equatable {
    package let status: Int
    package let code: String

    /// Creates an error response with an HTTP status and an error code.
    package init(status: Int, code: String) {
        self.status = status
        self.code = code
    }
}

extension AccountID {
    /// The account of tests that need only one account.
    package static let test: AccountID = "ada@example.com"
    /// The password of all accounts that tests create.
    package static let testPassword = "ladder"
}

extension Credentials {
    /// The credentials of an account that a test created.
    package init(of account: AccountID) {
        self.init(account: account, password: AccountID.testPassword)
    }
}

extension StoreClient {
    /// Calls an endpoint; throws ``Refused`` for an error response.
    package func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, _ parameters: [String: String] = [:], token: String? = nil
    ) async throws -> Response {
        var request = StoreRequest(method: endpoint.method.rawValue, path: endpoint.path(parameters))
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
        if endpoint.method == .post {
            request.headers["Content-Type"] = "application/json"
            request.body = try WireJSON.encode(body)
        }
        return try WireJSON.decode(Response.self, from: try await exchange(request))
    }

    /// Uploads bytes to a path of the store.
    package func upload(_ data: Data, _ path: String) async throws {
        let headers = ["Content-Type": "application/octet-stream"]
        _ = try await exchange(StoreRequest(method: "PUT", path: path, headers: headers, body: data))
    }

    private func exchange(_ request: StoreRequest) async throws -> Data {
        let response = try await transport.send(request)
        guard (200..<300).contains(response.status) else {
            throw Refused(status: response.status, code: try WireJSON.decode(WireError.self, from: response.body).code)
        }
        return response.body
    }

    package var verifier: SignedDataVerifier {
        get async throws {
            let store = try await call(HostEndpoints.currentStore, Empty())
            let roots = try TrustedRoots.apple(and: store.rootCertificate, in: [.sandbox])
            return SignedDataVerifier(roots: roots, bundleID: store.bundleID, environments: [.sandbox])
        }
    }

    /// Verifies signed transactions, and returns their payloads.
    package func payloads(_ signed: [SignedTransaction]) async throws -> [TransactionPayload] {
        let verifier = try await verifier
        var payloads: [TransactionPayload] = []
        for transaction in signed { payloads.append(try await verifier.verify(transaction).payload) }
        return payloads
    }

    // MARK: Accounts

    /// Creates an account, by default a new one for each call, so that tests can share a store.
    @discardableResult
    package func createAccount(
        _ account: AccountID = AccountID("\(UUID().uuidString.lowercased())@example.com"), askToBuyEnabled: Bool = false
    ) async throws -> AccountID {
        _ = try await call(
            ControlEndpoints.createAccount,
            CreateAccountRequest(account: account, password: AccountID.testPassword, askToBuyEnabled: askToBuyEnabled))
        return account
    }

    /// Creates an account if necessary, and signs it in on a device.
    package func signIn(
        _ account: AccountID = .test, device: DeviceID = .test, app bundleID: BundleID = .test, version: String = "1.0",
        askToBuyEnabled: Bool = false
    ) async throws -> SignedInDevice {
        try await createAccount(account, askToBuyEnabled: askToBuyEnabled)
        let request = SignInRequest(
            account: account, password: AccountID.testPassword, device: device, bundleID: bundleID, appVersion: version)
        let token = try await call(DeviceEndpoints.signIn, request).token
        return SignedInDevice(store: self, account: account, device: device, token: token)
    }

    /// Changes the settings of an account.
    package func set(_ account: AccountID, _ change: (inout AccountRequest) -> Void) async throws {
        var request = AccountRequest()
        change(&request)
        _ = try await call(ControlEndpoints.setAccount, request, ["account": account.rawValue])
    }

    /// Makes the payment method of an account valid or invalid.
    package func setPaymentMethod(isValid: Bool, of account: AccountID = .test) async throws {
        _ = try await call(ControlEndpoints.setPaymentMethod, PaymentMethodRequest(isValid: isValid), ["account": account.rawValue])
    }

    /// The charges and refunds of an account, oldest first.
    package func charges(of account: AccountID = .test) async throws -> [Charge] {
        try await call(ControlEndpoints.charges, Empty(), ["account": account.rawValue]).charges
    }

    // MARK: Ask to Buy

    /// The pending Ask to Buy payments of all accounts, oldest first.
    package func pendingApprovals() async throws -> [PendingPayment] {
        try await call(ControlEndpoints.approvals, Empty()).pending
    }

    /// Approves or declines an Ask to Buy payment.
    package func decide(_ payment: PaymentID, approve: Bool) async throws {
        _ = try await call(ControlEndpoints.decideApproval, DecisionRequest(approve: approve), ["payment": payment.rawValue])
    }

    // MARK: Transactions and time

    /// Buys a product for an account, without a device.
    @discardableResult
    package func buy(_ product: ProductID, for account: AccountID = .test, offer: OfferChoice? = nil) async throws -> PurchaseReply {
        try await call(ControlEndpoints.buy, BuyRequest(account: account, productID: product, offer: offer))
    }

    /// Promotes a product to an account.
    package func promote(_ product: ProductID, to account: AccountID) async throws {
        _ = try await call(ControlEndpoints.promote, PromotionRequest(account: account, productID: product))
    }

    /// Refunds a transaction.
    package func refund(_ transaction: TransactionID, reason: Int? = nil, percentage: Int? = nil) async throws {
        _ = try await call(ControlEndpoints.refund, IssueRefund(transactionID: transaction, reason: reason, percentage: percentage))
    }

    /// Performs an action on a subscription.
    @discardableResult
    package func perform(_ request: SubscriptionRequest, on transaction: TransactionID) async throws -> SubscriptionDescription {
        try await call(ControlEndpoints.changeSubscription, request, ["transaction": transaction.rawValue])
    }

    /// Advances the store's time.
    package func advance(days: Int64 = 0, seconds: Int64 = 0) async throws {
        _ = try await call(ControlEndpoints.advance, AdvanceRequest(seconds: days * 86_400 + seconds))
    }
}
