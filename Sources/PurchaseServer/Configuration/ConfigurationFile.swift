package import Configuration
import Foundation
import PurchaseModel

/// A configuration file: a JSON object whose members are keys of the configuration, each at most once.
///
/// A dot in a key corresponds to a nested object: `{"verify-receipt": {"sandbox-url": "…"}}`.
package enum ConfigurationFile {
    /// Reads and validates the file at a path.
    ///
    /// - Throws: ``ConfigurationError`` if the file can't be read, is not a JSON object, or has an unknown, repeated or invalid member.
    package static func provider(path: String) throws(ConfigurationError) -> InMemoryProvider {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unreadable(key: "configuration-file", path: path)
        }
        guard let json = JSONReader.read([UInt8](data)), case .object(let members) = json else {
            throw .fileMalformed(path: path)
        }
        var values: [String: ConfigValue] = [:]
        try read(members, in: "", to: &values)
        let pairs = values.map { (AbsoluteConfigKey(ConfigKey($0)), $1) }
        return InMemoryProvider(name: "configuration file", values: Dictionary(pairs) { first, _ in first })
    }

    private static func read(
        _ members: [JSONValue.Member], in group: String, to values: inout [String: ConfigValue]
    ) throws(ConfigurationError) {
        var names: Set<String> = []
        for member in members {
            let key = group + member.name
            guard names.insert(member.name).inserted, values[key] == nil else { throw .doubledKey(key) }
            if case .object(let inner) = member.value, ConfigurationKeys.all.contains(where: { $0.hasPrefix(key + ".") }) {
                try read(inner, in: key + ".", to: &values)
                continue
            }
            guard ConfigurationKeys.all.contains(key) else {
                throw .unknownKey(key, nearest: ConfigurationKeys.nearest(to: key, among: ConfigurationKeys.all))
            }
            values[key] = ConfigValue(try text(member.value, of: key), isSecret: ConfigurationKeys.secrets.contains(key))
        }
    }

    private static func text(_ value: JSONValue, of key: String) throws(ConfigurationError) -> ConfigContent {
        switch value {
        case .string(let text): return .string(text)
        case .number(let digits) where ConfigurationKeys.numbers.contains(key): return .string(digits)
        case .null, .bool, .number, .array, .object: throw .wrongType(key: key)
        }
    }
}
