import PurchaseModel

/// What a person has entered into a sheet.
struct TerminalForm: Sendable {
    /// The maximum number of characters in a field.
    private static let fieldLimit = 200

    let sheet: Int
    var fields: [String: String] = [:]
    var chosen: Set<String>
    var reason: String?

    init(_ sheet: SheetView) {
        self.sheet = sheet.id
        chosen = Set(sheet.options.map(\.id.rawValue))
        reason = sheet.reasons.first?.value
        if let account = sheet.account { fields["account"] = account }
        if let password = sheet.password { fields["password"] = password }
    }

    /// The names and the labels of a sheet's fields.
    func labels(of sheet: SheetView, in text: PageLanguage) -> [(name: String, label: String)] {
        var labels: [(String, String)] = []
        if sheet.account != nil { labels += [("account", text("Account")), ("password", text("Password"))] }
        if let field = sheet.field { labels.append(("text", field)) }
        return labels
    }

    /// Adds a character to a field.
    mutating func insert(_ character: Character, into field: String) {
        guard fields[field, default: ""].count < Self.fieldLimit else { return }
        fields[field, default: ""].append(character)
    }

    /// Removes the last character of a field.
    mutating func removeLast(from field: String) { _ = fields[field, default: ""].popLast() }

    /// Returns an answer of the sheet, by its kind as in the page's forms.
    func answer(_ kind: String) -> ShopSheetAnswer? {
        var all = fields
        all["answer"] = kind
        all["reason"] = reason
        for product in chosen { all[product] = "1" }
        return ShopSheetAnswer(all)
    }
}
