public import ArgumentParser
package import PurchaseModel
import StoreProtocol
import Wire

/// Refunds a transaction.
struct StoreRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Refund a transaction.",
        discussion: """
              tillroll store refund 2000000000000001
              tillroll store refund --account jane@example.com --percentage 40
              tillroll store refund 2000000000000001 --seats 2
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Transaction") var target: TransactionTarget
    @Option(help: "The refunded percentage of the price, from 1 to 100 (default: 100).") var percentage: Int?
    @Option(help: "The number of seats to refund (default: all seats of the transaction).") var seats: Int?
    @Flag(help: "State an issue with the app as the reason (revocationReason 1).") var appFault = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> TransactionOutput {
        if let percentage, !(1...100).contains(percentage) { throw ValidationError("Invalid --percentage \(percentage): give 1 to 100.") }
        let transaction = try await target.find(in: store)
        let request = IssueRefund(
            transactionID: transaction, reason: appFault ? 1 : nil, percentage: percentage.map { $0 * 1_000 }, seats: seats)
        let reply = try await store.call(ControlEndpoints.refund, request)
        guard !reply.isRepeated else {
            StandardError.line("Error: Transaction \(TerminalText.safe(transaction.rawValue)) is refunded already; nothing has changed.")
            throw ExitCode.refused
        }
        return TransactionOutput(transactionID: transaction)
    }

    func lines(_ output: TransactionOutput, _ style: TerminalStyle) -> [String] {
        ["Refunded transaction \(TerminalText.safe(output.transactionID.rawValue))."]
    }
}

/// Reverses the refund of a transaction.
struct StoreReverseRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "reverse-refund",
        abstract: "Reverse the refund of a transaction.",
        discussion: """
              tillroll store reverse-refund --account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Transaction") var target: TransactionTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> TransactionOutput {
        let transaction = try await target.find(in: store)
        let _: Empty = try await store.call(ControlEndpoints.reverseRefund, ReverseRefundRequest(transactionID: transaction))
        return TransactionOutput(transactionID: transaction)
    }

    func lines(_ output: TransactionOutput, _ style: TerminalStyle) -> [String] {
        ["Reversed the refund of transaction \(TerminalText.safe(output.transactionID.rawValue))."]
    }
}

/// Requests a refund for a customer.
struct StoreRequestRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "request-refund",
        abstract: "Request a refund for a customer; the store sends CONSUMPTION_REQUEST to the developer's server.",
        discussion: """
              tillroll store request-refund --account jane --reason UNINTENDED_PURCHASE
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Transaction") var target: TransactionTarget
    @Option(help: "The reason, such as UNINTENDED_PURCHASE.") var reason: ConsumptionRequestReason?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> RefundRequestDescription {
        let transaction = try await target.find(in: store)
        return try await store.call(ControlEndpoints.requestRefund, RefundRequest(transactionID: transaction, reason: reason))
    }

    func lines(_ output: RefundRequestDescription, _ style: TerminalStyle) -> [String] {
        RefundRequestTable([output]).lines(style)
    }
}

/// Lists the customers' refund requests.
struct StoreRefundRequestsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund-requests",
        abstract: "List the customers' refund requests.",
        discussion: """
              tillroll store refund-requests
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> RefundRequestsReply {
        try await store.call(ControlEndpoints.refundRequests)
    }

    func lines(_ output: RefundRequestsReply, _ style: TerminalStyle) -> [String] {
        RefundRequestTable(output.requests).lines(style)
    }
}

/// Approves or declines a refund request.
struct StoreDecideRefundCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide-refund",
        abstract: "Approve or decline a customer's request for a refund.",
        discussion: """
              tillroll store decide-refund 1 --approve
              tillroll store decide-refund 1 --decline
            """,
        exitCodes: .store
    )

    @Argument(help: "The request's number in the output of `refund-requests`.") var request: Int64
    @Flag(help: "The decision on the refund request.") var decision: RefundDecision
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        try await store.call(ControlEndpoints.decideRefund, DecisionRequest(approve: decision == .approve), ["request": "\(request)"])
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        ["\(decision == .approve ? "Approved" : "Declined") refund request \(request)."]
    }
}

/// The flags `--approve` and `--decline` for a refund request.
enum RefundDecision: String, EnumerableFlag, Sendable {
    case approve, decline
}

extension ConsumptionRequestReason: ExpressibleByArgument {}

/// The command-line arguments that identify a transaction: its identifier, or the account with the newest transaction.
struct TransactionTarget: ParsableArguments {
    @Argument(help: "The transaction ID; alternatively give --account.")
    var transaction: String?

    @Option(help: "The account whose newest transaction is selected; alternative to a transaction ID.")
    var account: String?

    @Option(help: "With --account: the product ID of the transaction (default: any product).")
    var product: String?

    func validate() throws {
        guard (transaction == nil) != (account == nil) else {
            throw ValidationError("Give either a transaction ID or --account.")
        }
    }

    /// Returns the identifier of the given transaction, or of the account's newest purchase or renewal.
    ///
    /// - Throws: `ExitCode.refused`, after a message, if no such transaction exists.
    func find(in store: StoreConnection) async throws -> TransactionID {
        if let transaction { return TransactionID(transaction) }
        let account = account ?? ""
        let all = try await store.call(ControlEndpoints.transactions, ["account": account]).summaries
        let newest = all.last { summary in
            ["purchase", "renewal"].contains(summary.kind) && (product == nil || summary.payload.productId.rawValue == product)
        }
        guard let newest else {
            StandardError.line(
                "Error: Account \(TerminalText.safe(account)) has no such transaction. List them with: tillroll store transactions ACCOUNT")
            throw ExitCode.refused
        }
        return newest.payload.transactionId
    }
}

/// The output of a command that refunds a transaction or reverses a refund.
struct TransactionOutput: Encodable, Sendable {
    var transactionID: TransactionID
}

struct RefundRequestTable {
    private var table = TextTable(["request", "date", "transaction", "reason", "state"])

    init(_ requests: [RefundRequestDescription]) {
        for request in requests {
            table.add(["\(request.id)", "\(request.date)", request.transactionID.rawValue, request.reason, request.state])
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no refund requests")] : table.lines(style, indent: "")
    }
}
