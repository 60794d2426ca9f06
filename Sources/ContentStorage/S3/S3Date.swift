import Foundation
import PurchaseModel

/// The formats of dates in the responses of a bucket.
enum S3Date {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Parses a date of XML, such as `2009-10-12T17:50:30.000Z`; nil for another text.
    static func parseISO8601(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 32 else { return nil }
        return [true, false].lazy.compactMap { hasFraction in
            (try? Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: hasFraction))).map { Timestamp($0) }
        }.first
    }

    /// Parses a date of HTTP headers, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7); nil for another text.
    static func parseHTTP(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        return parseISO8601("\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }
}
