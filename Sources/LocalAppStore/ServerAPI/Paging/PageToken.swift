import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// A place in a list, as callers get it to go on from there: unreadable to them, and of use for the same question only.
///
/// The list is in the order of two numbers, such as that of the last change and that of the row.
struct PageToken: Hashable, Sendable {
    /// The place after the last element that was told.
    struct Place: Hashable, Sendable {
        var first: Int64
        var second: Int64
    }

    let place: Place
    /// When it was made, by the machine's clock.
    let date: Timestamp

    init(_ place: Place, at date: Timestamp) {
        self.place = place
        self.date = date
    }

    /// Reads a token; nil unless it was made for this question.
    init?(_ text: String, for question: String) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text.utf8), bytes.count == 32 else { return nil }
        let numbers = stride(from: 0, to: 24, by: 8).map { start in
            bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let values = numbers.map { Int64(bitPattern: $0) }
        self.init(Place(first: values[0], second: values[1]), at: Timestamp(milliseconds: values[2]))
        guard self.text(for: question) == text else { return nil }
    }

    /// The place that a question is asked from, which at most one token names; nil for the beginning.
    static func place(in tokens: [String], for question: String, or error: ServerAPIError) throws(ServerAPIError) -> Place? {
        guard let text = tokens.first else { return nil }
        guard tokens.count == 1, let token = PageToken(text, for: question) else { throw error }
        return token.place
    }

    /// The token for a question: the numbers, and a checksum over them and the question.
    func text(for question: String) -> String {
        var bytes: [UInt8] = []
        for value in [place.first, place.second, date.milliseconds] {
            bytes += withUnsafeBytes(of: value.bigEndian) { Array($0) }
        }
        let checksum = SHA256.hash(data: bytes + Array(question.utf8))
        return Base64URL.encode(bytes + checksum.prefix(8))
    }
}
