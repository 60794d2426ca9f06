import ArgumentParser
import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// Buys a product for an account.
struct StoreBuyCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "buy",
        abstract: "Buy a product for an account, outside the app.",
        discussion: """
            The account is opened when it is not there. With --json the answer has outcome (purchased, deferred or refused), payment, \
            signedTransaction and under transaction what that says.

              tillroll store buy com.example.pro.monthly --account jane@example.com
              tillroll store buy com.example.pro.monthly --account jane \\
                  --offer promotional:half-price

            Exit codes: 0 bought or waiting for a parent, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The product.") var product: String
    @Option(help: "Who buys.") var account: String
    @Option(help: "How many, from 1 to 10.") var quantity: Int?
    @Option(help: "The app; without it the store's first one.") var bundleID: String?
    @Option(help: ArgumentHelp("The customer at your own server.", valueName: "uuid")) var appAccountToken: String?
    @Option(help: ArgumentHelp("An offer: promotional:ID, code:NAME or winback:ID.", valueName: "offer")) var offer: OfferOption?
    @Option(help: ArgumentHelp("Makes a repeat harmless; without it the payment is a new one.", valueName: "uuid")) var payment: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> BuyAnswer {
        let payment = payment.map { PaymentID($0) } ?? PaymentID(UUID())
        let request = BuyRequest(
            account: AccountID(account), productID: ProductID(product), quantity: quantity, bundleID: bundleID.map { BundleID($0) },
            appAccountToken: appAccountToken.map { CustomerID($0) }, offer: offer?.choice, payment: payment
        )
        switch try await store.call(ControlEndpoints.buy, request) {
        case .purchased(let signed, _):
            let payload = (try? UnverifiedJWS(signed.compact)).map { Data($0.payload) }
            let transaction = try payload.map { try WireJSON.decode(TransactionPayload.self, from: $0) }
            return BuyAnswer(outcome: .purchased, payment: payment, signedTransaction: signed, transaction: transaction)
        case .deferred, .permissionNeeded:
            return BuyAnswer(outcome: .deferred, payment: payment)
        case .refused(let code, let message):
            return BuyAnswer(outcome: .refused, payment: payment, code: code, message: message)
        }
    }

    func lines(_ answer: BuyAnswer, _ style: TerminalStyle) -> [String] {
        switch answer.outcome {
        case .purchased:
            let id = answer.transaction?.transactionId.rawValue ?? ""
            return ["\(style.good("bought"))  transaction \(TerminalText.safe(id))"]
        case .deferred: return ["\(style.doubtful("waits for a parent"))  payment \(answer.payment); `approve` and `decline` decide"]
        case .refused: return ["\(style.bad("refused"))  \(TerminalText.safe(answer.message ?? "")) (SKError \(answer.code ?? 0))"]
        }
    }

    func exitCode(_ answer: BuyAnswer) -> ExitCode {
        answer.outcome == .refused ? StoreClient.refused : .success
    }
}
