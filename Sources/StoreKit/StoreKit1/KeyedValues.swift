import Foundation
import Synchronization

/// What was set by key instead of by the store.
///
/// On Apple's platforms key-value coding sets what a class shows read-only, and many tests make products and transactions that way.
/// There is no key-value coding on Linux, so the classes that are made like this have a `setValue(_:forKey:)` of their own.
struct KeyedValues: ~Copyable, Sendable {
    /// A value passed from the test's thread to its readers; the value is not changed on the way.
    struct Carried: @unchecked Sendable {
        let value: Any
    }

    private let values = Mutex<[String: Carried]>([:])

    /// Sets the value of a key; nil takes it away.
    func set(_ value: Any?, forKey key: String) {
        let carried = value.map { Carried(value: $0) }
        values.withLock { $0[key] = carried }
    }

    /// The value of a key when it was set to one of this type.
    subscript<Value>(key: String) -> Value? {
        values.withLock { $0[key] }?.value as? Value
    }

    /// The value of a key that was set to a case or to its number.
    func choice<Value: RawRepresentable>(_ key: String) -> Value? where Value.RawValue: BinaryInteger {
        let value: Any? = self[key]
        if let choice = value as? Value { return choice }
        if let number = value as? any BinaryInteger { return Value.RawValue(exactly: number).flatMap(Value.init(rawValue:)) }
        return (value as? NSNumber).flatMap { Value.RawValue(exactly: $0.int64Value) }.flatMap(Value.init(rawValue:))
    }
}
