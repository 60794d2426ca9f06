import PurchaseModel
import PurchaseProtocol

/// A table of refund requests.
struct RefundRequestTable {
    private var table = TextTable(["request", "date", "transaction", "reason", "state"])

    init(_ requests: [RefundRequestDescription]) {
        for request in requests {
            table.add(["\(request.id)", "\(request.date)", request.transaction.rawValue, request.reason, request.state])
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no requests")] : table.lines(style, indent: "")
    }
}
