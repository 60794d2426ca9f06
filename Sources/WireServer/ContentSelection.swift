import Foundation
import HTTPTypes
package import Hummingbird

/// The part of some content that a request selects, according to its preconditions and its range (RFC 9110, sections 13 and 14).
package enum ContentSelection: Hashable, Sendable {
    /// The client already has the content, according to `If-None-Match`.
    case notModified
    /// The whole content.
    case whole
    /// A part of the content, which has at least one byte.
    case part(Range<Int64>)
    /// A range that contains no byte of the content.
    case unsatisfiable
    /// Several ranges.
    case severalRanges

    /// Reads the method and the headers of a request.
    ///
    /// The range of a request is ignored when `If-Range` has a value other than the entity tag of the content, so that a client never joins
    /// parts of two versions. A date in `If-Range` never matches, because the responses contain no date of the content. HEAD ignores ranges
    /// (section 14.2).
    ///
    /// - Parameters:
    ///   - length: The length of the whole content in bytes.
    ///   - entityTag: The strong entity tag of the content, which is different for any other bytes.
    package init(_ request: Request, length: Int64, entityTag: String) {
        guard !request.hasCurrent(entityTag) else {
            self = .notModified
            return
        }
        let honorsRange = request.method == .get && request.headers[.ifRange].map { $0 == entityTag } ?? true
        self =
            switch honorsRange ? ByteRange(header: request.headers[.range], length: length) : .whole {
            case .whole: .whole
            case .part(let range): .part(range)
            case .unsatisfiable: .unsatisfiable
            case .several: .severalRanges
            }
    }
}

extension Request {
    /// Returns whether `If-None-Match` contains an entity tag, so that the client already has the representation (section 13.1.2).
    package func hasCurrent(_ entityTag: String) -> Bool {
        guard let field = headers[.ifNoneMatch] else { return false }
        let known = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return known.contains { [entityTag, "W/\(entityTag)", "*"].contains($0) }
    }
}
