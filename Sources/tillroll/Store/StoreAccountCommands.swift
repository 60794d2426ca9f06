import ArgumentParser
import Foundation
import FoundationExtras
import PurchaseModel
import StoreProtocol
import Wire

/// Lists a store's accounts.
struct StoreAccountsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "List the accounts of a store with their subscriptions and spending, newest activity first.",
        discussion: """
            The total is the sum of an account's charges minus its refunds.

              tillroll store accounts
              tillroll store accounts --text @example.com
            """,
        exitCodes: .store
    )

    @Option(help: "Only accounts whose name contains this text.") var text: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> AccountsReply {
        var all = AccountsReply(accounts: [])
        var known: Set<AccountID> = []
        // Read all pages again if an account is missing, because an account that becomes active between two requests moves to the first
        // page.
        for _ in 0..<5 {
            var query = AccountQuery()
            query.limit = AccountQuery.limit
            query.text = text
            repeat {
                let page = try await store.call(ControlEndpoints.accounts, query: query.parameters)
                all.accounts += page.accounts.filter { known.insert($0.account).inserted }
                all.count = page.count
                query.paginationToken = page.paginationToken
            } while query.paginationToken != nil && known.count < all.count ?? .max
            if known.count >= all.count ?? 0 { break }
        }
        return all
    }

    func lines(_ output: AccountsReply, _ style: TerminalStyle) -> [String] {
        AccountTable(output.accounts).lines(style)
    }
}

/// Creates an account, or changes the settings of an account.
struct StoreAccountCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Create an account, or change its settings.",
        discussion: """
            Settings without an option stay unchanged; without any option a known account is shown. The default password of a new \
            account is "secret".

              tillroll store account jane@example.com --ask-to-buy on
              tillroll store account jane@example.com --payment-method declined
              tillroll store account tom@example.com --family the-does
            """,
        exitCodes: .store
    )

    @Argument(help: "The account's name.") var account: String
    @Option(help: "The account's password.") var password: String?
    @Option(help: "Ask to Buy, which requires a parent's approval of purchases: on or off.") var askToBuy: StateOption?
    @Option(help: "The state of the payment method: valid or declined.") var paymentMethod: PaymentMethodOption?
    @Option(help: "Interrupted purchases, which `resolve` completes: on or off.") var interruptPurchases: StateOption?
    @Option(help: "Family Sharing of the account's purchases: on or off.") var familySharing: StateOption?
    @Option(help: "The environment of new purchases: sandbox or production.") var environment: EnvironmentOption?
    @Option(help: "The storefront's country code, such as USA; empty for the catalog's storefront.") var storefront: String?
    @Option(help: "The family's name, which its members share; empty to leave the family.") var family: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> AccountDescription {
        let name = AccountID(account)
        let known = try await store.call(ControlEndpoints.accounts).accounts.first { $0.account == name }
        if known == nil {
            let request = CreateAccountRequest(account: name, password: password ?? "secret")
            let _: Empty = try await store.call(ControlEndpoints.createAccount, request)
            StandardError.line("Created the account \(TerminalText.safe(account)).")
        }
        var request = AccountRequest()
        request.password = password
        request.askToBuyEnabled = askToBuy?.isOn
        request.hasValidPaymentMethod = paymentMethod.map { $0 == .valid }
        request.interruptedPurchasesEnabled = interruptPurchases?.isOn
        request.sharesPurchases = familySharing?.isOn
        request.environment = environment?.environment
        request.storefront = storefront
        request.family = family
        // Return a known account without a change if the command has no settings.
        if let known, request == AccountRequest() { return known }
        return try await store.call(ControlEndpoints.setAccount, request, ["account": account])
    }

    func lines(_ output: AccountDescription, _ style: TerminalStyle) -> [String] {
        AccountTable([output]).lines(style)
    }
}

/// Lists an account's charges and refunds.
struct StoreChargesCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "charges",
        abstract: "List the charges and refunds of an account.",
        discussion: """
              tillroll store charges jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup var target: AccountTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> ChargesReply {
        try await store.call(ControlEndpoints.charges, ["account": target.account.rawValue])
    }

    func lines(_ output: ChargesReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable(["date", "transaction", "product", "amount"])
        for charge in output.charges {
            let amount = "\(charge.amount.decimal) \(charge.amount.currency)"
            table.add(["\(charge.date)", charge.transactionID.rawValue, charge.productID.rawValue, amount])
        }
        return table.isEmpty ? [style.faint("no charges")] : table.lines(style, indent: "")
    }
}

/// Lists an account's transactions.
struct StoreTransactionsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "List the transactions of an account.",
        discussion: """
              tillroll store transactions jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup var target: AccountTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> TransactionsReply {
        try await store.call(ControlEndpoints.transactions, ["account": target.account.rawValue])
    }

    func lines(_ output: TransactionsReply, _ style: TerminalStyle) -> [String] {
        TransactionTable(output.summaries).lines(style)
    }
}

