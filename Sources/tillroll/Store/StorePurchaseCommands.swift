import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseProof
import StoreProtocol
import Wire

/// Buys a product for an account.
struct StoreBuyCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy a product for an account, without a device.",
        discussion: """
            The account is created if it does not exist. With --json the output has the members outcome (purchased, deferred or \
            refused), payment, signedTransaction, and transaction with the decoded payload.

              tillroll store buy com.example.pro.monthly --account jane@example.com
              tillroll store buy com.example.pro.monthly --account jane \\
                  --offer promotional:half-price
              tillroll store buy com.example.pro.yearly --account jane --billing-plan monthly
              tillroll store buy com.example.pro.monthly --account jane --seats 5
            """,
        exitCodes: .storeRequest(success: "purchased, or pending in Ask to Buy")
    )

    @Argument(help: "The product ID.") var product: String
    @Option(help: "The account that buys.") var account: String
    @Option(help: "The quantity, from 1 to 10.") var quantity: Int?
    @Option(help: "The app's bundle ID (default: the store's first app).") var bundleID: String?
    @Option(help: ArgumentHelp("The appAccountToken, which names your server's customer.", valueName: "uuid")) var appAccountToken: String?
    @Option(help: ArgumentHelp("The offer to redeem: promotional:ID, code:NAME or winback:ID.", valueName: "offer")) var offer: OfferOption?
    @Option(help: "The billing plan: upfront, or monthly with a commitment (default: upfront).") var billingPlan: BillingPlanOption?
    @Option(help: "The number of seats after the purchase; more than before adds seats.") var seats: Int?
    @Option(help: ArgumentHelp("The payment's idempotency key (default: a new one).", valueName: "uuid")) var payment: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> BuyOutput {
        let payment = payment.map { PaymentID($0) } ?? PaymentID(UUID())
        let request = BuyRequest(
            account: AccountID(account), productID: ProductID(product), quantity: quantity, bundleID: bundleID.map { BundleID($0) },
            appAccountToken: appAccountToken.map { CustomerID($0) }, offer: offer?.choice,
            billingPlan: billingPlan?.type, seats: seats, payment: payment
        )
        switch try await store.call(ControlEndpoints.buy, request) {
        case .purchased(let signed, _):
            let payload = (try? UnverifiedJWS(signed.compact)).map { Data($0.payload) }
            let transaction = try payload.map { try WireJSON.decode(TransactionPayload.self, from: $0) }
            return BuyOutput(outcome: .purchased, payment: payment, signedTransaction: signed, transaction: transaction)
        case .deferred, .askToBuyConfirmationRequired:
            return BuyOutput(outcome: .deferred, payment: payment)
        case .refused(let code, let message):
            var advice = message
            if code == Self.unavailable { advice += await productAdvice(store) }
            return BuyOutput(outcome: .refused, payment: payment, code: code, message: advice)
        }
    }

    /// The code of the `SKError` for a product that the store does not sell.
    private static let unavailable = 5

    /// Returns a sentence with similar product IDs, or with the command that lists the products; empty if the store does not respond.
    private func productAdvice(_ store: StoreConnection) async -> String {
        guard let app = try? await store.call(HostEndpoints.currentStore).bundleID,
            let all = try? await store.call(ControlEndpoints.products, ["bundle": bundleID ?? app.rawValue]).products.map(\.id.rawValue)
        else { return "" }
        // The store has the product, and refuses another value of the request.
        guard !all.contains(product) else { return "" }
        let nearest = Suggestions.nearest(to: product, in: all)
        if !nearest.isEmpty { return " Did you mean \(nearest.joined(separator: " or "))?" }
        return " List the products with: tillroll store products"
    }

    func lines(_ output: BuyOutput, _ style: TerminalStyle) -> [String] {
        switch output.outcome {
        case .purchased:
            let id = output.transaction?.transactionId.rawValue ?? ""
            // Print the start of a downgrade, because the store sends the transaction of the current subscription until the next renewal.
            if let current = output.transaction, current.productId.rawValue != product, let start = current.expiresDate {
                let change = "\(TerminalText.safe(product)) starts on \(start), when \(current.productId) ends"
                return ["\(style.good("changed"))  \(change)  transaction \(TerminalText.safe(id))"]
            }
            return ["\(style.good("purchased"))  transaction \(TerminalText.safe(id))"]
        case .deferred: return ["\(style.warning("pending in Ask to Buy"))  payment \(output.payment); use `store approve` or `decline`"]
        case .refused:
            // The errors of seats are StoreKit 2's, which have no codes.
            let code = output.code.flatMap { $0 < PurchaseReply.multiSeatPurchaseDisabled ? " (SKError \($0))" : nil } ?? ""
            return ["\(style.bad("refused"))  \(TerminalText.safe(output.message ?? ""))\(code)"]
        }
    }

    func exitCode(_ output: BuyOutput) -> ExitCode {
        output.outcome == .refused ? .refused : .success
    }
}

