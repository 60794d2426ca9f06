import Foundation
import FoundationExtras

/// The writer of JSON in the format of Xcode's `.storekit` files.
///
/// The format has two spaces of indentation for each level, spaces around colons, sorted keys, and empty lists on three lines.
struct StorekitWriter {
    let style: StorekitStyle
    private var bytes: [UInt8] = []

    private init(style: StorekitStyle) {
        self.style = style
    }

    /// Returns a `.storekit` file as text in UTF-8.
    static func write(_ file: JSONValue, _ style: StorekitStyle) -> Data {
        var writer = StorekitWriter(style: style)
        writer.write(file, level: 0)
        if style.endsWithNewline { writer.bytes.append(UInt8(ascii: "\n")) }
        return Data(writer.bytes)
    }

    private mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null, .bool, .number: value.write(to: &bytes)
        case .string(let text): write(text)
        case .array(let elements):
            list(elements, "[", "]", level: level) { writer, element in writer.write(element, level: level + 1) }
        case .object(let members):
            list(Self.sorted(members), "{", "}", level: level) { writer, member in
                writer.write(member.name)
                writer.bytes.append(contentsOf: " : ".utf8)
                writer.write(member.value, level: level + 1)
            }
        }
    }

    private mutating func list<Element>(
        _ elements: [Element], _ start: String, _ end: String, level: Int, _ write: (inout StorekitWriter, Element) -> Void
    ) {
        bytes.append(contentsOf: start.utf8)
        bytes.append(UInt8(ascii: "\n"))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(contentsOf: ",\n".utf8) }
            indent(level + 1)
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "\n"))
        indent(level)
        bytes.append(contentsOf: end.utf8)
    }

    private mutating func indent(_ level: Int) {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    /// Sorts the members of an object by name, ignoring case as Xcode does: `_storefront` precedes `_storeKitErrors`.
    private static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
        // Members with equal names keep their order, because readers use the first member with a name.
        members.enumerated().map { (key: $0.element.name.lowercased(), index: $0.offset, member: $0.element) }
            .sorted { ($0.key, $0.member.name, $0.index) < ($1.key, $1.member.name, $1.index) }
            .map(\.member)
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case UInt8(ascii: "/") where style.escapesSlashes: bytes.append(contentsOf: "\\/".utf8)
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x0C: bytes.append(contentsOf: "\\f".utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20: bytes.append(contentsOf: "\\u00\(Hexadecimal.encode(CollectionOfOne(byte)))".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
