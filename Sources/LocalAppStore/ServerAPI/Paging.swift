import Crypto
import Foundation
import PurchaseModel
import PurchaseProof

/// One page of a list in a response of the App Store Server API.
struct Page<Element: Sendable>: Sendable {
    /// The maximum number of elements on a page.
    static var size: Int { 20 }

    var elements: [Element]
    var hasMore: Bool

    /// Creates a page from the results of a query whose limit is one more than ``size``.
    init(_ found: [Element]) {
        elements = Array(found.prefix(Self.size))
        hasMore = found.count > Self.size
    }
}

/// A position in a list, which clients receive as an opaque token that is valid for the same query only.
///
/// The list is sorted by two numbers, such as a date and a row number.
struct PageToken: Hashable, Sendable {
    /// The two numbers of the last element that a response contained, after which the next page begins.
    struct Position: Hashable, Sendable {
        var first: Int64
        var second: Int64
    }

    let position: Position
    /// The date on which the token was created, by the machine's clock.
    let date: Timestamp

    init(_ position: Position, at date: Timestamp) {
        self.position = position
        self.date = date
    }

    /// Decodes a token; nil if the text is not a token for the query.
    ///
    /// - Parameter queryKey: A text that identifies the query, with its filters.
    init?(_ text: String, for queryKey: String) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text.utf8), bytes.count == 32 else { return nil }
        let numbers = stride(from: 0, to: 24, by: 8).map { start in
            bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let values = numbers.map { Int64(bitPattern: $0) }
        self.init(Position(first: values[0], second: values[1]), at: Timestamp(milliseconds: values[2]))
        guard self.text(for: queryKey) == text else { return nil }
    }

    /// Returns the position in the only token of a request; nil for a request without a token.
    ///
    /// - Parameters:
    ///   - tokens: All values of the request's token parameter.
    ///   - error: The error that is thrown if there are several tokens or the token is invalid.
    static func position(in tokens: [String], for queryKey: String, or error: ServerAPIError) throws(ServerAPIError) -> Position? {
        guard let text = tokens.first else { return nil }
        guard tokens.count == 1, let token = PageToken(text, for: queryKey) else { throw error }
        return token.position
    }

    /// Returns the token as text: the position and the date with a checksum over both and the query.
    func text(for queryKey: String) -> String {
        var bytes: [UInt8] = []
        for value in [position.first, position.second, date.milliseconds] {
            bytes += withUnsafeBytes(of: value.bigEndian) { Array($0) }
        }
        let checksum = SHA256.hash(data: bytes + Array(queryKey.utf8))
        return Base64URL.encode(bytes + checksum.prefix(8))
    }
}