/// Lists the payments that are pending in Ask to Buy.
struct StoreApprovalsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "approvals",
        abstract: "List the payments that are pending in Ask to Buy.",
        discussion: """
              tillroll store approvals
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> PendingPaymentsReply {
        try await store.call(ControlEndpoints.approvals)
    }

    func lines(_ output: PendingPaymentsReply, _ style: TerminalStyle) -> [String] {
        PaymentTable(output).lines(style, none: "no payments pending in Ask to Buy")
    }
}

/// Approves a child's payment in Ask to Buy.
struct StoreApproveCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve a payment that is pending in Ask to Buy.",
        discussion: """
              tillroll store approve
              tillroll store approve 6ba7b810-9dad-11d1-80b4-00c04fd430c8
            """,
        exitCodes: .store
    )

    @Argument(help: "The payment ID (default: the only pending payment).") var payment: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> DecisionOutput {
        try await store.decide(payment, approve: true)
    }

    func lines(_ output: DecisionOutput, _ style: TerminalStyle) -> [String] {
        ["Approved payment \(TerminalText.safe(output.payment.rawValue))."]
    }
}

/// Declines a child's payment in Ask to Buy.
struct StoreDeclineCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Decline a payment that is pending in Ask to Buy.",
        discussion: """
              tillroll store decline
              tillroll store decline 6ba7b810-9dad-11d1-80b4-00c04fd430c8
            """,
        exitCodes: .store
    )

    @Argument(help: "The payment ID (default: the only pending payment).") var payment: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> DecisionOutput {
        try await store.decide(payment, approve: false)
    }

    func lines(_ output: DecisionOutput, _ style: TerminalStyle) -> [String] {
        ["Declined payment \(TerminalText.safe(output.payment.rawValue))."]
    }
}

/// Lists interrupted payments.
struct StoreInterruptionsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "interruptions",
        abstract: "List interrupted payments.",
        discussion: """
              tillroll store interruptions
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> PendingPaymentsReply {
        try await store.call(ControlEndpoints.interruptions)
    }

    func lines(_ output: PendingPaymentsReply, _ style: TerminalStyle) -> [String] {
        PaymentTable(output).lines(style, none: "no interrupted payments")
    }
}

/// Resolves the issue of an interrupted payment.
struct StoreResolveCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve the issue of an interrupted payment, which the store then completes.",
        discussion: """
              tillroll store resolve
              tillroll store resolve 6ba7b810-9dad-11d1-80b4-00c04fd430c8
            """,
        exitCodes: .store
    )

    @Argument(help: "The payment ID (default: the only interrupted payment).") var payment: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> DecisionOutput {
        let reply = try await store.call(ControlEndpoints.interruptions)
        let payment = try store.pendingPayment(payment, in: reply)
        let _: Empty = try await store.call(ControlEndpoints.resolveInterruption, ["payment": payment.rawValue])
        return DecisionOutput(payment: payment, approved: true)
    }

    func lines(_ output: DecisionOutput, _ style: TerminalStyle) -> [String] {
        ["Resolved payment \(TerminalText.safe(output.payment.rawValue))."]
    }
}

