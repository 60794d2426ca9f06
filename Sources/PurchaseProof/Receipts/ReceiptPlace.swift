/// Where in a receipt's content something lies, such as `receipt.17[3].1704`.
struct ReceiptPlace: CustomStringConvertible {
    /// Which of the purchases, from 0 on.
    var purchase: Int?
    /// The attribute's number.
    var number: Int64?

    var description: String {
        "receipt" + (purchase.map { ".17[\($0)]" } ?? "") + (number.map { ".\($0)" } ?? "")
    }
}
