package import Configuration
import Foundation
import PurchaseModel

/// The keys of the server in a configuration, or the keys of one app with the server's keys as defaults.
///
/// The keys of the second app in a configuration file begin with `apps.1.`, such as `apps.1.bundle-id`. A key that the app does not set has
/// the value of the server's key.
package struct ConfigurationScope: Sendable {
    private let reader: ConfigReader
    /// The prefix of the app's keys, such as `apps.1.`; nil for the server's keys.
    private let prefix: String?

    /// Creates the scope of the server's keys.
    package init(_ reader: ConfigReader) {
        self.reader = reader
        prefix = nil
    }

    private init(_ reader: ConfigReader, app index: Int) {
        self.reader = reader
        prefix = "apps.\(index)."
    }

    /// Returns the scopes of the apps: one for each element of `apps`, or the server's scope if the configuration has no list of apps.
    ///
    /// - Throws: ``ConfigurationError/appsAndBundleID`` if the configuration has both a list of apps and a server's `bundle-id`.
    func apps() throws(ConfigurationError) -> [ConfigurationScope] {
        // ``ServerConfigurationFile`` provides the number of apps as the value of the key `apps`.
        guard let count = reader.int(forKey: ConfigKey(ConfigurationKeys.apps)) else { return [self] }
        guard try text("bundle-id") == nil else { throw .appsAndBundleID }
        return (0..<max(0, min(count, ConfigurationKeys.appLimit))).map { ConfigurationScope(reader, app: $0) }
    }

    /// Returns the full key in this scope, such as `apps.1.bundle-id`, for error messages.
    func own(_ key: String) -> String { (prefix ?? "") + key }

    /// Reads a text; nil for a missing key.
    ///
    /// The method throws for a value of another type, for which `ConfigReader` returns nil as for a missing key.
    package func text(_ key: String, isSecret: Bool = false) throws(ConfigurationError) -> String? {
        try located(key, isSecret: isSecret)?.text
    }

    /// Reads a text, and returns the text with the key that has the value: the app's key, or by default the server's key.
    private func located(_ key: String, isSecret: Bool = false) throws(ConfigurationError) -> (key: String, text: String)? {
        if prefix != nil, let text = try value(own(key), as: key, isSecret) { return (own(key), text) }
        return try value(key, as: key, isSecret).map { (key, $0) }
    }

    private func value(_ path: String, as key: String, _ isSecret: Bool) throws(ConfigurationError) -> String? {
        let configKey = ConfigKey(path)
        if let text = reader.string(forKey: configKey, isSecret: isSecret) { return text }
        if ConfigurationKeys.numbers.contains(key), let number = reader.int(forKey: configKey) { return String(number) }
        guard reader.int(forKey: configKey, isSecret: isSecret) == nil, reader.double(forKey: configKey, isSecret: isSecret) == nil,
            reader.bool(forKey: configKey, isSecret: isSecret) == nil, reader.stringArray(forKey: configKey, isSecret: isSecret) == nil
        else { throw .wrongType(key: path) }
        return nil
    }

    /// Reads a text that must not be missing or empty.
    func required(_ key: String) throws(ConfigurationError) -> String {
        guard let text = try text(key), !text.isEmpty else { throw .missing(key: own(key)) }
        return text
    }

    /// Reads the bundle identifier of an app; an app in the list of apps does not use the server's key as the default.
    func bundleID() throws(ConfigurationError) -> BundleID {
        guard prefix != nil else { return BundleID(try required("bundle-id")) }
        guard let text = try value(own("bundle-id"), as: "bundle-id", false), !text.isEmpty else { throw .missing(key: own("bundle-id")) }
        return BundleID(text)
    }

    /// Reads names that commas separate, each of 1 to 100 bytes; none for a missing key.
    func names<Name: WireIdentifier>(_ key: String) throws(ConfigurationError) -> [Name] {
        guard let (key, text) = try located(key) else { return [] }
        var names: [Name] = []
        for name in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            guard (1...100).contains(name.utf8.count), IdentifierText.isValid(name) else { throw .names(key: key) }
            names.append(Name(name))
        }
        return names
    }

    /// Reads an HTTP URL without a query; nil for a missing key.
    func url(_ key: String) throws(ConfigurationError) -> HTTPURL? {
        guard let (key, text) = try located(key) else { return nil }
        guard let url = HTTPURL(text), !url.hasQuery else { throw .address(key: key) }
        return url
    }

    /// Reads a raw value of an enumeration, ignoring case; nil for a missing key.
    func choice<Value: RawRepresentable & CaseIterable>(
        _ key: String
    ) throws(ConfigurationError) -> Value? where Value.RawValue == String {
        guard let (key, text) = try located(key) else { return nil }
        guard let value = Value(rawValue: text.lowercased()) else {
            throw .choice(key: key, permitted: Value.allCases.map(\.rawValue))
        }
        return value
    }

    /// Reads an integer in a range; nil for a missing key.
    func integer(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let (key, text) = try located(key) else { return nil }
        guard let number = Int(text), range.contains(number) else { throw .number(key: key, range: range) }
        return number
    }

    /// Returns the contents of the file that a key names, with the file's path; nil for a missing key.
    func file(_ key: String) throws(ConfigurationError) -> (path: String, contents: Data)? {
        guard let (key, path) = try located(key) else { return nil }
        return (path, try Self.contents(key: key, path: path))
    }

    /// Returns the contents of the file at `path`, the value of `key`.
    static func contents(key: String, path: String) throws(ConfigurationError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(key: key, path: path) }
        return data
    }
}
