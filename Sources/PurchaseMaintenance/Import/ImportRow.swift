import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseServer

/// A purchase to import: an identifier of a transaction or a receipt, and optionally the customer.
struct ImportRow: Hashable, Sendable {
    /// An identifier of a transaction of the purchase; nil for a receipt.
    let identifier: TransactionID?
    /// An app receipt, or the receipt of one transaction; nil for an identifier.
    let receipt: Data?
    /// The customer; nil to attribute the purchase by its `appAccountToken`.
    let customer: CustomerReference?
    /// The product; nil if the record states no product.
    let product: ProductID?
    /// Whether the product is an auto-renewable subscription; nil if unknown.
    let isAutoRenewable: Bool?

    /// Creates a row from its texts.
    init(_ texts: ImportTexts) throws(ImportDefect) {
        guard !texts.isOfOtherStore else { throw .otherStore }
        guard texts.identifier != nil || texts.receipt != nil else { throw .noProof }
        if let text = texts.identifier {
            guard (1...32).contains(text.utf8.count), text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                throw .identifier
            }
        }
        identifier = texts.identifier.map { TransactionID($0) }
        if let text = texts.receipt {
            // Ignore white space, because exports may contain base64 with line breaks.
            guard let receipt = Data(base64Encoded: text.filter { !$0.isWhitespace }), !receipt.isEmpty else { throw .receipt }
            self.receipt = receipt
        } else {
            receipt = nil
        }
        if let name = texts.customer {
            guard let reference = CustomerReference(name) else { throw .customer }
            customer = reference
        } else {
            customer = nil
        }
        product = texts.product
        isAutoRenewable = texts.isAutoRenewable
    }
}

/// The texts of a purchase to import; an empty text counts as absent.
struct ImportTexts: Hashable, Sendable {
    /// The meaning of a CSV column or a JSON member.
    enum Name: Hashable, Sendable {
        case original
        case transaction
        case receipt
        case customer
        /// A column of RevenueCat's exports: the latest identifier of the customer.
        case latestUser
        /// A column of RevenueCat's exports: the first identifier of the customer.
        case originalUser
        /// A column of RevenueCat's exports: the store, such as `app_store`.
        case store
        /// The product identifier, by which the import chooses its first request to the App Store.
        case product
        /// A column of RevenueCat's exports: whether the product is an auto-renewable subscription.
        case isAutoRenewable

        /// Parses a name, ignoring case, `_`, `-` and spaces; nil for an unknown name.
        init?(_ text: String) {
            switch text.lowercased().filter({ !"_- ".contains($0) }) {
            case "originaltransactionid", "originalstoretransactionid": self = .original
            case "transactionid", "storetransactionid": self = .transaction
            case "receipt", "receiptdata", "latestreceipt": self = .receipt
            case "customer", "customerid": self = .customer
            case "rclastseenappuseridalias": self = .latestUser
            case "rcoriginalappuserid": self = .originalUser
            case "store": self = .store
            case "productid", "productidentifier": self = .product
            case "isautorenewable": self = .isAutoRenewable
            default: return nil
            }
        }

        /// Whether a column with the name identifies a purchase.
        var isProof: Bool { [.original, .transaction, .receipt].contains(self) }
    }

    /// The prefix of RevenueCat's identifiers of anonymous customers.
    private static let anonymous = "$RCAnonymousID:"

    private var texts: [Name: String] = [:]

    /// The original identifier of the purchase, or otherwise the identifier of one of its transactions.
    ///
    /// All periods of a subscription have the same original identifier, so the import looks up the subscription once.
    var identifier: String? { texts[.original] ?? texts[.transaction] }
    var receipt: String? { texts[.receipt] }
    /// The name of the customer; RevenueCat's identifiers of anonymous customers do not count as names.
    var customer: String? {
        texts[.customer] ?? [.latestUser, .originalUser].lazy.compactMap { texts[$0] }.first { !$0.hasPrefix(Self.anonymous) }
    }
    var product: ProductID? { texts[.product].map { ProductID($0) } }
    /// Whether the product is an auto-renewable subscription according to the record; nil if unknown.
    var isAutoRenewable: Bool? {
        switch texts[.isAutoRenewable]?.lowercased() {
        case "true", "t", "1": true
        case "false", "f", "0": false
        default: nil
        }
    }
    /// Whether the record of RevenueCat's export is a purchase from another store than the App Store.
    ///
    /// In other files, a column with the name `store` may have another meaning.
    var isOfOtherStore: Bool {
        guard let store = texts[.store], texts[.originalUser] != nil else { return false }
        return !["app_store", "mac_app_store"].contains(store.lowercased())
    }

    /// Sets a text, unless the text is empty or an earlier column has set the same name.
    private mutating func set(_ name: Name, _ text: String) {
        guard !text.isEmpty, texts[name] == nil else { return }
        texts[name] = text
    }

    /// Reads a record of CSV.
    init(_ fields: [[UInt8]], columns: [Name?]) throws(ImportDefect) {
        guard fields.count <= columns.count else { throw .fieldCount }
        for (name, field) in zip(columns, fields) {
            guard let text = String(validating: field, as: UTF8.self) else { throw .notUTF8 }
            if let name { set(name, text) }
        }
    }

    /// Reads a line of JSON Lines.
    init(json line: [UInt8]) throws(ImportDefect) {
        guard String(validating: line, as: UTF8.self) != nil else { throw .notUTF8 }
        guard case .object(let members) = JSONReader.read(line) else { throw .notJSON }
        for member in members {
            guard let name = Name(member.name) else { continue }
            switch (member.value, name) {
            case (.string(let text), _), (.number(let text), _): set(name, text)
            case (.bool(let flag), .isAutoRenewable): set(name, "\(flag)")
            case (.null, _): break
            case (_, .original), (_, .transaction): throw .identifier
            case (_, .receipt): throw .receipt
            case (_, .customer), (_, .latestUser), (_, .originalUser): throw .customer
            case (_, .store), (_, .product), (_, .isAutoRenewable): break
            }
        }
    }

    /// Reads the header of CSV; nil if the header names neither a transaction identifier nor a receipt.
    static func columns(_ header: ImportRecord?) -> [Name?]? {
        guard case .success(let fields)? = header?.fields else { return nil }
        let columns = fields.map { String(validating: $0, as: UTF8.self).flatMap { Name($0) } }
        return columns.contains { $0?.isProof == true } ? columns : nil
    }

    /// The texts as JSON members, with names that an import can read.
    var members: [JSONValue.Member] {
        let texts = [
            ("original_transaction_id", identifier), ("receipt", receipt), ("customer", customer), ("product_id", product?.rawValue),
            ("is_auto_renewable", isAutoRenewable.map { "\($0)" }),
        ]
        return texts.compactMap { name, text in text.map { JSONValue.Member(name, .string($0)) } }
    }
}
