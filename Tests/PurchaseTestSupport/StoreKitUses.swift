/// Uses of StoreKit's symbols, with the names of the coverage page.
///
/// A use is an expression that compiles only if the symbol exists and has the expected types. The expression is never called.
public struct StoreKitUses {
    /// The uses, by symbol.
    public private(set) var bySymbol: [String: Any] = [:]
    /// The symbols with more than one use.
    public private(set) var repeated: [String] = []
    private var owner = ""

    /// Creates an empty collection.
    public init() {}

    /// Adds a use of a type, and makes the type the owner of the following members.
    public mutating func of(_ type: String, _ use: Any) {
        of(type)
        add(type, use)
    }

    /// Makes a type outside StoreKit the owner of the following members.
    public mutating func of(_ type: String) {
        owner = type
    }

    /// Adds a use of a member of the current owner.
    public mutating func has(_ member: String, _ use: Any) {
        add("\(owner).\(member)", use)
    }

    /// Adds a use of a symbol by its full name.
    public mutating func add(_ symbol: String, _ use: Any) {
        if bySymbol.updateValue(use, forKey: symbol) != nil { repeated.append(symbol) }
    }
}