/// Simulates a promoted in-app purchase.
struct StorePromoteCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Simulate a promoted in-app purchase.",
        discussion: """
              tillroll store promote com.example.pro --account jane@example.com
            """,
        exitCodes: .store
    )

    @Argument(help: "The product ID.") var product: String
    @Option(help: "The account that starts the purchase.") var account: String
    @Option(help: "The ID of a win-back offer.") var offer: String?
    @Option(help: "The app's bundle ID (default: the store's first app).") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        let bundleID = bundleID.map { BundleID($0) }
        let request = PromotionRequest(account: AccountID(account), productID: ProductID(product), bundleID: bundleID, offerID: offer)
        return try await store.call(ControlEndpoints.promote, request)
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        ["Promoted \(TerminalText.safe(product))."]
    }
}

/// An offer on the command line: its type, a colon, and its identifier, such as `promotional:half-price`.
struct OfferOption: ExpressibleByArgument, Sendable {
    let choice: OfferChoice

    init?(argument: String) {
        let kinds: [String: OfferType] = ["introductory": .introductory, "promotional": .promotional, "code": .code, "winback": .winBack]
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        guard let kind = parts.first.flatMap({ kinds[$0] }), parts.count == 2 || kind == .introductory else { return nil }
        choice = OfferChoice(kind: kind, id: parts.count == 2 ? parts[1] : nil)
    }
}

/// A billing plan on the command line.
enum BillingPlanOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case upfront, monthly

    /// The billing plan that the request states; nil for the upfront plan, which the store sells by default.
    var type: BillingPlanType? { self == .monthly ? .monthly : nil }
}

/// The output of `store buy`: the outcome of the purchase.
struct BuyOutput: Encodable, Sendable {
    enum Outcome: String, Encodable, Sendable {
        case purchased, deferred, refused
    }

    var outcome: Outcome
    /// The payment's identifier, with which a parent approves or declines a deferred payment.
    var payment: PaymentID
    /// The signed transaction; nil unless the outcome is `purchased`.
    var signedTransaction: SignedTransaction?
    /// The decoded payload of the signed transaction; nil unless the outcome is `purchased`.
    var transaction: TransactionPayload?
    /// The code of the `SKError` of a refused purchase.
    var code: Int?
    var message: String?
}

/// The output of a command that approves, declines or resolves a payment.
struct DecisionOutput: Encodable, Sendable {
    var payment: PaymentID
    var approved: Bool
}

extension StoreConnection {
    /// Approves or declines a payment that is pending in Ask to Buy.
    func decide(_ named: String?, approve: Bool) async throws -> DecisionOutput {
        let payment = try pendingPayment(named, in: try await call(ControlEndpoints.approvals))
        let _: Empty = try await call(ControlEndpoints.decideApproval, DecisionRequest(approve: approve), ["payment": payment.rawValue])
        return DecisionOutput(payment: payment, approved: approve)
    }

    /// Returns the payment that the command line names, or the only pending payment of a reply.
    ///
    /// - Throws: `ExitCode.refused`, after a message, if no payment is pending; a usage error if several payments are pending.
    func pendingPayment(_ named: String?, in reply: PendingPaymentsReply) throws -> PaymentID {
        if let named { return PaymentID(named) }
        guard let first = reply.pending.first else {
            StandardError.line("Error: No payment is pending. Create a payment with: tillroll store buy")
            throw ExitCode.refused
        }
        guard reply.pending.count == 1 else {
            throw ValidationError("\(reply.pending.count) payments are pending. Give a payment ID of `approvals` or `interruptions`.")
        }
        return first.payment
    }
}

struct PaymentTable {
    private var table = TextTable(["payment", "account", "product", "quantity"])

    init(_ reply: PendingPaymentsReply) {
        for payment in reply.pending {
            table.add([payment.payment.rawValue, payment.account.rawValue, payment.productID.rawValue, "\(payment.quantity)"])
        }
    }

    func lines(_ style: TerminalStyle, none: String) -> [String] {
        table.isEmpty ? [style.faint(none)] : table.lines(style, indent: "")
    }
}
