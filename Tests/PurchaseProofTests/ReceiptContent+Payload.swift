import PurchaseModel
import PurchaseTestSupport

@testable import PurchaseIssuing
@testable import PurchaseProof

extension ReceiptPayload {
    /// Reads a payload that fills the given bytes.
    init(_ payload: [UInt8]) throws(Refusal) {
        try self.init(payload, 0..<payload.count)
    }

    /// Reads a payload with the given attributes and the two required ones.
    init(with attributes: [EncodedAttribute]) throws {
        let basics = try [EncodedAttribute(.bundleID, "com.example.app"), EncodedAttribute(.creationDate, Timestamp.testStart)]
        try self.init(EncodedAttribute.encodeUnsorted(basics + attributes))
    }

    /// Reads a payload with one purchase that has the given attributes.
    init(purchase attributes: [EncodedAttribute]) throws {
        try self.init(with: [EncodedAttribute(number: 17, raw: EncodedAttribute.encodeUnsorted(attributes))])
    }
}

extension EncodedAttribute {
    /// The required attributes of a purchase, in the order of their types.
    static var purchaseBasics: [EncodedAttribute] {
        get throws {
            try [
                EncodedAttribute(.productID, "p"), EncodedAttribute(.transactionID, "1"),
                EncodedAttribute(.purchaseDate, Timestamp.testStart),
            ]
        }
    }
}

extension ReceiptContent {
    /// Returns the encoded payload with one text replaced by another of the same length.
    func payload(replacing old: String, with new: String) throws -> [UInt8] {
        var payload = try encoded(random: .system)
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        for place in payload.indices where payload[place...].starts(with: old) {
            payload.replaceSubrange(place..<place + old.count, with: new)
        }
        return payload
    }
}
