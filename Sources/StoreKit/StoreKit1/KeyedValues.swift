import Foundation
import Synchronization

/// The property values that a test sets with `setValue(_:forKey:)`.
///
/// On Apple's platforms, many tests set read-only properties of products and transactions with key-value coding. Linux has no
/// key-value coding, so StoreKit's classes implement `setValue(_:forKey:)` themselves.
struct KeyedValues: ~Copyable, Sendable {
    /// A value of any type, which threads share and never modify.
    struct Box: @unchecked Sendable {
        let value: Any
    }

    // reason: the keys are names of properties.
    private let values = Mutex<[String: Box]>([:])

    /// Sets the value of the property with the name `key`; nil removes the value.
    func set(_ value: Any?, forKey key: String) {
        let carried = value.map { Box(value: $0) }
        values.withLock { $0[key] = carried }
    }

    /// The value that a test has set for the property with the name `key`; nil when the test has set no value of this type.
    subscript<Value>(key: String) -> Value? {
        values.withLock { $0[key] }?.value as? Value
    }

    /// Returns the enumeration value that a test has set for a property, either as a case or as a raw value; nil when none was set.
    func choice<Value: RawRepresentable>(_ key: String) -> Value? where Value.RawValue: BinaryInteger {
        let value: Any? = self[key]
        if let choice = value as? Value { return choice }
        if let number = value as? any BinaryInteger { return Value.RawValue(exactly: number).flatMap(Value.init(rawValue:)) }
        return (value as? NSNumber).flatMap { Value.RawValue(exactly: $0.int64Value) }.flatMap(Value.init(rawValue:))
    }
}
