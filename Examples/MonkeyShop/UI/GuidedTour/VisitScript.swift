import Foundation
import PurchaseModel
import PurchaseProof

/// The actions of a visit, which another visit can repeat from a link or a stop of the tour.
///
/// A link contains the actions instead of the resulting state, because a state could be forged, while the store, the server and the app
/// check actions.
///
/// An action consists of the fields of its form, without the identifiers that differ between visits; ``ScriptPlayer`` adds the identifiers.
struct VisitScript: Hashable, Sendable {
    /// The maximum number of actions.
    static let limit = 100
    /// The maximum length of the text form in bytes.
    private static let textLimit = 8_192
    /// The fields that a script does not contain: identifiers of a visit, and the password, which links must not contain.
    private static let omitted: Set<String> = ["sheet", "payment", "request", "password"]

    private(set) var actions: [[String: String]]
    /// The text form for a link: JSON in base64url (RFC 4648, section 5); nil if the text is too long.
    private(set) var text: String?

    /// The script without a text form, of a visit whose earlier actions are unknown.
    static let unknown = VisitScript(unknown: ())

    private init(unknown: Void) { (actions, text) = ([], nil) }

    init(_ actions: [[String: String]] = []) {
        self.actions = actions
        text = Self.text(of: actions)
    }

    /// Reads the text form; nil if the text is invalid or too long.
    init?(text: String) {
        guard text.utf8.count <= Self.textLimit, let bytes = Data(base64URL: text),
            let actions = try? JSONDecoder().decode([[String: String]].self, from: bytes), actions.count <= Self.limit
        else { return nil }
        self.actions = actions
        self.text = text
    }

    private static func text(of actions: [[String: String]]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard actions.count <= limit, let json = try? encoder.encode(actions) else { return nil }
        let text = json.base64URL
        return text.utf8.count <= textLimit ? text : nil
    }

    /// Records an action, unless the script is already too long.
    ///
    /// - Parameter product: Returns the product of a transaction.
    mutating func record(_ fields: [String: String], product: (TransactionID) -> ProductID?) {
        guard text != nil, fields["do"] != "message" else { return }
        var action = fields.filter { !Self.omitted.contains($0.key) }
        if let transaction = action.removeValue(forKey: "transaction") {
            action["product"] = product(TransactionID(transaction))?.rawValue
        }
        // Drop a `show` action that another `show` action follows.
        if action["do"] == "show", actions.last?["do"] == "show" { actions.removeLast() }
        actions.append(action)
        text = Self.text(of: actions)
        if text == nil { actions = [] }
    }
}
