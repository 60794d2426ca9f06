import PurchaseModel

/// A line of the app in the terminal, with the effect of typing its number.
struct TerminalLine: Sendable, Equatable {
    /// The effect of typing a line's number.
    enum Press: Hashable, Sendable {
        case act(ShopAction)
        /// Buys a product in the quantity after the line's number.
        case buy(ProductID)
        /// Enters the text after the line's number into a field of a sheet.
        case enter(field: String)
        /// Selects or deselects an option of a sheet.
        case toggle(String)
        /// Selects one of the reasons that a sheet offers, such as the reason for a refund request.
        case choose(String)
        /// Answers the sheet; the associated value is the value of the form's field `answer`, such as `sign-in`.
        case answer(String)
    }

    var text: String
    var press: Press?

    /// Returns the text for a terminal, without control characters, which the name of a product or a person can contain.
    ///
    /// - Parameter number: The line's number; nil for a line without an effect.
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

/// The values that a person has entered into a sheet.
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

    /// Returns an answer to the sheet with the entered values; `kind` is the value of the form's field `answer`, such as `sign-in`.
    func answer(_ kind: String) -> ShopSheetAnswer? {
        var all = fields
        all["answer"] = kind
        all["reason"] = reason
        for product in chosen { all[product] = "1" }
        return ShopSheetAnswer(all)
    }
}
