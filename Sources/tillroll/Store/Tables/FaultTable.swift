import PurchaseModel
import PurchaseProtocol

/// A table of faults.
struct FaultTable {
    private var table = TextTable(["fault", "kind", "where", "for", "times"])

    init(_ faults: [FaultsReply.Entry]) {
        for entry in faults {
            let fault = entry.fault
            let place = [fault.surface?.rawValue, fault.path].compactMap { $0 }.joined(separator: " ")
            let whom = [fault.bundleID?.rawValue, fault.account?.rawValue, fault.productID?.rawValue].compactMap { $0 }
            table.add([
                "\(entry.id)", FaultOption(fault.kind).text, place, whom.joined(separator: " "), fault.count.map { "\($0)" } ?? "always",
            ])
        }
    }

    func lines(_ style: TerminalStyle) -> [String] {
        table.isEmpty ? [style.faint("no faults")] : table.lines(style, indent: "")
    }
}
