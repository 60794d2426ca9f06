/// A property list of quoted strings in the old ASCII format.
enum PropertyList {
    /// Encodes members in their order; quotes and backslashes in values are escaped.
    static func encode(_ members: [(key: String, value: String)]) -> [UInt8] {
        let lines = members.map { member in
            let value = member.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\t\"\(member.key)\" = \"\(value)\";\n"
        }
        return Array("{\n\(lines.joined())}".utf8)
    }
}
