import Foundation
import FoundationExtras

/// A `.storekit` file, parsed as JSON.
struct StorekitText {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let file: JSONValue
    let style: StorekitStyle

    init(_ data: Data) throws(CatalogError) {
        guard data.count <= Catalog.sizeLimit else { throw .tooLarge(limit: Catalog.sizeLimit) }
        let bytes = Self.bytes(data)
        guard let file = JSONReader.read(bytes), case .object = file else { throw .notJSON }
        self.file = file
        style = StorekitStyle(endsWithNewline: bytes.last == UInt8(ascii: "\n"), escapesSlashes: data.range(of: Data("\\/".utf8)) != nil)
    }

    /// Returns a sentence about the syntax error in a file that is not a JSON object.
    static func syntaxErrorMessage(_ data: Data) -> String {
        let bytes = bytes(data)
        guard let offset = JSONReader.errorOffset(in: bytes) else { return "The file is not a JSON object: enclose the members in braces." }
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = String(decoding: before[(before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...], as: UTF8.self).count + 1
        return "The file is not valid JSON at line \(line), column \(column): fix the syntax there."
    }

    private static func bytes(_ data: Data) -> [UInt8] {
        Array(data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data)
    }
}
