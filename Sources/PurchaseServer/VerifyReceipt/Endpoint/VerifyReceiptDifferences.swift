import Crypto
import Foundation
import FoundationExtras
import PurchaseModel
import PurchaseStorage

/// The differences between two responses of `verifyReceipt`.
///
/// The order of members and of elements does not matter. `docs/server.md` lists the fields that are not compared.
struct VerifyReceiptDifferences {
    /// The maximum number of listed differences.
    static let listLimit = 50
    /// The fields that can differ between two valid responses, or that only the App Store can state.
    static let ignoredPaths: Set<String> = [
        "receipt.request_date", "receipt.request_date_ms", "receipt.request_date_pst", "latest_receipt", "exception", "is_retryable",
        "is-retryable",
    ]
    /// The fields whose values identify a person or a device.
    private static let personalNames: Set<String> = ["app_account_token", "unique_identifier", "unique_vendor_identifier"]
    /// The maximum length of a shown value in bytes; a digest replaces a longer value.
    private static let valueLimit = 80
    private static let pathLimit = 200

    private(set) var count = 0
    /// The first differences, in the order of their paths.
    private(set) var listed: [VerifyReceiptDifference] = []
    private let consumables: Set<ProductID>

    /// Compares the server's response with the App Store's response.
    ///
    /// - Parameter consumables: The consumable products. An element of `latest_receipt_info` about a consumable can be in one response
    ///   only, because only the App Store has a record of finished transactions.
    init(between server: JSONValue, and appStore: JSONValue, consumables: Set<ProductID> = []) {
        self.consumables = consumables
        compare(server, appStore, at: "", name: "")
    }

    private mutating func compare(_ server: JSONValue?, _ appStore: JSONValue?, at path: String, name: String) {
        guard server != appStore, !Self.ignoredPaths.contains(path) else { return }
        switch (server, appStore) {
        case (.object(let own), .object(let other)):
            let (own, other) = (Self.members(own), Self.members(other))
            for name in Set(own.keys).union(other.keys).sorted() {
                compare(
                    own[name], other[name], at: path.isEmpty ? name.rawValue : "\(path).\(name)", name: name.rawValue)
            }
        case (.array(let own), .array(let other)):
            let (own, other) = (Self.elements(own), Self.elements(other))
            for key in Set(own.keys).union(other.keys).sorted() where !isFinishable(own[key], other[key], in: path) {
                compare(own[key], other[key], at: "\(path)[\(key)]", name: name)
            }
        default:
            count += 1
            guard listed.count < Self.listLimit else { return }
            listed.append(
                VerifyReceiptDifference(
                    path: String(decoding: path.utf8.prefix(Self.pathLimit), as: UTF8.self), server: Self.text(server, name),
                    appStore: Self.text(appStore, name)))
        }
    }

    /// Returns whether an element is a consumable that one response does not contain.
    private func isFinishable(_ own: JSONValue?, _ other: JSONValue?, in path: String) -> Bool {
        guard path == "latest_receipt_info", own == nil || other == nil else { return false }
        return ((own ?? other)?["product_id"]?.text).map { consumables.contains(ProductID($0)) } ?? false
    }

    private static func members(_ members: [JSONValue.Member]) -> [OpaqueText: JSONValue] {
        Dictionary(members.map { (OpaqueText($0.name), $0.value) }) { first, _ in first }
    }

    /// Returns the elements of an array with their transaction identifiers, or otherwise their positions, as keys.
    private static func elements(_ elements: [JSONValue]) -> [OpaqueText: JSONValue] {
        var result: [OpaqueText: JSONValue] = [:]
        for (index, element) in elements.enumerated() {
            let id = OpaqueText(element["transaction_id"]?.text ?? element["original_transaction_id"]?.text ?? "\(index)")
            result[result[id] == nil ? id : OpaqueText("\(id) (element \(index))")] = element
        }
        return result
    }

    private static func text(_ value: JSONValue?, _ name: String) -> String? {
        guard let value else { return nil }
        let text: String
        switch value {
        case .string(let string): text = string
        case .object, .array: return "present"
        case .null, .bool, .number: text = String(decoding: value.bytes, as: UTF8.self)
        }
        guard personalNames.contains(name) || text.utf8.count > valueLimit || text.unicodeScalars.contains(where: IdentifierText.isControl)
        else { return text }
        return "sha256:" + Hexadecimal.encode(SHA256.hash(data: Data(text.utf8)).prefix(8))
    }
}
