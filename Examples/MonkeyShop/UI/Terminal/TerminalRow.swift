import PurchaseModel

/// A line of a screen or of a sheet in the terminal.
struct TerminalRow: Sendable {
    enum Look: Hashable, Sendable {
        case text, title, quiet, warning, button, primary
    }

    /// What the enter key does.
    enum Press: Hashable, Sendable {
        case act(ShopAction)
        /// Buys as many as the person chose.
        case buy(ProductID)
        /// Selects or deselects an option of a sheet.
        case toggle(String)
        /// Selects one of several reasons of a sheet.
        case choose(String)
        /// Answers the sheet, with the kind of the answer as in the page's forms.
        case answer(String)
    }

    /// What identifies a row that can be focused; nil for text.
    var id: String?
    var look = Look.text
    var text: String
    /// What is shown at the right end.
    var value = ""
    var press: Press?
    /// The product whose quantity the left and right keys change.
    var quantity: ProductID?
    /// The name of the field of a sheet that the keys edit.
    var field: String?
    /// A row of a picture instead of a text.
    var picture: [TerminalCell] = []
}
