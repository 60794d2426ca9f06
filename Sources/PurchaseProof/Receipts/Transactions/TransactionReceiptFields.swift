import PurchaseModel

/// The typed readings of what a transaction receipt says in texts.
struct TransactionReceiptFields {
    private let entries: [TransactionReceiptEntry]

    init(_ entries: [TransactionReceiptEntry]) {
        self.entries = entries
    }

    /// The text of a member; nil when it is missing or empty.
    subscript(name: String) -> String? {
        entries.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// The text of a member that must be there.
    func required(_ name: String) throws(Refusal) -> String {
        guard let text = self[name] else { throw missing(name) }
        return text
    }

    /// The refusal for a member that must be there and is not.
    func missing(_ name: String) -> Refusal {
        Refusal(.malformed, at: "purchase-info.\(name)", "It was expected and is missing.")
    }

    /// A whole number.
    func number(_ name: String) throws(Refusal) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text) else { throw Refusal(.malformed, at: "purchase-info.\(name)", "A whole number was expected.") }
        return number
    }

    /// A Boolean.
    func flag(_ name: String) throws(Refusal) -> Bool? {
        switch self[name] {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default: throw Refusal(.malformed, at: "purchase-info.\(name)", "A Boolean was expected.")
        }
    }

    /// A date in milliseconds, or else in text: `2012-07-12 12:54:35 Etc/GMT`.
    func date(_ name: String) throws(Refusal) -> Timestamp? {
        if let milliseconds = try number("\(name)-ms") { return Timestamp(milliseconds: milliseconds) }
        guard let text = self[name] else { return nil }
        let suffix = " Etc/GMT"
        guard text.hasSuffix(suffix), let date = Timestamp(rfc3339: text.dropLast(suffix.count).replacing(" ", with: "T") + "Z") else {
            throw Refusal(.malformed, at: "purchase-info.\(name)", "A date was expected, such as 2012-07-12 12:54:35 Etc/GMT.")
        }
        return date
    }
}
