import PurchaseModel
import PurchaseProtocol

/// A table of pending payments.
struct PaymentTable {
    private var table = TextTable(["payment", "account", "product", "quantity"])

    init(_ reply: ApprovalsReply) {
        for payment in reply.pending {
            table.add([payment.payment.rawValue, payment.account.rawValue, payment.productID.rawValue, "\(payment.quantity)"])
        }
    }

    func lines(_ style: TerminalStyle, none: String) -> [String] {
        table.isEmpty ? [style.faint(none)] : table.lines(style, indent: "")
    }
}
