/// Encodes property lists of quoted strings in the old ASCII format.
enum PropertyList {
    /// Encodes members in the given order, and escapes quotation marks and backslashes in values.
    static func encode(_ members: [(key: String, value: String)]) -> [UInt8] {
        let lines = members.map { member in
            let value = member.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\t\"\(member.key)\" = \"\(value)\";\n"
        }
        return Array("{\n\(lines.joined())}".utf8)
    }
}
