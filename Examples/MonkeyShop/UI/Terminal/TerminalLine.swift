import PurchaseModel

/// A line of the app in the terminal, with what it does when the person types its number.
struct TerminalLine: Sendable, Equatable {
    /// What a line does.
    enum Press: Hashable, Sendable {
        case act(ShopAction)
        /// Buys a product, as many as the person types after the number.
        case buy(ProductID)
        /// Enters the text after the number into a field of a sheet.
        case enter(field: String)
        /// Selects or deselects an option of a sheet.
        case toggle(String)
        /// Selects one of several reasons of a sheet.
        case choose(String)
        /// Answers the sheet, with the kind of the answer as in the page's forms.
        case answer(String)
    }

    var text: String
    var press: Press?

    /// Returns the text as a terminal shows it, without control characters of a product's or a person's name.
    ///
    /// - Parameter number: The number of a line that does something.
    func printed(_ number: Int?) -> String {
        let plain = String(
            text.unicodeScalars.filter { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
                default: true
                }
            }.map { Character($0) })
        guard let number else { return "    \(plain)" }
        return "\(number < 10 ? " " : "")\(number)) \(plain)"
    }
}

/// What a person has entered into a sheet.
struct TerminalForm: Sendable {
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

    /// Returns an answer of the sheet, by its kind as in the page's forms.
    func answer(_ kind: String) -> ShopSheetAnswer? {
        var all = fields
        all["answer"] = kind
        all["reason"] = reason
        for product in chosen { all[product] = "1" }
        return ShopSheetAnswer(all)
    }
}