/// Lists an account's subscriptions.
struct StoreSubscriptionsCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions",
        abstract: "List the subscriptions of an account.",
        discussion: """
              tillroll store subscriptions jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup var target: AccountTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> SubscriptionsReply {
        try await store.call(ControlEndpoints.subscriptions, ["account": target.account.rawValue])
    }

    func lines(_ output: SubscriptionsReply, _ style: TerminalStyle) -> [String] {
        SubscriptionTable(output.subscriptions).lines(style)
    }
}

/// Prints a receipt of an account, with the same request as a device of the account.
struct StoreReceiptCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Print the app receipt of an account.",
        discussion: """
            The output is base64, as apps send it to their servers; with --json it is in the member receipt.

              tillroll store receipt jane@example.com
              tillroll store receipt jane@example.com --expired
              tillroll store receipt jane@example.com --transaction 2000000000000001
            """,
        exitCodes: .store
    )

    @OptionGroup var target: AccountTarget
    @Option(help: "The account's password.") var password = "secret"
    @Option(help: "The app's bundle ID (default: the store's first app).") var bundleID: String?
    @Option(help: "The app's version on the device.") var appVersion = "1.0"
    @Option(help: ArgumentHelp("The device to which the receipt is bound.", valueName: "uuid"))
    var device = "00112233-4455-6677-8899-aabbccddeeff"
    @Option(help: "Print the iOS 6 transaction receipt of this transaction instead.") var transaction: String?
    @Flag(help: "Request an expired receipt.") var expired = false
    @Flag(help: "Request a revoked receipt.") var revoked = false
    @Flag(help: "Request a receipt of the Volume Purchase Program.") var volumePurchase = false
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> ReceiptReply {
        // Look the account up first, because the sign-in would refuse an unknown account with the error of a wrong password.
        let _: AccountDescription = try await store.call(ControlEndpoints.account, ["account": target.account.rawValue])
        let request = SignInRequest(
            account: target.account, password: password, device: DeviceID(device), bundleID: try await store.app(bundleID),
            appVersion: appVersion)
        let deviceClient = StoreConnection(store.address, token: try await store.call(DeviceEndpoints.signIn, request).token)
        if let transaction {
            let request = TransactionReceiptRequest(transactionID: TransactionID(transaction))
            return try await deviceClient.call(DeviceEndpoints.transactionReceipt, request)
        }
        let receiptRequest = ReceiptRequest(expired: expired, revoked: revoked, volumePurchase: volumePurchase)
        return try await deviceClient.call(DeviceEndpoints.receipt, receiptRequest)
    }

    func lines(_ output: ReceiptReply, _ style: TerminalStyle) -> [String] {
        [output.receipt.base64EncodedString()]
    }
}

/// Imports a customer's transaction history from the App Store into an account of the local store.
struct StoreImportHistoryCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-history",
        abstract: "Import a customer's transaction history from the App Store into an account.",
        discussion: """
            The files contain unchanged responses of Get Transaction History (all pages) and Get All Subscription Statuses, or \
            signed transactions, one per line. The store signs the imported transactions itself, and subscriptions continue from \
            their imported state. A repeated import changes nothing, and a later signed version of a transaction, such as after a \
            refund, updates the transaction of an earlier import.

              tillroll store import-history history.json statuses.json --account jane
            """,
        exitCodes: .store
    )

    @Argument(help: "The files with the history; - for standard input.") var files: [String]
    @Option(help: "The account that gets the history; created if it does not exist.") var account: String
    @Option(help: "The bundle ID of the app (default: the app of the transactions).") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> ImportHistoryReply {
        var signedHistory = SignedHistory()
        for file in files {
            guard signedHistory.add(try InputSource(file).read()) else {
                throw ValidationError("\(file) contains no signed transactions. Give an unchanged response of Get Transaction History.")
            }
        }
        let request = ImportHistoryRequest(
            account: AccountID(account), bundleID: bundleID.map { BundleID($0) }, signedTransactions: signedHistory.transactions,
            signedRenewalInfos: signedHistory.renewalInfos)
        return try await store.call(ControlEndpoints.importHistory, request)
    }

    func lines(_ output: ImportHistoryReply, _ style: TerminalStyle) -> [String] {
        var table = TextTable()
        table.add("account", output.account.rawValue)
        let updates = output.updatedCount > 0 ? " (\(output.updatedCount) updated)" : ""
        table.add(
            "transactions",
            "\(output.importedCount) imported, \(output.existingCount) already present\(updates), "
                + "\(output.sharedCount) from Family Sharing skipped")
        table.add("subscriptions", "\(output.subscriptionCount) continued")
        table.add("signatures", "\(output.verifiedCount) verified with Apple's roots")
        return table.lines(style, indent: "")
    }
}

/// Removes an account with its purchases and its sign-ins.
struct StoreRemoveAccountCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-account",
        abstract: "Remove an account with its purchases and its sign-ins.",
        discussion: """
            The account's devices are signed out, and its transactions are unknown to the store afterwards. The store refuses to \
            remove an account while other accounts have purchases that it shared through Family Sharing.

              tillroll store remove-account jane@example.com
            """,
        exitCodes: .store
    )

    @OptionGroup var target: AccountTarget
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> Empty {
        try await store.call(ControlEndpoints.removeAccount, ["account": target.account.rawValue])
    }

    func lines(_ output: Empty, _ style: TerminalStyle) -> [String] {
        ["The account \(TerminalText.safe(target.account.rawValue)) is removed."]
    }
}

/// The account of a command, given as an argument or with `--account`.
struct AccountTarget: ParsableArguments {
    @Argument(help: "The account's name.") var name: String?
    @Option(name: .customLong("account"), help: "The account's name; alternative to the argument.") var option: String?

    func validate() throws {
        guard (name == nil) != (option == nil) else { throw ValidationError("Give one account, as the argument or with --account.") }
    }

    /// The account that the argument or the option names.
    var account: AccountID { AccountID(name ?? option ?? "") }
}

/// Signed transactions and signed renewal info, collected from responses of the App Store Server API.
struct SignedHistory {
    private(set) var transactions: [SignedTransaction] = []
    private(set) var renewalInfos: [SignedRenewalInfo] = []

    /// Adds the signed data of a file, and returns whether the file contained signed data.
    ///
    /// The file contains JSON, in which the members' names identify signed data, or JWS separated by white space.
    mutating func add(_ bytes: [UInt8]) -> Bool {
        let before = transactions.count + renewalInfos.count
        if let json = JSONReader.read(bytes) {
            gather(json, named: nil)
        } else {
            for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace) where Self.isCompact(line) {
                transactions.append(SignedTransaction(String(line)))
            }
        }
        return transactions.count + renewalInfos.count > before
    }

    private mutating func gather(_ json: JSONValue, named name: String?) {
        switch json {
        case .object(let members): for member in members { gather(member.value, named: member.name) }
        case .array(let elements): for element in elements { gather(element, named: name) }
        case .string(let text):
            switch name {
            case "signedTransactions", "signedTransaction", "signedTransactionInfo", "transactions":
                transactions.append(SignedTransaction(text))
            case nil where Self.isCompact(text): transactions.append(SignedTransaction(text))
            case "signedRenewalInfo", "signedRenewalInfos": renewalInfos.append(SignedRenewalInfo(text))
            default: break
            }
        case .null, .bool, .number: break
        }
    }

    /// Returns whether a text has the three parts of a JWS.
    private static func isCompact(_ text: some StringProtocol) -> Bool {
        text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 && text.hasPrefix("ey")
    }
}

struct TransactionTable {
    private var table = TextTable(["date", "transaction", "product", "kind", "price", "expires", "state"])

    init(_ summaries: [TransactionSummary]) {
        for summary in summaries {
            let payload = summary.payload
            let price = payload.price.map { Money(milliunits: $0, currency: payload.currency ?? "") }
            table.add([
                "\(payload.purchaseDate)", payload.transactionId.rawValue, payload.productId.rawValue, summary.kind,
                price.map { "\($0.decimal) \($0.currency)" } ?? "", payload.expiresDate.map { "\($0)" } ?? "", Self.state(summary),
            ])
        }
    }

    /// Returns the lines of the table, or a message if the table is empty.
    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no transactions")] : table.lines(style, indent: "")
    }

    private static func state(_ summary: TransactionSummary) -> String {
        if let date = summary.payload.revocationDate { return "revoked \(date)" }
        if summary.payload.isUpgraded == true { return "upgraded" }
        return summary.finishedDate == nil ? "unfinished" : "finished"
    }
}

/// The value of `--payment-method`: the state of an account's payment method.
enum PaymentMethodOption: String, ExpressibleByArgument, CaseIterable, Sendable {
    case valid, declined
}
