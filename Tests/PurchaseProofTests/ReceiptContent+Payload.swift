import PurchaseTestSupport

@testable import PurchaseIssuing

extension ReceiptContent {
    /// The payload with one text put in place of another of the same length.
    func payload(replacing old: String, with new: String) throws -> [UInt8] {
        var payload = try encoded(random: .system)
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        for place in payload.indices where payload[place...].starts(with: old) {
            payload.replaceSubrange(place..<place + old.count, with: new)
        }
        return payload
    }
}
