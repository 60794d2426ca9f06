package import Configuration
import Foundation
import FoundationExtras

/// A configuration file: a JSON object whose members are keys of the configuration, each at most once.
///
/// A dot in a key corresponds to a nested object: `{"verify-receipt": {"sandbox-url": "…"}}`. The member `apps` is a list of objects, each
/// with the keys of one app. In the returned provider, the keys of the first app begin with `apps.0.`, and the value of `apps` is the
/// number of apps.
package enum ServerConfigurationFile {
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
        try read(members, in: "", known: ConfigurationKeys.all, to: &values)
        let pairs = values.map { (AbsoluteConfigKey(ConfigKey($0)), $1) }
        return InMemoryProvider(name: "configuration file", values: Dictionary(pairs) { first, _ in first })
    }

    /// Reads the members of an object.
    ///
    /// - Parameters:
    ///   - group: The prefix of the members' keys, such as `verify-receipt.`.
    ///   - known: The keys that the object can contain.
    ///   - app: The prefix of the keys of an app in the list of apps, such as `apps.0.`; empty outside of the list.
    private static func read(
        _ members: [JSONValue.Member], in group: String, known: [String], app: String = "", to values: inout [String: ConfigValue]
    ) throws(ConfigurationError) {
        // reason: the elements are keys of the configuration.
        var names: Set<String> = []
        for member in members {
            let key = group + member.name
            guard names.insert(member.name).inserted, values[app + key] == nil else { throw .doubledKey(app + key) }
            if case .object(let inner) = member.value, known.contains(where: { $0.hasPrefix(key + ".") }) {
                try read(inner, in: key + ".", known: known, app: app, to: &values)
                continue
            }
            guard known.contains(key) else {
                throw .unknownKey(app + key, nearest: app + ConfigurationKeys.nearest(to: key, among: known))
            }
            if key == ConfigurationKeys.apps {
                try read(apps: member.value, to: &values)
            } else {
                values[app + key] = ConfigValue(
                    try text(member.value, of: key, named: app + key), isSecret: ConfigurationKeys.secrets.contains(key))
            }
        }
    }

    private static func read(apps list: JSONValue, to values: inout [String: ConfigValue]) throws(ConfigurationError) {
        guard case .array(let apps) = list, (1...ConfigurationKeys.appLimit).contains(apps.count) else { throw .apps }
        values[ConfigurationKeys.apps] = ConfigValue(.int(apps.count), isSecret: false)
        for (index, app) in apps.enumerated() {
            guard case .object(let members) = app else { throw .apps }
            try read(members, in: "", known: ConfigurationKeys.app, app: "\(ConfigurationKeys.apps).\(index).", to: &values)
        }
    }

    private static func text(_ value: JSONValue, of key: String, named name: String) throws(ConfigurationError) -> ConfigContent {
        switch value {
        case .string(let text): return .string(text)
        case .number(let digits) where ConfigurationKeys.numbers.contains(key): return .string(digits)
        case .null, .bool, .number, .array, .object: throw .wrongType(key: name)
        }
    }
}
